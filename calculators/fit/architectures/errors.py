"""What can be wrong with a model's files, each in one sentence."""

BY_HAND = (
    "Enter the shape by hand instead: total and active parameters, layers, KV heads, head size "
    "and window."
)


class ModelConfigError(ValueError):
    """A file that cannot be read as a model's config: names the key, what it holds, what may be."""


class UnsupportedModel(ModelConfigError):
    """A model that is not a decoder known here; says which architecture and how to go on."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"{reason} {BY_HAND}")
