#!/usr/bin/env python3
"""Compare phao's legal moves and perft counts with Fairy-Stockfish's, through its Python binding pyffish.

Usage:
    python3 -m venv venv && venv/bin/pip install pyffish
    cargo build --release
    venv/bin/python tests/scripts/pyffish_compare.py target/release/phao [--positions 3000] [--seed 1]

One phao process answers all positions: "position fen ..." and "go perft 1" list the legal moves, "go perft 2" counts leaves.
The positions come from random games played by pyffish and from random sparse placements, and depend on the seed only.
Exit status: 0 when all agree, 1 when anything differs, 77 when pyffish is not installed.
"""

import argparse
import random
import subprocess
import sys

try:
    import pyffish
except ImportError:
    print("pyffish is not installed: nothing compared", file=sys.stderr)
    sys.exit(77)

VARIANT = "xiangqi"
START = pyffish.start_fen(VARIANT)
MOST = {"a": 2, "b": 2, "n": 2, "r": 2, "c": 2, "p": 5}
# pyffish sets up a board for every question, so only some positions are counted, and not deep.
PERFT_DEPTH = 2
PERFT_EVERY = 50


def ours(move):
    """A move of pyffish (ranks from 1) in phao's coordinates (ranks from 0)."""
    split = 2 if not move[2].isdigit() else 3
    return "".join(square[0] + str(int(square[1:]) - 1) for square in (move[:split], move[split:]))


def points(fen):
    """The names of the occupied points, ranks from 0."""
    found = set()
    for row, rank in zip(fen.split()[0].split("/"), range(9, -1, -1)):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
            else:
                found.add("abcdefghi"[file] + str(rank))
                file += 1
    return found


def playouts(rng, count):
    """Positions of random games from the start position, half of the moves captures where there are any."""
    while count > 0:
        fen = START
        for _ in range(120):
            moves = pyffish.legal_moves(VARIANT, fen, [])
            if not moves or count == 0:
                break
            yield fen
            count -= 1
            pieces = points(fen)
            captures = [move for move in moves if ours(move)[2:] in pieces]
            fen = pyffish.get_fen(VARIANT, fen, [rng.choice(captures if captures and rng.random() < 0.5 else moves)])


def lawful(kind, file, rank):
    """Whether a red piece of the kind can stand there in a game."""
    if kind == "k":
        return 3 <= file <= 5 and rank <= 2
    if kind == "a":
        return (file, rank) in {(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)}
    if kind == "b":
        return (file, rank) in {(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)}
    if kind == "p":
        return rank >= 5 or (rank >= 3 and file % 2 == 0)
    return True


def placement(rng):
    """A random board as (FEN, the same with the other side to move), or None when the kings face each other."""
    board = {}
    density = rng.uniform(0.1, 0.8)
    for red in (True, False):
        for kind, most in {"k": 1, **MOST}.items():
            for _ in range(most):
                if kind != "k" and rng.random() > density:
                    continue
                free = [
                    (file, rank)
                    for file in range(9)
                    for rank in range(10)
                    if (file, rank) not in board and lawful(kind, file, rank if red else 9 - rank)
                ]
                if free:
                    board[rng.choice(free)] = kind.upper() if red else kind
    kings = sorted((point for point, piece in board.items() if piece in "Kk"), key=lambda point: point[1])
    (file, low), (other_file, high) = kings
    if file == other_file and all((file, rank) not in board for rank in range(low + 1, high)):
        return None
    rows = []
    for rank in range(9, -1, -1):
        row = "".join(board.get((file, rank), ".") for file in range(9))
        for run in range(9, 0, -1):
            row = row.replace("." * run, str(run))
        rows.append(row)
    side, other = rng.sample("wb", 2)
    return tuple("/".join(rows) + f" {turn} - - 0 1" for turn in (side, other))


def placements(rng, count):
    """Random placements that no side could have left in check."""
    while count > 0:
        placed = placement(rng)
        # `gives_check` without moves: whether the side to move is in check.
        if placed and not pyffish.gives_check(VARIANT, placed[1], []):
            yield placed[0]
            count -= 1


def perft(fen, depth):
    """Leaves of the legal move tree by pyffish."""
    moves = pyffish.legal_moves(VARIANT, fen, [])
    if depth == 1:
        return len(moves)
    return sum(perft(pyffish.get_fen(VARIANT, fen, [move]), depth - 1) for move in moves)


class Engine:
    """A running phao."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def perft(self, fen, depth):
        """The answer to `go perft`: {move: leaves} and the total."""
        self.process.stdin.write(f"position fen {fen}\ngo perft {depth}\n")
        self.process.stdin.flush()
        counts = {}
        for line in self.process.stdout:
            name, _, number = line.strip().partition(": ")
            if name == "Nodes searched":
                return counts, int(number)
            if len(name) == 4 and number.isdigit():
                counts[name] = int(number)
            elif name.startswith("info"):
                raise RuntimeError(f"{fen}: {line.strip()}")
        raise RuntimeError(f"{fen}: the engine is gone")

    def quit(self):
        """Ends the process."""
        self.process.stdin.write("quit\n")
        self.process.stdin.close()
        return self.process.wait(timeout=10)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("phao", help="the program to test")
    parser.add_argument("--positions", type=int, default=3000, help="how many positions (default 3000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of the random positions (default 1)")
    args = parser.parse_args()

    rng = random.Random(args.seed)
    half = args.positions // 2
    fens = [*playouts(rng, args.positions - half), *placements(rng, half)]
    engine = Engine(args.phao)
    faults = counted = 0
    for number, fen in enumerate(fens):
        mine, total = engine.perft(fen, 1)
        theirs = {ours(move) for move in pyffish.legal_moves(VARIANT, fen, [])}
        if set(mine) != theirs or total != len(theirs):
            faults += 1
            print(f"{fen}\n  only phao: {sorted(set(mine) - theirs)}\n  only pyffish: {sorted(theirs - set(mine))}")
        if number % PERFT_EVERY == 0:
            counted += 1
            leaves, expected = engine.perft(fen, PERFT_DEPTH)[1], perft(fen, PERFT_DEPTH)
            if leaves != expected:
                faults += 1
                print(f"{fen}\n  perft {PERFT_DEPTH}: phao {leaves}, pyffish {expected}")
    status = engine.quit()
    if status != 0:
        faults += 1
        print(f"phao ended with status {status}")
    print(f"{len(fens)} move lists and {counted} perft counts compared with pyffish, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
