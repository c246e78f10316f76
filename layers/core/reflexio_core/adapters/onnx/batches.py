"""How texts are grouped for the encoder. Pure."""

from collections.abc import Sequence

MAX_TEXTS = 32
MAX_TOKENS = 256
"""A bound on texts times longest text. Bigger batches are slower on one CPU thread, by half at 4,096 tokens, and a
query that arrives during a batch waits for its end (``tests/bench/embedding.py``)."""


def plan_batches(
    lengths: Sequence[int], max_texts: int = MAX_TEXTS, max_tokens: int = MAX_TOKENS
) -> list[tuple[int, ...]]:
    """Positions grouped by similar length, shortest first, so that little is padded.

    ``lengths`` are in tokens. A batch holds at most ``max_texts`` texts and, padded to its longest, at most
    ``max_tokens`` tokens; a longer text is alone in its batch.
    """
    batches: list[tuple[int, ...]] = []
    current: list[int] = []
    for position in sorted(range(len(lengths)), key=lengths.__getitem__):
        # In ascending order the newcomer is the longest: its length is what the others would be padded to.
        full = len(current) == max_texts or (len(current) + 1) * lengths[position] > max_tokens
        if current and full:
            batches.append(tuple(current))
            current = []
        current.append(position)
    if current:
        batches.append(tuple(current))
    return batches
