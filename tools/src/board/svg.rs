//! SVG.

use std::fmt::Write;

use movegen::{Color, Piece, PieceKind};

use super::scene::{CELL, Palette, Pieces, Rgba, Scene, Shape, Theme, View, piece_shapes};

/// The picture as an SVG document, `width` pixels wide.
pub fn svg(scene: &Scene, width: u32) -> String {
    let height = (width as f32 * scene.height / scene.width).round();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {} {}\" role=\"img\">\n<title>{}</title>\n",
        scene.width,
        scene.height,
        html_escape::encode_text(&scene.title)
    );
    write_shapes(&mut out, &scene.shapes, color);
    out.push_str("</svg>\n");
    out
}

fn color(rgba: Rgba) -> String {
    match rgba {
        [_, _, _, 0] => "none".to_owned(),
        [r, g, b, _] => format!("#{r:02x}{g:02x}{b:02x}"),
    }
}

fn write_shapes(out: &mut String, shapes: &[Shape], color: impl Fn(Rgba) -> String) {
    for shape in shapes {
        // Writing to a String cannot fail.
        let _ = match shape {
            Shape::Rect { x, y, width, height, fill } => {
                writeln!(
                    out,
                    "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" fill=\"{}\"/>",
                    color(*fill)
                )
            }
            Shape::Circle { x, y, radius, fill, line, width } => writeln!(
                out,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{width}\"/>",
                color(*fill),
                color(*line)
            ),
            Shape::Line { points, color: line, width } => {
                let points: Vec<String> =
                    points.iter().map(|(x, y)| format!("{},{}", short(*x), short(*y))).collect();
                writeln!(
                    out,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\" \
                     stroke-linecap=\"round\" stroke-linejoin=\"round\"/>",
                    points.join(" "),
                    color(*line)
                )
            }
        };
    }
}

/// A coordinate with at most two decimals.
fn short(value: f32) -> f32 {
    (value * 100.0).round() / 100.0
}

/// The board and all pieces as SVG symbols for a web page: `grid`, and `p-K` to `p-p` by FEN letter, each centred in a
/// square of one point's size. Colours are CSS variables: `--disc`, `--red`, `--black`, `--grid`.
pub fn piece_symbols(pieces: Pieces) -> String {
    let palette = Palette::of(Theme::Light);
    let variable =
        |name: &'static str| move |rgba: Rgba| if rgba[3] == 0 { "none".to_owned() } else { name.to_owned() };
    let board = Scene::empty_board(View::default());
    let mut out = format!("<symbol id=\"grid\" viewBox=\"0 0 {} {}\">\n", board.width, board.height);
    write_shapes(&mut out, &board.shapes, variable("var(--grid)"));
    out.push_str("</symbol>\n");
    for side in Color::ALL {
        for kind in PieceKind::ALL {
            let piece = Piece::new(side, kind);
            let shapes = piece_shapes(piece, pieces, &palette, CELL / 2.0, CELL / 2.0);
            let _ = writeln!(out, "<symbol id=\"p-{}\" viewBox=\"0 0 {CELL} {CELL}\">", piece.to_char());
            let ink = if side == Color::Red { "var(--red)" } else { "var(--black)" };
            // The first shape is the disc; all else is ink.
            write_shapes(&mut out, &shapes[..1], |rgba| {
                if rgba == palette.disc() { "var(--disc)".to_owned() } else { ink.to_owned() }
            });
            write_shapes(&mut out, &shapes[1..], variable(ink));
            out.push_str("</symbol>\n");
        }
    }
    out
}
