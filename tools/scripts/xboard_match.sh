#!/usr/bin/env bash
# Plays phao against another engine inside XBoard, without a screen, and lets our referee check the games.
#
#   tools/scripts/xboard_match.sh [-n GAMES] [-t MIN:SEC] [-i SECONDS] [-p ucci|cyclone] [-d DEPTH] [-e PHAO]
#                                 [-a OPPONENT] [-o FILE.pgn]
#
# Defaults: 10 games, 0:05 + 0.1 s, UCCI, target/release/phao, hoixiangqi, xboard.pgn. `-p cyclone` runs phao as a UCI engine in
# the dialect of uci2wb -c. `-d` limits every search, so that games are short and no clock matters on a busy machine. The
# opponent must speak the XBoard protocol (hoixiangqi, maxqi). XQ names the toolbox [default: target/release/xq].
#
# Needs the Debian packages xboard, xvfb, uci2wb and hoichess (or fairymax for maxqi). Exit status: 0 when every game is legal,
# agrees with the law (but for draws by repetition that XBoard declares) and nobody lost on time or by a fault; 1 otherwise; 2 when
# the match cannot be played.
set -eu

games=10 time=0:05 increment=0.1 protocol=ucci opponent=hoixiangqi output=xboard.pgn
root=$(cd "$(dirname "$0")/../.." && pwd)
phao=$root/target/release/phao
xq=${XQ:-$root/target/release/xq} depth=
while getopts n:t:i:p:d:e:a:o:h option; do
  case $option in
    n) games=$OPTARG ;;
    t) time=$OPTARG ;;
    i) increment=$OPTARG ;;
    p) protocol=$OPTARG ;;
    d) depth=$OPTARG ;;
    e) phao=$OPTARG ;;
    a) opponent=$OPTARG ;;
    o) output=$OPTARG ;;
    *) sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
case $protocol in
  ucci) flag=-x ;;
  cyclone) flag=-c ;;
  *) echo "xboard_match: -p is ucci or cyclone, not $protocol" >&2; exit 2 ;;
esac

PATH=$PATH:/usr/games # where Debian puts the engines and the adapter
for program in xboard xvfb-run uci2wb "$opponent" "$phao" "$xq"; do
  command -v "$program" >/dev/null || { echo "xboard_match: $program is missing" >&2; exit 2; }
done
phao=$(realpath "$phao")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# -noGUI draws nothing; the sounds and popups would wait for somebody. XBoard's own adjudication (mate, repetition) stays on: the
# check below compares it with our law.
(cd "$work" && xvfb-run -a xboard -noGUI -variant xiangqi \
  -fcp "uci2wb $flag $phao" -scp "$opponent" \
  -mg "$games" -timeControl "$time" -timeIncrement "$increment" ${depth:+-searchDepth "$depth"} \
  -sgf games.pgn -debug -nameOfDebugFile debug.txt \
  -soundProgram true -popupExitMessage false -popupMoveErrors false >out.txt 2>&1) || {
  tail -n 5 "$work/out.txt" >&2
  exit 2
}
[ -s "$work/games.pgn" ] || { tail -n 5 "$work/out.txt" >&2; exit 2; }
cp "$work/games.pgn" "$output"
cp "$work/debug.txt" "$output.debug"

status=0
report=$("$xq" judge --games "$output") || status=1
printf '%s\n' "$report"
# XBoard draws a third repetition unless it sees an offence itself. Where our law sees one that XBoard does not, no engine is to blame.
disputed=$(grep -c ': the result is 1/2-1/2, the law says .* (perpetual' <<<"$report" || true)
if [ "$disputed" -gt 0 ] && [ "$disputed" -le "$(grep -c ' repetitions}' "$output")" ] &&
  grep -qx "$disputed faults\{0,1\}" <<<"$report"; then
  echo "nothing but draws by repetition that XBoard declared"
  status=0
fi
played=$(grep -c '^\[Result' "$output")
[ "$played" -eq "$games" ] || { echo "only $played of $games games were played"; status=1; }
# XBoard writes these reasons into the last comment of a game.
if grep -niE 'forfeits|illegal|exited|false .*claim|disconnect' "$output"; then
  echo "somebody lost by a fault"
  status=1
fi
exit $status
