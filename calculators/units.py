"""Constants, conversions and the legal unit suffixes of names."""

GIB = 2**30
GB = 10**9
MIB = 2**20
TERA = 10**12
MEGA = 10**6
HOURS_PER_MONTH = 8760 / 12
SECONDS_PER_HOUR = 3600.0
BITS_PER_BYTE = 8

SUFFIXES = (
    "_bytes",
    "_bytes_s",
    "_per_s",
    "_s",
    "_h",
    "_ms",
    "_us",
    "_flop",
    "_flop_s",
    "_tok",
    "_tok_s",
    "_usd",
    "_usd_h",
    "_usd_mtok",
    "_usd_month",
    "_w",
    "_kw",
    "_kwh",
    "_bits",
    "_frac",
    "_gib",
    "_gb",
    "_gb_s",
    "_tflops",
    "_tops",
    "_mtok",
    "_mtok_month",
    "_months",
)
