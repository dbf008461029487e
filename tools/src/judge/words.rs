//! The reasons in plain words: English, Vietnamese, Chinese.
//!
//! Every phrase is an array in the order of [`Lang`], so that none can be missing in one language.

use crate::counted::counted;
use clap::ValueEnum;
use movegen::notation::{Script, chinese_piece};
use movegen::rules::{Clause, Gain, MoveClass, Pardon, Placed, Run, StepReport, Threat, ThreatGain};
use movegen::{Color, Move, PieceKind};

/// A language of the reasons.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Lang {
    /// English
    En,
    /// Tiếng Việt
    Vi,
    /// 中文
    Zh,
}

impl Lang {
    pub(crate) const fn pick(self, phrases: [&str; 3]) -> &str {
        phrases[self as usize]
    }

    pub(crate) fn choose(self, phrases: [String; 3]) -> String {
        let [en, vi, zh] = phrases;
        match self {
            Self::En => en,
            Self::Vi => vi,
            Self::Zh => zh,
        }
    }
}

/// Columns of a text on a terminal: Chinese characters take two.
pub(crate) fn width(text: &str) -> usize {
    text.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum()
}

pub(crate) fn heading(rules: &str, ply: usize, verdict: &str, lang: Lang) -> String {
    lang.choose([
        format!("{rules}, after move {ply}: {verdict}"),
        format!("{rules}, sau nước {ply}: {verdict}"),
        format!("{rules}，第{ply}步之后：{verdict}"),
    ])
}

pub(super) fn label_reason(lang: Lang) -> &'static str {
    lang.pick(["reason", "lý do", "理由"])
}

pub(super) fn earlier(ply: usize, verdict: &str, lang: Lang) -> String {
    lang.choose([
        format!("the game was first decided after move {ply}: {verdict}"),
        format!("ván cờ đã ngã ngũ lần đầu sau nước {ply}: {verdict}"),
        format!("对局在第{ply}步之后已首次裁定：{verdict}"),
    ])
}

pub(super) fn cycle(first: usize, last: usize, lang: Lang) -> String {
    lang.choose([
        format!("moves {first} to {last} are judged:"),
        format!("xét các nước từ {first} đến {last}:"),
        format!("判定第{first}步至第{last}步："),
    ])
}

pub(super) fn verdict(name: &str, lang: Lang) -> &'static str {
    lang.pick(match name {
        "red_loses" => ["Red loses", "Đỏ thua", "红方负"],
        "black_loses" => ["Black loses", "Đen thua", "黑方负"],
        "draw" => ["draw", "hòa", "和棋"],
        _ => ["no verdict", "chưa phân xử", "不作裁定"],
    })
}

pub(super) fn side_name(name: &str, lang: Lang) -> &'static str {
    side(if name == "red" { Color::Red } else { Color::Black }, lang)
}

pub(crate) fn side(color: Color, lang: Lang) -> &'static str {
    lang.pick(match color {
        Color::Red => ["Red", "Đỏ", "红方"],
        Color::Black => ["Black", "Đen", "黑方"],
    })
}

pub(super) fn class(name: &str, lang: Lang) -> &'static str {
    lang.pick(match name {
        "check" => ["check", "chiếu", "将"],
        "kill" => ["kill", "dọa hết", "杀"],
        "chase" => ["chase", "đuổi bắt", "捉"],
        "exchange" => ["exchange", "đòi đổi", "兑"],
        "block" => ["block", "cản", "拦"],
        _ => ["idle", "nước chờ", "闲"],
    })
}

