"""First rows of the model: every term of the vocabulary through all-MiniLM-L6-v2.

    python distil.py DATA.npz MINILM.onnx TOKENIZER.json COUNT ROWS.npz

Takes the COUNT terms that most families of training packages use (a whole compound identifier
counts for COMPOUND of what it has, since its parts are terms too) and writes their sentence
embeddings (mean pooling, 384 dimensions, not yet reduced).
"""

import sys

import numpy as np
import onnxruntime
from tokenizers import Tokenizer

COMPOUND = 0.2


class Teacher:
    def __init__(self, onnx, tokenizer, longest=128):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 2
        self.session = onnxruntime.InferenceSession(onnx, options, ["CPUExecutionProvider"])
        self.names = {i.name for i in self.session.get_inputs()}
        self.tokenizer = Tokenizer.from_file(tokenizer)
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(longest)

    def embed(self, texts, batch=64):
        coded = [e.ids for e in self.tokenizer.encode_batch(texts)]
        out = np.zeros((len(texts), 384), np.float32)
        order = np.argsort([len(c) for c in coded], kind="stable")
        for start in range(0, len(order), batch):
            pick = order[start : start + batch]
            longest = max(len(coded[n]) for n in pick)
            ids = np.zeros((len(pick), longest), np.int64)
            mask = np.zeros_like(ids)
            for row, n in enumerate(pick):
                ids[row, : len(coded[n])] = coded[n]
                mask[row, : len(coded[n])] = 1
            feed = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            hidden = self.session.run(None, {k: v for k, v in feed.items() if k in self.names})[0]
            if hidden.ndim == 3:
                hidden = (hidden * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
            out[pick] = hidden / np.linalg.norm(hidden, axis=1, keepdims=True)
        return out


def main():
    data = np.load(sys.argv[1])
    count = int(sys.argv[4])
    # Ties by frequency, then by the term: the choice must not depend on the order of records.
    spread = data["spread"] * np.where(data["simple"], 1, COMPOUND)
    order = np.lexsort((data["terms"], -data["frequency"], -spread))[:count]
    names = [t.decode() for t in data["terms"][order]]
    rows = Teacher(sys.argv[2], sys.argv[3]).embed([n.replace("_", " ") for n in names])
    np.savez(sys.argv[5], rows=rows.astype(np.float16), order=order)


if __name__ == "__main__":
    main()
