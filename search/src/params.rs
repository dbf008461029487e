//! Every number of the search, in one table.
//!
//! In a normal build each row is a constant function. With the feature `tune` the values can be changed at run time, for SPSA
//! and for trying things out; the defaults are the same. Scores and margins are in units of the evaluation (`docs/network.md`).

/// One row of the table, for tuners.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Tunable {
    /// Name, as in the source.
    pub name: &'static str,
    /// Value in normal builds.
    pub default: i32,
    /// Smallest sensible value.
    pub min: i32,
    /// Largest sensible value.
    pub max: i32,
    /// First step of a tuner.
    pub step: i32,
}

macro_rules! tunables {
    ($($(#[doc = $doc:literal])+ $name:ident = $default:literal, $min:literal ..= $max:literal, $step:literal;)*) => {
        /// All rows.
        pub static TUNABLES: &[Tunable] = &[
            $(Tunable { name: stringify!($name), default: $default, min: $min, max: $max, step: $step },)*
        ];

        $(
            $(#[doc = $doc])+
            #[cfg(not(feature = "tune"))]
            #[inline]
            pub(crate) const fn $name() -> i32 {
                $default
            }

            $(#[doc = $doc])+
            #[cfg(feature = "tune")]
            #[inline]
            pub(crate) fn $name() -> i32 {
                settable::$name.load(core::sync::atomic::Ordering::Relaxed)
            }
        )*

        #[cfg(feature = "tune")]
        #[expect(non_upper_case_globals, reason = "the statics carry the names of the rows")]
        mod settable {
            use core::sync::atomic::AtomicI32;
            $(pub(super) static $name: AtomicI32 = AtomicI32::new($default);)*
        }

        /// Sets a row, clamped to its range; `false` if there is no such row.
        #[cfg(feature = "tune")]
        pub fn set_tunable(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) => {
                    settable::$name.store(value.clamp($min, $max), core::sync::atomic::Ordering::Relaxed);
                    true
                })*
                _ => false,
            }
        }
    };
}

tunables! {
    /// Half width of the first aspiration window.
    aspiration_window = 14, 4..=60, 3;
    /// Reverse futility: margin per ply of depth.
    rfp_margin = 90, 30..=200, 10;
    /// Reverse futility: what an improving position takes off the margin.
    rfp_improving = 70, 0..=200, 10;
    /// Reverse futility: deepest node.
    rfp_depth = 9, 3..=14, 1;
    /// Razoring: base margin.
    razor_base = 260, 80..=800, 25;
    /// Razoring: margin per depth squared.
    razor_slope = 230, 50..=600, 25;
    /// Null move: base reduction, in 1024ths of a ply.
    nmp_base = 4096, 2048..=6144, 256;
    /// Null move: further reduction per ply of depth, in 1024ths.
    nmp_slope = 300, 100..=600, 30;
    /// Null move: how far above beta for one more ply of reduction.
    nmp_eval = 210, 80..=500, 20;
    /// Null move: how far the evaluation must be above beta at depth zero.
    nmp_margin = 120, 0..=400, 15;
    /// Null move: by how much that falls per ply of depth.
    nmp_margin_slope = 18, 0..=60, 3;
    /// Null move: from this depth on a cut is verified.
    nmp_verify = 15, 8..=30, 1;
    /// ProbCut: margin above beta.
    probcut_margin = 200, 80..=400, 15;
    /// ProbCut: what an improving position takes off the margin.
    probcut_improving = 50, 0..=150, 10;
    /// Late move pruning: moves at depth zero.
    lmp_base = 4, 1..=10, 1;
    /// Futility of quiet moves: base margin.
    futility_base = 110, 20..=300, 15;
    /// Futility of quiet moves: margin per ply.
    futility_slope = 95, 30..=200, 10;
    /// Futility of captures: base margin.
    capture_futility_base = 230, 50..=600, 20;
    /// Futility of captures: margin per ply.
    capture_futility_slope = 210, 50..=500, 20;
    /// History pruning: threshold per ply of depth.
    history_prune = 3400, 1000..=8000, 300;
    /// Exchange pruning of quiets: loss per depth squared.
    see_quiet = 24, 5..=80, 4;
    /// Exchange pruning of captures: loss per ply.
    see_capture = 110, 30..=250, 12;
    /// Exchange pruning of checks: loss per ply.
    see_check = 300, 30..=600, 30;
    /// Late move reductions: scale of the logarithms, in 1024ths.
    lmr_scale = 1180, 700..=2000, 50;
    /// Late move reductions: base, in 1024ths of a ply.
    lmr_base = 500, -500..=1500, 80;
    /// Late move reductions: history score worth one ply.
    lmr_history = 9000, 3000..=20000, 600;
    /// Late move reductions: more for a position that does not improve, in 1024ths of a ply like all that follow.
    lmr_worsening = 700, 0..=2000, 80;
    /// Late move reductions: less on the principal variation.
    lmr_pv = 800, 0..=2500, 80;
    /// Late move reductions: more where a cut-off is expected.
    lmr_cut = 1500, 0..=3000, 100;
    /// Late move reductions: less for a capture.
    lmr_capture = 1024, 0..=2500, 80;
    /// Late move reductions: less for a killer.
    lmr_killer = 1024, 0..=2500, 80;
    /// Late move reductions: less for a check.
    lmr_check = 700, 0..=2000, 80;
    /// Late move reductions: more after many cut-offs one ply deeper.
    lmr_cutoffs = 900, 0..=2000, 80;
    /// Late move reductions: less for an evasion.
    lmr_evasion = 700, 0..=2000, 80;
    /// Late move reductions: more where the table's move is a capture.
    lmr_table_capture = 500, 0..=2000, 80;
    /// Late move reductions: less where the position has been on a principal variation.
    lmr_was_pv = 900, 0..=2000, 80;
    /// Late move reductions: how far a reduced search must come out above the best for another ply in the full one.
    lmr_deeper = 30, 0..=200, 8;
    /// Late move reductions: by less than this above the best a ply less will do.
    lmr_shallower = 8, 0..=40, 3;
    /// Singular extensions: least depth.
    singular_depth = 7, 4..=12, 1;
    /// Singular extensions: margin per ply, in 16ths.
    singular_margin = 24, 8..=64, 3;
    /// Singular extensions: how far below the bound for a double extension.
    double_extension = 20, 0..=80, 4;
    /// Quiescence: futility margin.
    qs_futility = 150, 40..=400, 15;
    /// Quiescence: what an exchange may lose.
    qs_see = 60, 0..=200, 10;
    /// History bonus per ply of depth.
    bonus_slope = 170, 60..=400, 15;
    /// Largest history bonus.
    bonus_max = 1600, 600..=4000, 100;
    /// History penalty per ply of depth.
    malus_slope = 190, 60..=500, 15;
    /// Largest history penalty.
    malus_max = 1500, 400..=4000, 100;
    /// History bonus per ply of depth for a move of the table that cuts a node off.
    table_bonus = 100, 0..=300, 15;
    /// History bonus per ply of depth for the move before a node in which nothing reached alpha.
    prior_bonus = 80, 0..=300, 15;
    /// History bonus of the move before a node for each unit the evaluation gained by it.
    evaluation_bonus = 8, 0..=40, 3;
    /// Weight of the move six plies ago among the contexts of a quiet move, in eighths.
    context_six = 4, 0..=8, 1;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_in_range_and_names_differ() {
        let mut names: Vec<_> = TUNABLES.iter().map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TUNABLES.len());
        assert!(TUNABLES.iter().all(|row| (row.min..=row.max).contains(&row.default) && row.step > 0));
    }
}