fn piece(placed: Placed, lang: Lang) -> String {
    let names = match placed.piece.kind() {
        PieceKind::King => ["general", "Tướng"],
        PieceKind::Advisor => ["advisor", "Sĩ"],
        PieceKind::Elephant => ["elephant", "Tượng"],
        PieceKind::Horse => ["horse", "Mã"],
        PieceKind::Rook => ["rook", "Xe"],
        PieceKind::Cannon => ["cannon", "Pháo"],
        PieceKind::Pawn => ["pawn", "Tốt"],
    };
    let square = placed.square;
    match lang {
        Lang::En => format!("{} {square}", names[0]),
        Lang::Vi => format!("{} {square}", names[1]),
        Lang::Zh => {
            let character = chinese_piece(placed.piece.color(), placed.piece.kind(), Script::Simplified);
            format!("{character}({square})")
        }
    }
}

fn list(items: impl Iterator<Item = String>, lang: Lang) -> String {
    items.collect::<Vec<_>>().join(lang.pick([" and ", " và ", "、"]))
}

/// What a move is and why.
pub(super) fn step(step: &StepReport, lang: Lang) -> String {
    let mut text = match step.class {
        MoveClass::Check => {
            let attack = if step.checkers.len() == 1 { "attacks" } else { "attack" };
            let by = list(step.checkers.iter().map(|&checker| piece(checker, lang)), lang);
            lang.choose([
                format!("{by} {attack} the general"),
                format!("{by} chiếu Tướng"),
                format!("{by}将军"),
            ])
        }
        MoveClass::Chase => threats(&step.threats, lang),
        MoveClass::Kill => lang
            .pick([
                "threatens to mate by checks",
                "dọa chiếu hết bằng các nước chiếu liên tục",
                "威胁下一步起连将成杀",
            ])
            .to_owned(),
        MoveClass::Exchange => lang
            .pick(["offers an exchange of equal pieces", "đòi đổi quân ngang giá", "邀兑等值的子"])
            .to_owned(),
        MoveClass::Block => {
            lang.pick(["stands in the way of an attack", "cản đường tấn công", "拦截对方的攻击"]).to_owned()
        }
        MoveClass::Idle => lang
            .pick([
                "no check and no new threat that counts",
                "không chiếu, không tạo đe dọa mới đáng kể",
                "不将，也没有产生算数的新威胁",
            ])
            .to_owned(),
    };
    if step.class == MoveClass::Check && !step.threats.is_empty() {
        text.push_str(lang.pick(["; besides, ", "; đồng thời ", "；同时"]));
        text.push_str(&threats(&step.threats, lang));
    }
    if step.limited {
        text.push_str(lang.pick([
            " (a search reached its limit and counts as failed)",
            " (một phép tìm đã chạm giới hạn, coi như không tìm thấy)",
            "（有一次搜索达到上限，视为未找到）",
        ]));
    }
    text
}

fn threats(threats: &[Threat], lang: Lang) -> String {
    let one = |threat: &Threat| {
        let (attacker, victim) = (piece(threat.attacker, lang), piece(threat.victim, lang));
        let reason = match &threat.gain {
            ThreatGain::Capture(gain) => gain_reason(*gain, lang).to_owned(),
            ThreatGain::Line(line) => line_reason(line, lang),
        };
        let checks = threat.victim.piece.kind() == PieceKind::King;
        if checks {
            return lang.choose([
                format!("{attacker} newly threatens a check that wins ({reason})"),
                format!("{attacker} mới dọa một nước chiếu có lợi ({reason})"),
                format!("{attacker}新产生得利的将军（{reason}）"),
            ]);
        }
        lang.choose([
            format!("{attacker} newly threatens {victim} ({reason})"),
            format!("{attacker} mới dọa bắt {victim} ({reason})"),
            format!("{attacker}新捉{victim}（{reason}）"),
        ])
    };
    threats.iter().map(one).collect::<Vec<_>>().join(lang.pick(["; ", "; ", "；"]))
}

fn gain_reason(gain: Gain, lang: Lang) -> &'static str {
    lang.pick(match gain {
        Gain::Unprotected => ["unprotected", "không có căn", "无根"],
        Gain::FalseRoot => [
            "no protector may legally recapture: false root",
            "căn giả: không quân nào được phép bắt lại",
            "假根：不能合法吃回",
        ],
        Gain::Heavier => ["worth more than the attacker", "giá trị lớn hơn quân đuổi", "被价值较低的子捉"],
    })
}

