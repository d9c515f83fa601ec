"""The scan: which components an event may stand for, from its type and the conditions on it alone."""

from __future__ import annotations

from sase.kernels.jit import kernel
from sase.kernels.program import holds


@kernel
def refine(bits, tests, P, E, w):
    """Clear the bits whose conditions fail. tests: (bit, 2) ranges of checks."""
    for row in range(bits.size):
        left = bits[row]
        if left == 0:
            continue
        for bit in range(tests.shape[0]):
            if not left >> bit & 1:
                continue
            for c in range(tests[bit, 0], tests[bit, 1]):
                if not holds(c, row, w.stack, 0, P, E, 0, w):
                    bits[row] &= ~(1 << bit)
                    break
