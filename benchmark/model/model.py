"""The model file: what README.md says of its format, written and read back.

Inference here is the reference in integers that any other implementation must reproduce bit by bit.
"""

import struct
import sys
from collections import Counter
from pathlib import Path

import numpy as np

from terms import terms

MAGIC = b"gsvstat\x01"
BLOCK = 16
# Weight of a term that stands n times in a text: round(64 * (1 + ln n)), the last for more.
TIMES = [64, 108, 134, 153, 167, 179, 189, 197, 205, 211, 217, 223, 228, 233, 237, 241]


def quantize(rows):
    """int8 rows with one u16 scale each: value = row * scale * step, one step for all."""
    peak = np.abs(rows).max(1)
    step = peak.max() / 127 / 65535
    # The largest row may come out a hair above the last scale.
    scale = np.clip(np.ceil(peak / 127 / step), 1, 65535).astype(np.uint16)
    return np.clip(np.rint(rows / (scale[:, None] * step)), -127, 127).astype(np.int8), scale


def write(path, names, rows):
    """Writes a model: `names` are terms as bytes, one row each."""
    order = sorted(range(len(names)), key=lambda n: names[n])
    int8, scale = quantize(rows[order])
    blocks, text, last = [], bytearray(), b""
    for n, at in enumerate(order):
        name, same = names[at], 0
        if n % BLOCK == 0:
            blocks.append(len(text))
        else:
            while same < min(len(name), len(last)) and name[same] == last[same]:
                same += 1
        text += bytes([same, len(name) - same]) + name[same:]
        last = name
    text += b"\0" * (-len(text) % 4)
    with open(path, "wb") as out:
        out.write(MAGIC + struct.pack("<IIII", rows.shape[1], len(names), len(blocks), len(text)))
        out.write(np.array(blocks, "<u4").tobytes() + bytes(text) + scale.astype("<u2").tobytes())
        out.write(int8.tobytes())


class Model:
    def __init__(self, path):
        data = Path(path).read_bytes()
        assert data[:8] == MAGIC
        dims, count, blocks, length = struct.unpack_from("<IIII", data, 8)
        at = 24 + 4 * blocks
        text, self.names, last = data[at : at + length], [], b""
        at += length
        here = 0
        for _ in range(count):
            same, more = text[here], text[here + 1]
            last = last[:same] + text[here + 2 : here + 2 + more]
            here += 2 + more
            self.names.append(last)
        self.scale = np.frombuffer(data, "<u2", count, at).astype(np.int64)
        at += 2 * count
        self.rows = np.frombuffer(data, np.int8, count * dims, at).reshape(count, dims)
        assert at + count * dims == len(data)
        self.at = {name: n for n, name in enumerate(self.names)}

    def vector(self, text):
        """The int8 vector of a text, all zero when no term is known."""
        total = np.zeros(self.rows.shape[1], np.int64)
        for term, n in Counter(terms(text)).items():
            at = self.at.get(term.encode())
            if at is not None:
                total += TIMES[min(n, len(TIMES)) - 1] * self.scale[at] * self.rows[at]
        peak = int(np.abs(total).max())
        if peak == 0:
            return total.astype(np.int8)
        # Nearest, halves away from zero, in integers.
        whole = (np.abs(total) * 254 + peak) // (2 * peak)
        return (np.sign(total) * whole).astype(np.int8)


def main():
    """python model.py DATA.npz TRAINED.npz MODEL.bin: writes the file of trained rows."""
    data, trained = np.load(sys.argv[1]), np.load(sys.argv[2])
    write(sys.argv[3], data["terms"][trained["order"]].tolist(), trained["rows"])
    print(Path(sys.argv[3]).stat().st_size, "bytes")


if __name__ == "__main__":
    main()