fn line_reason(line: &[Move], lang: Lang) -> String {
    let moves = line.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
    lang.choose([format!("wins by {moves}"), format!("được lợi bằng {moves}"), format!("得子着法 {moves}")])
}

/// The name of a clause, for programs.
pub(crate) fn clause_id(clause: &Clause) -> &'static str {
    match clause {
        Clause::Nothing => "nothing",
        Clause::TooFewOccurrences { .. } => "too_few_occurrences",
        Clause::Checkmate => "checkmate",
        Clause::Stalemate => "stalemate",
        Clause::PerpetualCheck(_) => "perpetual_check",
        Clause::MutualCheck => "mutual_check",
        Clause::PerpetualChase { .. } => "perpetual_chase",
        Clause::MutualChase => "mutual_chase",
        Clause::IdleRepetition => "idle_repetition",
        Clause::Pardoned(_) => "pardoned",
        Clause::NoOffenceKnown => "no_offence_known",
        Clause::AllForbidden(_) => "all_forbidden",
        Clause::HeavierOffence(_) => "heavier_offence",
        Clause::SingleOffence(_) => "single_offence",
        Clause::EqualOffences => "equal_offences",
        Clause::TooManyChecks(_) => "too_many_checks",
        Clause::TooManyChases(_) => "too_many_chases",
        Clause::BothPastLimit => "both_past_limit",
        Clause::WaitingForAnswer(_) => "waiting_for_answer",
        Clause::NoCapture { .. } => "no_capture",
        Clause::NoProgress { .. } => "no_progress",
        Clause::EffectiveMoves => "effective_moves",
        Clause::TotalMoves => "total_moves",
        Clause::DeadPosition => "dead_position",
        Clause::LoneCannons => "lone_cannons",
    }
}

/// The clause that decides; `loser` is the side that loses by it, if one does.
pub(super) fn clause(clause: &Clause, loser: Option<Color>, lang: Lang) -> String {
    let loser = names(loser.unwrap_or(Color::Red));
    lang.choose(match clause {
        Clause::TooFewOccurrences { seen, needed } => [
            format!("the position has occurred {}; the rule judges at {needed}", counted(*seen, "time")),
            format!("thế cờ mới xuất hiện {seen} lần; luật xét ở lần thứ {needed}"),
            format!("局面出现了{seen}次；规则在第{needed}次时裁定"),
        ],
        Clause::Checkmate => loses(loser, ["is checkmated", "bị chiếu hết", "被将死"]),
        Clause::Stalemate => {
            loses(loser, ["has no legal move, which loses", "hết nước đi, xử thua", "无子可动（困毙），判负"])
        }
        clause => cycle_clause(clause),
    })
}

/// A side in all languages.
fn names(color: Color) -> [&'static str; 3] {
    [Lang::En, Lang::Vi, Lang::Zh].map(|lang| side(color, lang))
}

