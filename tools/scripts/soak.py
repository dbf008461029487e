#!/usr/bin/env python3
"""Soak test: many fast games of phao against itself, pondering on both sides, with the memory of the engines written down.

    tools/scripts/soak.py [-n 1000] [-t 0.2+0.002] [-d soak] [-e PHAO] [-x XQ] [-j 1] [ucci] [uci]

Plays N games (an even number) over each protocol named, both if none is. Everything goes to the folder -d, where an interrupted soak goes
on: the games to PROTOCOL.pgn, the dialogue of xq to PROTOCOL.txt, the memory to memory.csv (seconds, protocol, games played, KiB of the
largest engine). Give the engines a quiet machine: an engine thinks on the opponent's time, so that two cores are needed.

Exit status: 0 when every game is played and legal, nobody lost on time or by a fault, and the memory stayed flat; 1 otherwise.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Growth of the largest engine from the second tenth of the samples to the last, KiB: in the first the hash table fills up. Fewer games than
# this say nothing about it.
FLAT, ENOUGH = 2048, 200


def engines_of(match):
    """Resident memory in KiB of the processes that the match has started."""
    sizes = {}
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue  # It has ended meanwhile.
        if fields.get("PPid") == str(match) and "VmRSS" in fields:
            sizes[fields["Pid"]] = int(fields["VmRSS"].split()[0])
    return sizes


def terminations(games):
    text = games.read_text() if games.exists() else ""
    return collections.Counter(re.findall(r'^\[Termination "(.*)"\]', text, re.M))


def play(protocol, options, folder, memory):
    """Plays the games of one protocol; what is wrong with them."""
    games = folder / f"{protocol}.pgn"
    engine = f"cmd={options.engine}"
    command = [options.xq, "match", "-engine", engine, "name=a", "-engine", engine, "name=b", "-each", f"proto={protocol}",
               f"tc={options.time}", "ponder", "timemargin=0", "-rounds", str(options.games // 2), "-games", "2",
               "-concurrency", str(options.jobs), "-seed", "1", "-pgnout", str(games), "-quiet"]
    if games.exists():
        command.append("-resume")
    sizes = []
    with open(folder / f"{protocol}.txt", "a") as log:
        match = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
        try:
            while match.poll() is None:
                largest = max(engines_of(match.pid).values(), default=0)
                played = sum(terminations(games).values())
                print(f"{time.time():.0f},{protocol},{played},{largest}", file=memory, flush=True)
                if largest:
                    sizes.append(largest)
                try:
                    match.wait(options.every)
                except subprocess.TimeoutExpired:
                    pass
        except KeyboardInterrupt:
            match.wait()
            raise
    faults = []
    if match.returncode != 0:
        faults.append(f"xq match ended with {match.returncode}, see {protocol}.txt")
    ends = terminations(games)
    played = sum(ends.values())
    if played != options.games:
        faults.append(f"{played} of {options.games} games played")
    faults += [f"{count} x {end}" for end, count in ends.items() if end not in ("normal", "adjudication")]
    judged = subprocess.run([options.xq, "judge", "--games", str(games)], capture_output=True, text=True)
    if judged.returncode != 0:
        faults.append(f"xq judge: {(judged.stdout + judged.stderr).strip()}")
    part = max(len(sizes) // 10, 1)
    print(f"{protocol}: {played} games, {dict(ends)}")
    if sizes:
        first, last = max(sizes[:2 * part]), max(sizes[-part:])
        print(f"{protocol}: largest engine {first} KiB at first, {last} KiB at last")
        if last > first + FLAT and played >= ENOUGH:
            faults.append(f"memory grew from {first} to {last} KiB")
    return faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--games", type=int, default=1000)
    parser.add_argument("-t", "--time", default="0.2+0.002")
    parser.add_argument("-d", "--folder", type=pathlib.Path, default="soak")
    parser.add_argument("-e", "--engine", default=str(ROOT / "target/release/phao"))
    parser.add_argument("-x", "--xq", default=str(ROOT / "target/release/xq"))
    parser.add_argument("-j", "--jobs", type=int, default=1)
    parser.add_argument("--every", type=float, default=5, help="seconds between two looks at the memory")
    parser.add_argument("protocols", nargs="*", choices=["ucci", "uci", []], default=[])
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    faults = []
    with open(options.folder / "memory.csv", "a") as memory:
        for protocol in options.protocols or ["ucci", "uci"]:
            faults += [f"{protocol}: {fault}" for fault in play(protocol, options, options.folder, memory)]
    print("\n".join(faults) or "no fault")
    return 1 if faults else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
