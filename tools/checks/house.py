# SPDX-License-Identifier: Apache-2.0
"""What the checks share: the list of source files, text without comments, and reporting."""

import argparse
import pathlib
import re
import sys

SUFFIXES = (".h", ".cpp", ".cu", ".def")
FOLDERS = ("include", "src", "tests", "bench", "tools")

# comments, then string and character literals; a digit separator is no character literal
_TOKENS = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9A-Za-z])\'(?:\\.|[^\'\\\n])+\'',
    re.DOTALL,
)


def parser(description):
    """An argument parser with the option that all checks have."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--root", type=pathlib.Path, help="the checkout to look at",
                      default=pathlib.Path(__file__).resolve().parents[2])
    return made


def sources(root):
    """Every C++ and CUDA file of the checkout, as paths relative to its root, sorted."""
    found = []
    for folder in FOLDERS:
        found += [p.relative_to(root) for p in (root / folder).rglob("*") if p.suffix in SUFFIXES]
    return sorted(found)


def code_of(text):
    """The text with comments removed and literals emptied; line numbers stay."""

    def blank(match):
        token = match.group(0)
        lines = "\n" * token.count("\n")
        return lines + " " if token.startswith("/") else '""' + lines

    # the name of an included file is a literal that rules look at
    out = []
    for line in _TOKENS.sub(blank, _mark_includes(text)).split("\n"):
        out.append(line.replace("\x01", '"'))
    return "\n".join(out)


def _mark_includes(text):
    return re.sub(r'^([ \t]*#[ \t]*include[ \t]*)"([^"\n]*)"', "\\1\x01\\2\x01", text, flags=re.M)


def finish(name, complaints, looked_at):
    """Prints the complaints, or what was looked at, and ends the program."""
    for complaint in complaints:
        print(complaint)
    if complaints:
        print(f"{name}: {len(complaints)} violation(s)")
        sys.exit(1)
    print(f"{name}: {looked_at}, no violation")
    sys.exit(0)
