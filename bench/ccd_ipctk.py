#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Labelled queries through `swept ccd` and through ipctk's Tight-Inclusion in one run.

  python3 -m venv build/ipctk && build/ipctk/bin/pip install ipctk numpy
  build/ipctk/bin/python bench/ccd_ipctk.py build/release/bin/swept ../shared/data/ccd_queries

Both sides answer all queries in turns, one thread each; of each query's times on a side the median
over the turns counts. What a call from Python costs is measured with queries that end at once (no
motion), and taken off ipctk's times. The tolerance is 1e-6 on both sides (ipctk's is on time and
barycentric coordinates, swept's a length), the separation as given. ipctk's cap on iterations is
10,000: with its default of ten million some of these queries take a minute each.
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import time

import ipctk
import numpy


def read_queries(folder):
    """(is vertex-face, label, eight points) of every query, in the order of the files' paths."""
    queries = []
    for path in sorted(folder.rglob("*.csv")):
        rows = [line.split(",") for line in path.read_text().split()]
        points = [[int(r[2 * k]) / int(r[2 * k + 1]) for k in range(3)] for r in rows]
        for i in range(0, len(rows), 8):
            queries.append(("vertex-face" in str(path), rows[i][6] == "1",
                            [numpy.array(p) for p in points[i:i + 8]]))
    return queries


def ask_ipctk(ccd, queries, separation):
    """The hits, and the time of each query [ns]."""
    hits, ns = [], []
    for faces, _, x in queries:
        ask = ccd.point_triangle_ccd if faces else ccd.edge_edge_ccd
        start = time.perf_counter_ns()
        hit, _ = ask(*x, min_distance=separation)
        ns.append(time.perf_counter_ns() - start)
        hits.append(hit)
    return hits, ns


def call_cost(ccd, count=20000):
    """What a call that has nothing to do takes [ns]: the median."""
    x = [numpy.array(p, dtype=float) for p in ((0, 0, 9), (0, 0, 0), (1, 0, 0), (0, 1, 0))]
    ns = []
    for _ in range(count):
        start = time.perf_counter_ns()
        ccd.point_triangle_ccd(*x, *x, min_distance=0.0)
        ns.append(time.perf_counter_ns() - start)
    return statistics.median(ns)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("swept", help="the swept command")
    parser.add_argument("queries", type=pathlib.Path, help="a folder of labelled queries")
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--separation", type=float, default=0.0)
    parser.add_argument("--max-iterations", type=int, default=10000, help="ipctk's cap")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()

    queries = read_queries(args.queries)
    labels = [label for _, label, _ in queries]
    ccd = ipctk.TightInclusionCCD(tolerance=1e-6, max_iterations=args.max_iterations)
    cost = call_cost(ccd)
    theirs, ours = [], []
    for _ in range(args.turns):
        hits, ns = ask_ipctk(ccd, queries, args.separation)
        theirs.append(ns)
        done = subprocess.run(
            [args.swept, "ccd", "--queries", args.queries, "--separation", str(args.separation),
             "--tolerance", "1e-6", "--json", "--turns", "3"], capture_output=True, text=True,
            check=True)
        ours.append({a["precision"]: a for a in json.loads(done.stdout)["answers"]})

    own = sorted(max(statistics.median(t) - cost, 1.0) for t in zip(*theirs))
    result = {"queries": len(queries), "collisions": sum(labels), "call_cost_ns": cost}
    result["ipctk"] = {
        "missed": sum(l and not h for l, h in zip(labels, hits)),
        "false_alarms": sum(h and not l for l, h in zip(labels, hits)),
        "mean_ns": statistics.fmean(own), "median_ns": statistics.median(own),
        "p99_ns": own[len(own) * 99 // 100], "max_ns": own[-1]}
    for name in ("f64", "f32"):
        side = {key: statistics.median(o[name][key] for o in ours)
                for key in ("missed", "false_alarms", "mean_ns", "median_ns", "p99_ns", "max_ns")}
        side["mean_ratio"] = result["ipctk"]["mean_ns"] / side["mean_ns"]
        side["median_ratio"] = result["ipctk"]["median_ns"] / side["median_ns"]
        result["swept " + name] = side
    if args.json:
        print(json.dumps(result, indent=2))
        return
    print(f"{len(queries)} queries, {sum(labels)} collisions; a call of ipctk costs {cost:.0f} ns, "
          "which is taken off its times")
    for name in ("ipctk", "swept f64", "swept f32"):
        s = result[name]
        print(f"{name:<10} missed {s['missed']:.0f}, false alarms {s['false_alarms']:.0f}, "
              f"mean {s['mean_ns']:.0f} ns, median {s['median_ns']:.0f}, p99 {s['p99_ns']:.0f}, "
              f"max {s['max_ns']:.0f}" + (f"; ipctk / swept: mean {s['mean_ratio']:.1f}, "
              f"median {s['median_ratio']:.2f}" if "mean_ratio" in s else ""))


main()
