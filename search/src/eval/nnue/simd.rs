//! The inner loops: a scalar version of each, and one for AVX2 that gives the same numbers.
//!
//! Plain loops that the compiler vectorises by itself, for SSE2 and NEON as they stand; compiled once more with AVX2 they use wider
//! registers. The output is written so that it finds the multiply-add of pairs all of these have: a weight below 128 times an
//! activation below 256 fits into 16 bits. Vector instructions written by hand were no faster.

#![allow(unsafe_code, reason = "calls of functions compiled for AVX2; see the SAFETY comments")]

use super::{HIDDEN, QA, network::Units};

/// Which version is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Path {
    /// For every machine.
    Scalar,
    /// Only ever made by [`Path::detect`], after it has found AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
}

impl Path {
    /// The fastest version this machine can run.
    pub(super) fn detect() -> Self {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Self::Avx2;
        }
        Self::Scalar
    }
}

/// `sum += row`.
#[inline]
pub(super) fn add(path: Path, sum: &mut Units, row: &Units) {
    match path {
        Path::Scalar => add_scalar(sum, row),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the path exists only where AVX2 does.
        Path::Avx2 => unsafe { avx2::add(sum, row) },
    }
}

/// `to = from + added - moved`, and less `gone` if a piece was captured.
#[inline]
pub(super) fn update(
    path: Path,
    to: &mut Units,
    from: &Units,
    added: &Units,
    moved: &Units,
    gone: Option<&Units>,
) {
    match path {
        Path::Scalar => update_scalar(to, from, added, moved, gone),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the path exists only where AVX2 does.
        Path::Avx2 => unsafe { avx2::update(to, from, added, moved, gone) },
    }
}

/// The sum of weight times squared activation, activations clamped to 0 … 255.
#[inline]
pub(super) fn activate(path: Path, units: &Units, weights: &Units) -> i64 {
    match path {
        Path::Scalar => activate_scalar(units, weights),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the path exists only where AVX2 does.
        Path::Avx2 => unsafe { avx2::activate(units, weights) },
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it has to be compiled into the AVX2 version")]
fn add_scalar(sum: &mut Units, row: &Units) {
    for (sum, weight) in sum.0.iter_mut().zip(&row.0) {
        *sum += weight;
    }
}

#[inline(always)]
#[expect(clippy::inline_always, reason = "it has to be compiled into the AVX2 version")]
fn update_scalar(to: &mut Units, from: &Units, added: &Units, moved: &Units, gone: Option<&Units>) {
    let rows = to.0.iter_mut().zip(&from.0).zip(&added.0).zip(&moved.0);
    if let Some(gone) = gone {
        for ((((to, from), added), moved), gone) in rows.zip(&gone.0) {
            // The order keeps the sums in range: as the weights are bounded, any 33 of them fit.
            *to = from - gone - moved + added;
        }
    } else {
        for (((to, from), added), moved) in rows {
            *to = from - moved + added;
        }
    }
}

/// So many terms fit into 32 bits together.
const PART: usize = 128;
const _: () = assert!(HIDDEN.is_multiple_of(PART) && PART as i64 * 255 * 255 * 127 < i32::MAX as i64);

#[inline(always)]
#[expect(clippy::inline_always, reason = "it has to be compiled into the AVX2 version")]
fn activate_scalar(units: &Units, weights: &Units) -> i64 {
    let term = |(&unit, &weight): (&i16, &i16)| {
        let unit = unit.clamp(0, QA as i16);
        i32::from(unit * weight) * i32::from(unit)
    };
    let part =
        |(units, weights): (&[i16], &[i16])| i64::from(units.iter().zip(weights).map(term).sum::<i32>());
    units.0.chunks_exact(PART).zip(weights.0.chunks_exact(PART)).map(part).sum()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use super::Units;

    #[target_feature(enable = "avx2")]
    pub(super) fn add(sum: &mut Units, row: &Units) {
        super::add_scalar(sum, row);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn update(to: &mut Units, from: &Units, added: &Units, moved: &Units, gone: Option<&Units>) {
        super::update_scalar(to, from, added, moved, gone);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn activate(units: &Units, weights: &Units) -> i64 {
        super::activate_scalar(units, weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from a linear congruential generator, within ± bound.
    fn units(seed: u32, bound: i32) -> Units {
        let mut state = seed;
        Units(core::array::from_fn(|_| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            ((state >> 8) as i32 % (2 * bound + 1) - bound) as i16
        }))
    }

    #[test]
    fn every_path_gives_the_same() {
        let best = Path::detect();
        for seed in 0..if cfg!(miri) { 2 } else { 200 } {
            let (from, weights) = (units(seed, 600), units(seed + 1000, 127));
            let [added, moved, gone] = [2000, 3000, 4000].map(|offset| units(seed + offset, 900));
            assert_eq!(activate(best, &from, &weights), activate(Path::Scalar, &from, &weights));
            for gone in [None, Some(&gone)] {
                let mut results = [Units([0; HIDDEN]), Units([1; HIDDEN])];
                update(best, &mut results[0], &from, &added, &moved, gone);
                update(Path::Scalar, &mut results[1], &from, &added, &moved, gone);
                assert_eq!(results[0], results[1]);
            }
            let mut sums = [from, from];
            add(best, &mut sums[0], &added);
            add(Path::Scalar, &mut sums[1], &added);
            assert_eq!(sums[0], sums[1]);
        }
    }

    #[test]
    fn the_largest_activations_do_not_overflow() {
        let (units, weights) = (Units([i16::MAX; HIDDEN]), Units([-127; HIDDEN]));
        let expected = -127 * 255 * 255 * HIDDEN as i64;
        assert_eq!(activate(Path::detect(), &units, &weights), expected);
        assert_eq!(activate(Path::Scalar, &units, &weights), expected);
    }
}
