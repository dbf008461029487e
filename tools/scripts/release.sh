#!/usr/bin/env bash
# Builds the archives of a release: phao and xq for Linux and Windows, each for CPUs from about 2009 (x86-64-v2) and from
# 2013 (x86-64-v3), with README, changelog, licences and checksums.
#
#   tools/scripts/release.sh [-o FOLDER] [-p "linux windows"] [-l "v2 v3"] [-q]
#
# Defaults: dist, all platforms and levels. -q builds without link-time optimisation, to try the script. Every program is asked
# for its signature where it can run here (Windows programs where wine is installed); all must agree.
#
# Needs python3 for the licences of the libraries; for Windows the Debian package mingw-w64 and
# `rustup target add x86_64-pc-windows-gnu`; zip.
set -euo pipefail

cd "$(dirname "$0")/../.."
folder=dist platforms='linux windows' levels='v2 v3' quick=
while getopts o:p:l:qh option; do
  case $option in
    o) folder=$OPTARG ;;
    p) platforms=$OPTARG ;;
    l) levels=$OPTARG ;;
    q) quick=1 ;;
    *) sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0"; exit 2 ;;
  esac
done
fail() { echo "release: $1" >&2; exit 1; }
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
options=(--release --locked -p phao -p phao-tools)
[ -z "$quick" ] || options+=(--config 'profile.release.lto="off"' --config profile.release.codegen-units=16)
target=${CARGO_TARGET_DIR:-target}
mkdir -p "$folder"
work=$(mktemp -d)
export WINEPREFIX=$work/prefix WINEDEBUG=-all WINEDLLOVERRIDES='mscoree,mshtml='
trap 'wineserver -k 2>/dev/null || true; rm -rf "$work"' EXIT

# The licence texts of every library that goes into the programs.
notices() {
  cargo metadata --format-version 1 --locked --filter-platform "$1" | python3 -c '
import json, pathlib, sys
data = json.load(sys.stdin)
nodes = {node["id"]: node for node in data["resolve"]["nodes"]}
packages = {package["id"]: package for package in data["packages"]}
todo = [id for id in data["workspace_members"] if packages[id]["name"] in ("phao", "phao-tools")]
seen = set()
while todo:
    id = todo.pop()
    if id in seen:
        continue
    seen.add(id)
    todo += [dep["pkg"] for dep in nodes[id]["deps"] if any(kind["kind"] is None for kind in dep["dep_kinds"])]
print("The programs contain these libraries.")
for package in sorted((packages[id] for id in seen if packages[id]["source"]), key=lambda package: package["name"]):
    name, version, licence = package["name"], package["version"], package["license"]
    print("\n" + "=" * 78 + f"\n{name} {version}: {licence}\n")
    home = pathlib.Path(package["manifest_path"]).parent
    texts = sorted(path for path in home.iterdir() if path.is_file() and path.name.upper().startswith(("LICEN", "COPYING", "NOTICE", "UNLICEN")))
    if not texts:
        print("The package brings no text of its licence.")
    for path in texts:
        print(f"--- {path.name}\n" + path.read_text(errors="replace"))
'
}

signature=
check() {
  local found
  found=$("$@" bench | tail -n 1 | cut -d ' ' -f 1)
  [[ $found =~ ^[1-9][0-9]*$ ]] || fail "$* gives no signature"
  [ -z "$signature" ] || [ "$signature" = "$found" ] || fail "$* has the signature $found, the others $signature"
  signature=$found
  echo "signature $found"
}

for platform in $platforms; do
  case $platform in
    linux) triple=x86_64-unknown-linux-gnu suffix= ;;
    windows) triple=x86_64-pc-windows-gnu suffix=.exe ;;
    *) fail "-p knows linux and windows, not $platform" ;;
  esac
  for level in $levels; do
    name=phao-$version-$platform-x86-64-$level
    echo "==> $name"
    RUSTFLAGS="-C target-cpu=x86-64-$level" cargo build "${options[@]}" --target "$triple" \
      --target-dir "$target/release-$level"
    built=$target/release-$level/$triple/release
    if [ "$platform" = linux ]; then
      # A program for newer CPUs than this one stops with an illegal instruction.
      "$built/phao" --version >/dev/null 2>&1 && check "$built/phao" || echo 'does not run here: not checked'
    elif command -v wine >/dev/null && wine "$built/phao.exe" --version >/dev/null 2>&1; then
      check wine "$built/phao.exe"
    else
      echo 'does not run here (no Wine, or one before version 9): not checked; see wine_game.sh'
    fi
    mkdir -p "$work/$name"
    cp "$built/phao$suffix" "$built/xq$suffix" README.md "$work/$name"
    # The licences, and all else that the README points to.
    grep -oE '\]\([A-Za-z/_.-]+\)' README.md | tr -d ']()' | sort -u | xargs cp --parents -t "$work/$name"
    notices "$triple" >"$work/$name/LICENSES-OF-LIBRARIES.txt"
    if [ "$platform" = windows ]; then
      archive=$name.zip
      (cd "$work" && rm -f "$archive" && zip -qr "$archive" "$name")
    else
      archive=$name.tar.gz
      tar -C "$work" --owner=0 --group=0 -czf "$work/$archive" "$name"
    fi
    mv "$work/$archive" "$folder/"
  done
done
(cd "$folder" && sha256sum phao-"$version"-* >SHA256SUMS && cat SHA256SUMS)
