#!/usr/bin/env bash
# Plays whole games with the Windows program under Wine, one over UCCI and one over UCI, and lets our referee check them.
#
#   tools/scripts/wine_game.sh [-w PHAO.EXE] [-e PHAO] [-c TC] [-o FILE.pgn]
#
# Defaults: target/x86_64-pc-windows-gnu/release/phao.exe against target/release/phao, 10+0.1 s, wine.pgn. Without -w and such
# a file the program is built first. XQ names the toolbox [default: target/release/xq].
#
# Needs wine; for building the Debian package mingw-w64 and `rustup target add x86_64-pc-windows-gnu`. Exit status: 0 when every
# game is legal, agrees with the law and nobody lost on time or by a fault; 1 otherwise; 2 when the games cannot be played.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
windows= phao=$root/target/release/phao control=10+0.1 output=wine.pgn
xq=${XQ:-$root/target/release/xq}
while getopts w:e:c:o:h option; do
  case $option in
    w) windows=$OPTARG ;;
    e) phao=$OPTARG ;;
    c) control=$OPTARG ;;
    o) output=$OPTARG ;;
    *) sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
fail() { echo "wine_game: $1" >&2; exit 2; }
wine=$(command -v wine64 || command -v wine || true)
[ -n "$wine" ] || fail 'wine is missing'
for program in "$phao" "$xq"; do
  command -v "$program" >/dev/null || fail "$program is missing (cargo build --release)"
done
if [ -z "$windows" ]; then
  windows=$root/target/x86_64-pc-windows-gnu/release/phao.exe
  [ -f "$windows" ] || (cd "$root" && RUSTFLAGS='-C target-cpu=x86-64-v2' \
    cargo build --release -p phao --target x86_64-pc-windows-gnu) || fail 'the Windows program cannot be built'
fi
[ -f "$windows" ] || fail "$windows is missing"
windows=$(realpath "$windows")

# A prefix of its own: nothing of the user's Wine is touched. The first start sets it up and takes a while.
work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml=' DISPLAY=
cleanup() {
  wineserver -k 2>/dev/null || true
  rm -rf "$work"
}
trap cleanup EXIT
# Rust's programs draw random numbers from a library of Windows 10 that Wine has from version 9 on; a stand-in for older ones.
mkdir "$work/program"
cp "$windows" "$work/program/phao.exe"
windows=$work/program/phao.exe
if ! find /usr/lib /usr/lib64 /opt -name bcryptprimitives.dll 2>/dev/null | grep -q .; then
  command -v x86_64-w64-mingw32-gcc >/dev/null || fail 'this Wine lacks bcryptprimitives.dll, and mingw-w64 is missing to build it'
  cat >"$work/prng.c" <<'C'
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom */
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) { return SystemFunction036(data, (ULONG)length); }
C
  x86_64-w64-mingw32-gcc -shared -O1 -s -o "$work/program/bcryptprimitives.dll" "$work/prng.c" -ladvapi32
fi
timeout 300 "$wine" "$windows" --version >"$work/version" 2>"$work/errors" || {
  tail -n 5 "$work/errors" >&2
  fail 'wine cannot run the program'
}
echo "$(tr -d '\r' <"$work/version"), under $("$wine" --version)"

rm -f "$output"
for protocol in ucci uci; do
  "$xq" match -engine name="windows-$protocol" cmd="$wine $windows" proto=$protocol \
    -engine name=native cmd="$phao" proto=$protocol \
    -each tc="$control" -rounds 1 -games 1 -pgnout "$output"
done
status=0
"$xq" judge --games "$output" || status=1
if grep '^\[Termination' "$output" | grep -v '"normal"'; then
  echo 'somebody lost by a fault'
  status=1
fi
exit $status