fn cycle_clause(clause: &Clause) -> [String; 3] {
    match clause {
        Clause::PerpetualCheck(color) => loses(
            names(*color),
            [
                "checked on every move of the cycle, the other side did not: perpetual check loses",
                "chiếu ở mọi nước của vòng lặp, bên kia thì không: trường chiếu bị xử thua",
                "在循环中每步都将，对方没有：长将判负",
            ],
        ),
        Clause::MutualCheck => owned([
            "both sides checked on every move of the cycle: draw",
            "hai bên đều chiếu ở mọi nước của vòng lặp: hòa",
            "双方循环中每步都将：判和",
        ]),
        Clause::PerpetualChase { side: offender, victim } => {
            let offender = names(*offender);
            [
                format!(
                    "{} chased the same piece, now {}, on every move of the cycle: perpetual chase loses",
                    offender[0],
                    piece(*victim, Lang::En)
                ),
                format!(
                    "{} đuổi bắt cùng một quân, nay là {}, ở mọi nước của vòng lặp: trường tróc bị xử thua",
                    offender[1],
                    piece(*victim, Lang::Vi)
                ),
                format!("{}在循环中每步都捉同一个子{}：长捉判负", offender[2], piece(*victim, Lang::Zh)),
            ]
        }
        Clause::MutualChase => owned([
            "both sides chased a piece on every move of the cycle: draw",
            "hai bên đều đuổi bắt một quân ở mọi nước của vòng lặp: hòa",
            "双方循环中每步都捉子：判和",
        ]),
        Clause::IdleRepetition => owned([
            "repetition without a one-sided offence: draw",
            "lặp lại mà không bên nào đơn phương phạm luật: hòa",
            "循环中没有单方面的禁止着法：判和",
        ]),
        Clause::Pardoned(pardon) => pardoned(*pardon),
        Clause::NoOffenceKnown => owned([
            "repetition; no repetition is an offence under this rule set: draw",
            "lặp lại; bộ luật này không coi sự lặp lại nào là phạm luật: hòa",
            "循环；本规则不禁止任何循环：判和",
        ]),
        clause => cxa_clause(clause),
    }
}

fn cxa_clause(clause: &Clause) -> [String; 3] {
    match clause {
        Clause::AllForbidden(color) => loses(
            names(*color),
            [
                "checked, threatened mate or chased on every move of the cycle, the other side did not: it must vary and loses",
                "chiếu, dọa hết hoặc đuổi bắt ở mọi nước của vòng lặp, bên kia thì không: phải đổi nước, xử thua",
                "在循环中每步都是将、杀或捉，对方没有：必须变着，判负",
            ],
        ),
        Clause::HeavierOffence(color) => loses(
            names(*color),
            [
                "committed the heavier offence, both sides' moves being all forbidden ones: it must vary and loses",
                "phạm lỗi nặng hơn khi mọi nước của hai bên đều là nước cấm: phải đổi nước, xử thua",
                "在双方均为禁止着法时犯例较重：必须变着，判负",
            ],
        ),
        Clause::SingleOffence(color) => loses(
            names(*color),
            [
                "chased with single pieces where the other side needed a joint attack, both sides' moves being all forbidden ones: it must vary and loses",
                "đuổi bắt bằng từng quân còn bên kia phải liên hợp mới bắt được, khi mọi nước của hai bên đều là nước cấm: phải đổi nước, xử thua",
                "在双方均为禁止着法时为单子捉，对方为联合捉：必须变着，判负",
            ],
        ),
        Clause::EqualOffences => owned([
            "both sides' moves were all forbidden ones, neither offence being heavier: draw",
            "mọi nước của hai bên đều là nước cấm, không bên nào phạm lỗi nặng hơn: hòa",
            "双方均为禁止着法，轻重相当：判和",
        ]),
        clause => cxq_clause(clause),
    }
}

fn cxq_clause(clause: &Clause) -> [String; 3] {
    match clause {
        Clause::TooManyChecks(run) => run_clause(*run, ["checks", "nước chiếu", "将"]),
        Clause::TooManyChases(run) => {
            run_clause(*run, ["chases of one piece", "nước đuổi một quân", "捉同一子"])
        }
        Clause::BothPastLimit => owned([
            "both sides are past their limit of consecutive checks or chases: draw",
            "hai bên đều vượt giới hạn chiếu hoặc đuổi liên tiếp: hòa",
            "双方都超过连续将或捉的限度：判和",
        ]),
        Clause::WaitingForAnswer(run) => {
            let color = names(run.side);
            [
                format!(
                    "{} is past its limit, but the other side stands at its own: its answer decides",
                    color[0]
                ),
                format!("{} vượt giới hạn, nhưng bên kia cũng đang ở giới hạn: chờ nước trả lời", color[1]),
                format!("{}已超限，但对方也正在限度上：等待对方应着", color[2]),
            ]
        }
        clause => counting_clause(clause),
    }
}

