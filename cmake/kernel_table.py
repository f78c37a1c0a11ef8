#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes a table of the kernels of the CUDA backend: what each needs of the machine, from the files
that cmake/record_ptxas.py leaves beside the objects. Numbers are per thread, shared memory per
block; spills are bytes stored and loaded because registers did not suffice."""

import argparse
import pathlib
import re
import subprocess
import sys

ENTRY = re.compile(r"Compiling entry function '(\w+)' for '(\w+)'")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+) bytes smem")
# void swept::cuda_f32::packs_kernel<4, swept::cuda_f32::Rne>(...), and kernels that are plain
LAUNCHED = re.compile(r"::(packs|envs)_kernel<(\d+), (.*)>\(")
COLUMNS = ("kernel", "lanes", "precision", "registers", "shared", "stack", "spill stores",
           "spill loads")


def entries(path):
    """(mangled name, numbers) of every kernel that a file speaks of."""
    name, numbers = None, {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if match := ENTRY.search(line):
            name, numbers = match.group(1), {"shared": 0}
        elif name and (match := FRAME.search(line)):
            for column, value in zip(("stack", "spill stores", "spill loads"), match.groups()):
                numbers[column] = int(value)
        elif (match := USED.search(line)) and name:
            numbers["registers"] = int(match.group(1))
            if shared := SHARED.search(line):
                numbers["shared"] = int(shared.group(1))
            yield name, numbers
            name = None


def demangled(names):
    done = subprocess.run(["c++filt"], input="\n".join(names), capture_output=True, text=True,
                          check=True)
    return done.stdout.splitlines()


def row(full, numbers):
    """A line of the table, from a demangled name."""
    precision = re.search(r"cuda_(f32|f64)", full)
    plain = re.sub(r"\(anonymous namespace\)::|swept::cuda_f\d\d::|^void ", "", full)
    launched = LAUNCHED.search("::" + plain)
    name = launched.group(3) if launched else plain.partition("(")[0]
    return {"kernel": name, "lanes": int(launched.group(2)) if launched else 1,
            "precision": precision.group(1) if precision else "?", **numbers}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("objects", nargs="+")
    args = parser.parse_args()

    files = [path for path in (pathlib.Path(f"{o}.ptxas") for o in args.objects) if path.exists()]
    found = [entry for path in files for entry in entries(path)]
    if not found:
        print("swept: no table of kernels: ptxas has left no record of them")
        return
    rows = [row(full, numbers)
            for full, (_, numbers) in zip(demangled([name for name, _ in found]), found)]
    rows.sort(key=lambda r: (r["kernel"], r["precision"]))
    cells = [COLUMNS] + [tuple(str(r.get(column, "?")) for column in COLUMNS) for r in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(COLUMNS))]
    lines = ["  ".join(cell.ljust(width) if i == 0 else cell.rjust(width)
                       for i, (cell, width) in enumerate(zip(line, widths))) for line in cells]
    args.out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    spilling = sum(1 for r in rows if r.get("spill stores", 0) > 0)
    print(f"swept: {args.out} lists {len(rows)} kernels; {spilling} of them spill")


if __name__ == "__main__":
    sys.exit(main())
