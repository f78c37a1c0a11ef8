# SPDX-License-Identifier: Apache-2.0
"""Prints what is in a recording as JSON: recording.py FILE [ENVIRONMENT].

Per dataset its shape, type, chunks, filters and attributes, and all rows of one environment."""

import json
import sys

import h5py
import numpy


def plain(value):
    """A number, a text or a list of them, for JSON."""
    if isinstance(value, numpy.ndarray):
        return [plain(x) for x in value]
    return value.item() if isinstance(value, numpy.generic) else value


def main():
    env = int(sys.argv[2]) if len(sys.argv) > 2 else 0
    with h5py.File(sys.argv[1], "r") as file:
        datasets = {}
        for name, data in file.items():
            datasets[name] = {
                "shape": data.shape,
                "type": str(data.dtype),
                "chunks": data.chunks,
                "compression": data.compression,
                "shuffle": data.shuffle,
                "stored": data.id.get_storage_size(),
                "attributes": {key: plain(value) for key, value in data.attrs.items()},
                "finite": bool(numpy.isfinite(data[...]).all()),
                "rows": data[:, env, :].tolist(),
            }
        attributes = {key: plain(value) for key, value in file.attrs.items()}
    print(json.dumps({"attributes": attributes, "datasets": datasets}))


main()