fn counting_clause(clause: &Clause) -> [String; 3] {
    match clause {
        Clause::NoCapture { plies, limit } => [
            format!("{} without a capture, as they count (limit {limit}): draw", counted(*plies, "ply")),
            format!("{plies} nước tính được không bắt quân (giới hạn {limit}): hòa"),
            format!("计入的{plies}步内没有吃子（限度{limit}）：判和"),
        ],
        Clause::NoProgress { plies, limit } => [
            format!(
                "{} without a capture or an advance of a crossed pawn (limit {limit}): draw",
                counted(*plies, "ply")
            ),
            format!("{plies} nước không bắt quân, không tiến Tốt đã qua sông (giới hạn {limit}): hòa"),
            format!("{plies}步内没有吃子，也没有过河兵卒前进（限度{limit}）：判和"),
        ],
        Clause::EffectiveMoves => owned([
            "120 moves each that are no checks, chases or answers to them: draw",
            "mỗi bên 120 nước không phải chiếu, đuổi hay nước ứng phó: hòa",
            "双方各120步非将、非捉、非应着：判和",
        ]),
        Clause::TotalMoves => {
            owned(["300 moves each: draw", "mỗi bên đã đi 300 nước: hòa", "双方各走满300步：判和"])
        }
        Clause::DeadPosition => owned([
            "no rook, horse, cannon or pawn is left: draw",
            "không còn Xe, Mã, Pháo, Tốt: hòa",
            "双方都没有车、马、炮、兵卒：判和",
        ]),
        Clause::LoneCannons => owned([
            "only cannons without the screens to win are left: draw",
            "chỉ còn Pháo không đủ ngòi để thắng: hòa",
            "只剩缺少炮架、无法取胜的炮：判和",
        ]),
        _ => owned(["no rule applies", "không điều luật nào áp dụng", "没有适用的规则"]),
    }
}

fn owned(phrases: [&str; 3]) -> [String; 3] {
    phrases.map(str::to_owned)
}

fn loses(name: [&str; 3], what: [&str; 3]) -> [String; 3] {
    [
        format!("{} {}", name[0], what[0]),
        format!("{} {}", name[1], what[1]),
        format!("{}{}", name[2], what[2]),
    ]
}

fn pardoned(pardon: Pardon) -> [String; 3] {
    owned(match pardon {
        Pardon::AnyCheck => [
            "a check inside the cycle pardons every chase in it: draw",
            "trong vòng lặp có nước chiếu nên mọi nước đuổi được bỏ qua: hòa",
            "循环中有将军，捉子不再追究：判和",
        ],
        Pardon::LesserChaser => [
            "a general or pawn itself takes part in the chase (article 23, point 9): draw",
            "Tướng hoặc Tốt trực tiếp tham gia đuổi bắt (điều 23, khoản 9): hòa",
            "将帅或兵卒亲自参与捉子（第23条第9点）：判和",
        ],
        Pardon::Never => ["repetition: draw", "lặp lại: hòa", "循环：判和"],
    })
}

fn run_clause(run: Run, what: [&str; 3]) -> [String; 3] {
    let (moves, pieces, limit) = (run.moves, run.pieces, run.limit());
    let color = names(run.side);
    [
        format!(
            "{}: {moves} consecutive {} with {}, {limit} are allowed: it loses",
            color[0],
            what[0],
            counted(pieces, "piece")
        ),
        format!(
            "{}: {moves} {} liên tiếp bằng {pieces} quân, chỉ được phép {limit}: xử thua",
            color[1], what[1]
        ),
        format!("{}用{pieces}个子连续{}{moves}次，只允许{limit}次：判负", color[2], what[2]),
    ]
}
