//! The repetition law against the published cases.

use movegen::rules::{MoveClass, Report, RuleSet, Verdict, judge, judge_with};
use movegen::{Color, History, Move, Position};
use tests::cases::{self, RuleCase};

/// A way to look at the board: the law must not care.
#[derive(Clone, Copy, Debug)]
enum View {
    AsGiven,
    Flipped,
    Mirrored,
    Both,
}

impl View {
    const ALL: [Self; 4] = [Self::AsGiven, Self::Flipped, Self::Mirrored, Self::Both];

    const fn flips(self) -> bool {
        matches!(self, Self::Flipped | Self::Both)
    }

    const fn mirrors(self) -> bool {
        matches!(self, Self::Mirrored | Self::Both)
    }

    fn position(self, position: Position) -> Position {
        let position = if self.flips() { position.flip() } else { position };
        if self.mirrors() { position.mirror() } else { position }
    }

    fn mv(self, mv: Move) -> Move {
        let mv = if self.flips() { mv.flip() } else { mv };
        if self.mirrors() { mv.mirror() } else { mv }
    }

    fn verdict(self, name: &str) -> &str {
        match (self.flips(), name) {
            (true, "red_loses") => "black_loses",
            (true, "black_loses") => "red_loses",
            _ => name,
        }
    }
}

/// The verdicts after every move of a case, the first before any move.
fn verdicts(case: &RuleCase, view: View, rules: RuleSet) -> Vec<&'static str> {
    let start = Position::from_fen(&case.fen).unwrap_or_else(|e| panic!("{}: {e}", case.id));
    let mut history = History::new(view.position(start));
    let mut verdicts = vec![judge(&history, rules).name()];
    for text in &case.moves {
        let mv = view.mv(text.parse().unwrap_or_else(|e| panic!("{}: {e}", case.id)));
        assert!(history.current().is_legal(mv), "{}: {mv}", case.id);
        history.push(mv);
        verdicts.push(judge(&history, rules).name());
    }
    verdicts
}

/// Rule sets whose first verdict must already be the one of the full line. Source: rules.md section 7.
const GATED_AT_EVERY_PREFIX: [RuleSet; 3] = [RuleSet::Asian, RuleSet::Vn, RuleSet::Fairy];

/// Lines that fail today, with the reason. A line that starts to pass must leave the list.
const KNOWN_FAILURES: [(&str, &str); 1] = [(
    "cxa-ref12",
    "the book calls Red's quiet rook move a chase; the search finds counter-checks by which Black regains the gain",
)];

fn failure(case: &RuleCase, view: View, rules: RuleSet) -> Option<String> {
    let verdicts = verdicts(case, view, rules);
    let expected = view.verdict(&case.verdict);
    let none = Verdict::None.name();
    let given = *verdicts.last()?;
    let describe =
        |what: &str| format!("{} ({view:?}, {rules}): {what} {verdicts:?}, expected {expected}", case.id);
    if given != expected {
        return Some(describe("last of"));
    }
    let prefixes = &verdicts[..verdicts.len() - 1];
    let early = prefixes.iter().any(|&verdict| verdict != none && verdict != expected);
    (early && GATED_AT_EVERY_PREFIX.contains(&rules)).then(|| describe("early"))
}

#[test]
fn published_cases_get_their_verdict() {
    let mut failures = Vec::new();
    for case in cases::rules().iter().filter(|case| !case.disputed) {
        let known = KNOWN_FAILURES.iter().any(|(id, _)| *id == case.id);
        for name in [&case.rules].into_iter().chain(&case.also) {
            let rules: RuleSet = name.parse().unwrap_or_else(|e| panic!("{}: {e}", case.id));
            for view in View::ALL {
                match (failure(case, view, rules), known) {
                    (Some(failure), false) => failures.push(failure),
                    (None, true) => failures.push(format!("{} ({view:?}, {rules}) passes now", case.id)),
                    _ => {}
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} failures:\n{}", failures.len(), failures.join("\n"));
}

/// Moves of the CXA figures whose class differs from the book's today, by figure, side and number, with the reason.
const KNOWN_CLASS_FAILURES: [(&str, Color, usize, &str); 2] = [
    ("cxa-ref12", Color::Red, 1, "as in KNOWN_FAILURES"),
    ("cxa-ref39", Color::Red, 1, "the gain existed before the move but was smaller"),
];

/// The class as the book's labels are compared: an exchange is an allowed move like any other.
fn book_class(class: MoveClass) -> &'static str {
    match class {
        MoveClass::Exchange | MoveClass::Block => MoveClass::Idle.name(),
        class => class.name(),
    }
}

#[test]
fn cxa_figures_get_the_class_of_every_move() {
    let (mut failures, mut compared) = (Vec::new(), 0);
    for case in cases::rules().iter().filter(|case| !case.red_moves.is_empty()) {
        let mut history = History::new(Position::from_fen(&case.fen).expect("a valid figure"));
        for mv in &case.moves {
            history.push(mv.parse().expect("a move"));
        }
        let mut report = Report::default();
        judge_with(&history, RuleSet::Cxa, &mut report);
        let (first, _) = report.span.expect("a cycle");
        for (side, labels) in [(Color::Red, &case.red_moves), (Color::Black, &case.black_moves)] {
            // The labels of figure 8, which has no single cycle, begin with the first move of the line.
            let skipped = if case.cycle_plies.is_some() { 0 } else { first / 2 };
            let steps = report.steps.iter().filter(|step| step.side == side);
            for (number, (step, label)) in steps.zip(&labels[skipped..]).enumerate() {
                compared += 1;
                let label = if label == "exchange" { "idle" } else { label };
                let known = KNOWN_CLASS_FAILURES
                    .iter()
                    .any(|known| (known.0, known.1, known.2) == (&*case.id, side, number));
                if (book_class(step.class) == label) == known {
                    failures.push(format!("{} {side} {number}: {:?}, book {label}", case.id, step.class));
                }
            }
        }
    }
    assert!(failures.is_empty(), "{} of {compared} wrong:\n{}", failures.len(), failures.join("\n"));
}
