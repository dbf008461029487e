//! A game as bytes.

use super::{Ending, Game, Outcome, Ply};
use movegen::{Move, Position};

const FEN_FLAG: u8 = 0x80;

/// Appends a game's record.
///
/// A game whose opening or length does not fit its field is cut: the format ends at 255 opening and 65,535 searched plies.
pub(super) fn encode(game: &Game, out: &mut Vec<u8>) {
    let from_fen = game.start != Position::startpos();
    let ending = Ending::ALL.iter().position(|&ending| ending == game.ending).unwrap_or(0) as u8;
    out.extend(game.number.to_le_bytes());
    out.push(game.outcome as u8 | ending << 2 | if from_fen { FEN_FLAG } else { 0 });
    if from_fen {
        let fen = game.start.fen();
        out.push(fen.len() as u8);
        out.extend(fen.bytes());
    }
    let opening = &game.opening[..game.opening.len().min(usize::from(u8::MAX))];
    let plies = &game.plies[..game.plies.len().min(super::MAX_PLIES)];
    out.push(opening.len() as u8);
    out.extend((plies.len() as u16).to_le_bytes());
    let mut position = game.start.clone();
    for mv in opening.iter().copied().chain(plies.iter().map(|ply| ply.mv)) {
        out.push(place(&position, mv));
        position.make_move(mv);
    }
    out.extend(plies.iter().flat_map(|ply| ply.score.to_le_bytes()));
}

/// Reads one game off the front of `bytes`; the text says what is wrong with them.
pub(super) fn decode(bytes: &mut &[u8]) -> Result<Game, &'static str> {
    const SHORT: &str = "a game ends too early";
    let number = u32::from_le_bytes(take(bytes).ok_or(SHORT)?);
    let [flags] = take(bytes).ok_or(SHORT)?;
    let outcome = match flags & 3 {
        0 => Outcome::BlackWins,
        1 => Outcome::Draw,
        2 => Outcome::RedWins,
        _ => return Err("an unknown result"),
    };
    let ending = *Ending::ALL.get(usize::from(flags >> 2 & 7)).ok_or("an unknown ending")?;
    let start = if flags & FEN_FLAG == 0 {
        Position::startpos()
    } else {
        let [len] = take(bytes).ok_or(SHORT)?;
        let fen = bytes.split_off(..usize::from(len)).ok_or(SHORT)?;
        let fen = str::from_utf8(fen).map_err(|_| "a FEN that is no text")?;
        Position::from_fen(fen).map_err(|_| "an invalid FEN")?
    };
    let [opening] = take(bytes).ok_or(SHORT)?;
    let plies = usize::from(u16::from_le_bytes(take(bytes).ok_or(SHORT)?));
    let places = bytes.split_off(..usize::from(opening) + plies).ok_or(SHORT)?;
    let scores = bytes.split_off(..2 * plies).ok_or(SHORT)?;
    let mut position = start.clone();
    let mut moves = Vec::with_capacity(places.len());
    for &place in places {
        let mv = nth(&position, place).ok_or("a move that is not legal")?;
        moves.push(mv);
        position.make_move(mv);
    }
    let scores = scores.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
    let plies = moves.split_off(usize::from(opening));
    let plies = plies.into_iter().zip(scores).map(|(mv, score)| Ply { mv, score }).collect();
    Ok(Game { number, start, opening: moves, plies, outcome, ending })
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    bytes.split_off(..N)?.try_into().ok()
}

fn order(mv: Move) -> (usize, usize) {
    (mv.from().index(), mv.to().index())
}

/// A legal move's place in the file's order.
fn place(position: &Position, mv: Move) -> u8 {
    position.legal_moves().iter().filter(|other| order(**other) < order(mv)).count() as u8
}

/// The legal move at a place.
fn nth(position: &Position, place: u8) -> Option<Move> {
    let mut moves = position.legal_moves();
    let place = usize::from(place);
    (place < moves.len()).then(|| *moves.select_nth_unstable_by_key(place, |&mv| order(mv)).1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::testing::random_game;

    #[test]
    fn games_survive_the_round_trip() {
        let mut bytes = Vec::new();
        let games: Vec<Game> = (0..60).map(random_game).collect();
        for game in &games {
            encode(game, &mut bytes);
        }
        let plies: usize = games.iter().map(|game| game.plies.len()).sum();
        assert!(bytes.len() < 4 * plies + 60 * 80, "{} bytes for {plies} plies", bytes.len());
        let mut rest = bytes.as_slice();
        for game in &games {
            assert_eq!(decode(&mut rest).as_ref(), Ok(game));
        }
        assert!(rest.is_empty());
    }

    #[test]
    fn every_shortened_record_is_an_error() {
        let mut bytes = Vec::new();
        encode(&random_game(3), &mut bytes);
        for len in 0..bytes.len() {
            assert!(decode(&mut &bytes[..len]).is_err(), "{len} of {} bytes", bytes.len());
        }
    }

    #[test]
    fn the_place_of_a_move_follows_the_squares() {
        // a0a1 and a0a2 are the first moves of the start position, i3i4 is the last one of Red's pawns.
        let position = Position::startpos();
        for (place_expected, text) in [(0, "a0a1"), (1, "a0a2"), (43, "i3i4")] {
            let mv = text.parse().expect("a move");
            assert_eq!(place(&position, mv), place_expected, "{text}");
            assert_eq!(nth(&position, place_expected), Some(mv));
        }
        assert_eq!(nth(&position, 44), None);
    }
}
