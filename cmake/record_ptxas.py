#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs nvcc and puts what ptxas says about each kernel (option -Xptxas -v) into a file beside the
object, OBJECT.ptxas, for cmake/kernel_table.py; everything else that nvcc says is passed on."""

import pathlib
import re
import subprocess
import sys

_INFO = re.compile(r"ptxas info|\s+\d+ bytes (stack frame|cumulative stack)")


def main():
    command = sys.argv[1:]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    lines = done.stderr.splitlines(keepends=True)
    sys.stderr.writelines(line for line in lines if not _INFO.match(line))
    if done.returncode == 0 and "-o" in command:
        made = pathlib.Path(command[command.index("-o") + 1])
        if made.suffix == ".o":
            pathlib.Path(f"{made}.ptxas").write_text("".join(filter(_INFO.match, lines)),
                                                     encoding="utf-8")
    sys.exit(done.returncode)


main()
