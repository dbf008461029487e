//! Boards as text and pictures.

use movegen::Position;
use tools::board::{self, Labels, Letters, Pieces, Scene, Theme, View};

fn view() -> View {
    View { last_move: "h2e2".parse().ok(), labels: Labels::Numbers, ..View::default() }
}

#[test]
fn svg_shows_every_piece_and_is_xml() {
    for (pieces, theme) in
        [(Pieces::Chinese, Theme::Light), (Pieces::Simplified, Theme::Dark), (Pieces::Letters, Theme::Light)]
    {
        let position = Position::startpos().play("h2e2".parse().expect("a move"));
        let svg = board::svg(&Scene::new(&position, View { pieces, theme, ..view() }), 480);
        let document = roxmltree::Document::parse(&svg).expect("well-formed XML");
        // Two circles a piece and one for the last move.
        let circles = document.descendants().filter(|node| node.has_tag_name("circle")).count();
        assert_eq!(circles, 2 * 32 + 1);
    }
}

#[test]
fn png_has_the_size_asked_for() {
    let scene = Scene::new(&Position::startpos(), view());
    let bytes = board::png(&scene, 300).expect("a picture");
    assert_eq!(&bytes[..8], b"\x89PNG\r\n\x1a\n");
    assert_eq!(bytes[16..20], 300u32.to_be_bytes());
    assert!(board::png(&scene, 0).is_err());
    assert!(board::png(&scene, 100_000).is_err());
}

#[test]
fn text_boards_have_ten_ranks() {
    let position = Position::startpos();
    for flipped in [false, true] {
        let text = board::text(&position, Letters::Ascii, None, flipped);
        let plain: Vec<String> =
            text.lines().map(|line| line.chars().filter(char::is_ascii_lowercase).collect()).collect();
        assert_eq!(text.lines().count(), 12);
        assert!(plain.last().is_some_and(|line| line.contains(if flipped { 'i' } else { 'a' })));
        let unicode = board::text(&position, Letters::Unicode, None, flipped);
        assert_eq!(unicode.matches('俥').count(), 2);
        assert_eq!(unicode.matches('車').count(), 2);
    }
}
