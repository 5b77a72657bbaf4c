"""The model file comes back as it was written, and its vectors are the integers the format says."""

import tempfile
import unittest
from pathlib import Path

import numpy as np

from model import Model, quantize, write


class Format(unittest.TestCase):
    def setUp(self):
        # More than two blocks of terms, given out of order.
        self.names = [f"term{n * 7 % 40}".encode() for n in range(40)]
        self.rows = np.random.default_rng(2).standard_normal((40, 8)).astype(np.float32)
        self.path = Path(tempfile.mkdtemp()) / "model.bin"
        write(self.path, self.names, self.rows)
        self.model = Model(self.path)

    def test_round_trip(self):
        self.assertEqual(self.model.names, sorted(self.names))
        int8, scale = quantize(self.rows)
        for n, name in enumerate(self.names):
            at = self.model.at[name]
            self.assertEqual(self.model.rows[at].tolist(), int8[n].tolist())
            self.assertEqual(self.model.scale[at], scale[n])

    def test_rows_are_near_what_they_were(self):
        step = np.abs(self.rows).max() / 127 / 65535
        int8, scale = quantize(self.rows)
        back = int8 * (scale[:, None] * step)
        self.assertLess(np.abs(back - self.rows).max(), np.abs(self.rows).max() / 127)

    def test_the_largest_row_has_a_scale(self):
        for seed in range(200):
            rows = np.random.default_rng(seed).standard_normal((3, 4)).astype(np.float32)
            int8, scale = quantize(rows)
            self.assertEqual(scale.max(), 65535)
            self.assertEqual(np.abs(int8).max(1).tolist(), [127, 127, 127])

    def test_vector(self):
        one, two = self.model.at[b"term1"], self.model.at[b"term2"]
        want = 108 * self.model.scale[one] * self.model.rows[one].astype(int)
        want += 64 * self.model.scale[two] * self.model.rows[two].astype(int)
        peak = max(abs(int(x)) for x in want)
        want = [(abs(int(x)) * 254 + peak) // (2 * peak) * (1 if x > 0 else -1) for x in want]
        self.assertEqual(self.model.vector("term1 term2 Term1").tolist(), want)
        self.assertEqual(self.model.vector("nothing known").tolist(), [0] * 8)


if __name__ == "__main__":
    unittest.main()
