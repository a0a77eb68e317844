import pytest

from calculators.evidence.memory_notes import NOTES, note_counts, noted_share, pinned_bytes


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ("max_num_seqs 4; --block-size=128; MTP n=3", (4, None, 128, 3)),
        ("--max-num-batched-tokens=8,192 --max-num-seqs 16", (16, 8192, None, None)),
        ("no settings", (None, None, None, None)),
    ],
)
def test_counts(notes, expected):
    found = note_counts(notes)
    names = ("max_sequences", "batched_tok", "block_tok", "n_draft")
    assert tuple(found.get(name) for name in names) == expected


@pytest.mark.parametrize(
    ("notes", "share"),
    [("--gpu-memory-utilization 0.85", 0.85), ("mem-fraction-static 0.93", 0.93), ("0.5", None)],
)
def test_share_of_memory(notes, share):
    assert noted_share(notes) == share


@pytest.mark.parametrize(
    ("notes", "size"),
    [
        ("--kv-cache-memory-bytes=8G", 8 * 2**30),
        ("kv_cache_memory_bytes 512 MiB", 512 * 2**20),
        ("kv-cache-memory-bytes 820000000", 820_000_000),
        ("--kv-cache-memory-bytes pin; 7.2 GB left", None),
    ],
)
def test_a_cache_set_by_hand(notes, size):
    assert pinned_bytes(notes) == size


@pytest.mark.parametrize(
    ("word", "notes", "found"),
    [
        ("eager", "--enforce-eager", True),
        ("eager", "enforce_eager=False", False),
        ("prefix_caching", "--enable-prefix-caching", True),
        ("prefix_caching", "enable_prefix_caching=False", False),
        ("drafts", "drafter loaded", True),
        ("drafts", "no MTP", False),
    ],
)
def test_flags(word, notes, found):
    assert bool(NOTES[word].search(notes)) is found
