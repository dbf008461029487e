#!/usr/bin/env bash
# Slow proofs of what the compiler cannot check: Miri over the blocks of `unsafe` and the transposition table, ThreadSanitizer
# over searches with several threads.
#
#   tools/scripts/sanitize.sh [miri|threads]        both without an argument, about ten minutes on two cores
#
# Needs a nightly toolchain: rustup toolchain install nightly --component miri --component rust-src
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
triple=x86_64-unknown-linux-gnu

run_miri() {
  export MIRIFLAGS=-Zmiri-disable-isolation CARGO_TARGET_DIR=$target/miri
  echo '==> Miri: moves, squares, bitboards, attacks'
  RUSTFLAGS='' cargo +nightly miri test -p phao-movegen --lib -- --skip tables_equal_a_walk
  echo '==> Miri: transposition table'
  RUSTFLAGS='' cargo +nightly miri test -p phao-search --lib -- tt::
  echo '==> Miri: vector instructions of the network against their scalar twins'
  RUSTFLAGS='-C target-feature=+avx2' cargo +nightly miri test -p phao-search --lib -- simd::
}

run_threads() {
  # A test asks for more memory than there is.
  export TSAN_OPTIONS=allocator_may_return_null=1 CARGO_TARGET_DIR=$target/tsan
  export RUSTFLAGS='-Zsanitizer=thread -C target-cpu=x86-64-v3'
  echo '==> ThreadSanitizer: the table, a search of two threads with probes from a third, the state machine of the engine'
  cargo +nightly test -Zbuild-std --target "$triple" -p phao-search --lib -- tt:: during_a_search
  cargo +nightly test -Zbuild-std --target "$triple" -p phao-engine --test state_machine
}

case ${1:-all} in
  miri) run_miri ;;
  threads) run_threads ;;
  all) (run_miri); run_threads ;;
  *) sed -n '2,/^set -eu/s/^# \{0,1\}//p' "$0"; exit 2 ;;
esac
