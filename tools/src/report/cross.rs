//! The cross table of a tournament.

use movegen::Color;
use serde::Serialize;

use super::data::points_of;
use crate::games::Game;

/// More players than fit on any page.
const MAX_PLAYERS: usize = 200;

/// A player's line.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Row {
    name: String,
    /// Against each player in the order of the table: points and the game's index.
    cells: Vec<Vec<(&'static str, usize)>>,
    won: usize,
    drawn: usize,
    lost: usize,
    points: String,
}

/// The table of the games with a result, the best first; `None` for fewer than two games.
pub(super) fn table(games: &[Game]) -> Option<Vec<Row>> {
    let mut names: Vec<&str> = Vec::new();
    // Half points, and the index of the opponent and the game.
    let mut results: Vec<Vec<(u32, usize, usize)>> = Vec::new();
    let mut played = 0;
    for (index, game) in games.iter().enumerate() {
        let (Some(red), Some(black)) = (game.tag("Red"), game.tag("Black")) else { continue };
        let (Some(for_red), Some(for_black)) =
            (points_of(game.outcome, Color::Red), points_of(game.outcome, Color::Black))
        else {
            continue;
        };
        let mut find = |name| {
            names.iter().position(|known| *known == name).unwrap_or_else(|| {
                names.push(name);
                results.push(Vec::new());
                names.len() - 1
            })
        };
        let (red, black) = (find(red), find(black));
        results[red].push((for_red, black, index));
        results[black].push((for_black, red, index));
        played += 1;
    }
    if played < 2 || names.len() > MAX_PLAYERS {
        return None;
    }
    let total = |player: usize| results[player].iter().map(|(points, ..)| points).sum::<u32>();
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by_key(|&player| (std::cmp::Reverse(total(player)), results[player].len(), names[player]));
    let row = |&player: &usize| Row {
        name: names[player].to_owned(),
        cells: order
            .iter()
            .map(|&other| {
                let met = results[player].iter().filter(|(_, opponent, _)| *opponent == other);
                met.map(|&(points, _, game)| (["0", "½", "1"][points as usize], game)).collect()
            })
            .collect(),
        won: results[player].iter().filter(|(points, ..)| *points == 2).count(),
        drawn: results[player].iter().filter(|(points, ..)| *points == 1).count(),
        lost: results[player].iter().filter(|(points, ..)| *points == 0).count(),
        points: half_points(total(player)),
    };
    Some(order.iter().map(row).collect())
}

fn half_points(half: u32) -> String {
    match (half / 2, half % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 1) => format!("{whole}½"),
        (whole, _) => whole.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Outcome;
    use movegen::Position;

    #[test]
    fn the_best_comes_first() {
        let games: Vec<Game> =
            [("A", "B", Outcome::Draw), ("B", "C", Outcome::RedWins), ("C", "A", Outcome::Unknown)]
                .into_iter()
                .map(|(red, black, outcome)| {
                    let mut game = Game::new(Position::startpos());
                    game.set_tag("Red", red);
                    game.set_tag("Black", black);
                    game.outcome = outcome;
                    game
                })
                .collect();
        let table = table(&games).expect("two games with a result");
        let lines: Vec<(&str, &str)> =
            table.iter().map(|row| (row.name.as_str(), row.points.as_str())).collect();
        assert_eq!(lines, [("B", "1½"), ("A", "½"), ("C", "0")]);
        assert_eq!(table[0].cells, [vec![], vec![("½", 0)], vec![("1", 1)]]);
    }
}
