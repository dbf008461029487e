//! What is on the picture of a board, before it becomes SVG or pixels.

use clap::ValueEnum;
use movegen::notation::{Script, chinese_piece, wxf_letter};
use movegen::{Color, Move, Piece, Position, Square};

use super::glyphs;

/// Distance between neighbouring points.
pub(super) const CELL: f32 = 60.0;
/// Space around the grid: half a piece and the labels.
const MARGIN: f32 = 52.0;
/// A piece's radius.
pub(super) const RADIUS: f32 = 27.0;

/// How pieces are named.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Pieces {
    /// 帥 馬 車 and 將 馬 車
    #[default]
    Chinese,
    /// 帅 马 车 and 将 马 车
    Simplified,
    /// K H R
    Letters,
}

/// What stands at the edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Labels {
    /// Files a to i and ranks 0 to 9
    #[default]
    Squares,
    /// The file numbers of both players
    Numbers,
    /// Nothing
    None,
}

/// Colours of a picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Theme {
    /// For light pages
    #[default]
    Light,
    /// For dark pages
    Dark,
}

/// How a position is looked at.
#[derive(Clone, Copy, Debug, Default)]
pub struct View {
    /// From Black's side.
    pub flipped: bool,
    /// The move that led here.
    pub last_move: Option<Move>,
    /// How pieces are named.
    pub pieces: Pieces,
    /// What stands at the edges.
    pub labels: Labels,
    /// Colours.
    pub theme: Theme,
}

/// Red, green, blue, opacity.
pub(super) type Rgba = [u8; 4];

/// One thing to draw.
#[derive(Clone, Debug)]
pub(super) enum Shape {
    Rect { x: f32, y: f32, width: f32, height: f32, fill: Rgba },
    Circle { x: f32, y: f32, radius: f32, fill: Rgba, line: Rgba, width: f32 },
    Line { points: Vec<(f32, f32)>, color: Rgba, width: f32 },
}

/// A picture: its size and what is on it, back to front.
#[derive(Clone, Debug)]
pub struct Scene {
    pub(super) width: f32,
    pub(super) height: f32,
    pub(super) shapes: Vec<Shape>,
    /// What the picture shows, for readers who cannot see it.
    pub(super) title: String,
}

pub(super) struct Palette {
    background: Rgba,
    grid: Rgba,
    label: Rgba,
    disc: Rgba,
    red: Rgba,
    black: Rgba,
    mark: Rgba,
}

impl Palette {
    /// The colour of the discs.
    pub(super) const fn disc(&self) -> Rgba {
        self.disc
    }

    pub(super) const fn of(theme: Theme) -> Self {
        match theme {
            Theme::Light => Self {
                background: [0xf3, 0xdf, 0xb4, 255],
                grid: [0x6b, 0x4a, 0x22, 255],
                label: [0x6b, 0x4a, 0x22, 255],
                disc: [0xff, 0xf8, 0xe6, 255],
                red: [0xb8, 0x1d, 0x1d, 255],
                black: [0x1a, 0x1a, 0x1a, 255],
                mark: [0x1f, 0x7a, 0x3d, 255],
            },
            Theme::Dark => Self {
                background: [0x2b, 0x25, 0x1c, 255],
                grid: [0x9a, 0x86, 0x62, 255],
                label: [0xb8, 0xa6, 0x82, 255],
                disc: [0xe9, 0xdd, 0xc2, 255],
                red: [0xa8, 0x16, 0x16, 255],
                black: [0x14, 0x14, 0x14, 255],
                mark: [0x5c, 0xc9, 0x7f, 255],
            },
        }
    }
}

impl Scene {
    /// The picture of a position.
    pub fn new(position: &Position, view: View) -> Self {
        let mut scene = Self::blank(position.fen());
        let palette = Palette::of(view.theme);
        let (width, height) = (scene.width, scene.height);
        scene.shapes.push(Shape::Rect { x: 0.0, y: 0.0, width, height, fill: palette.background });
        scene.grid(&palette);
        scene.labels(view, &palette);
        if let Some(mv) = view.last_move {
            let (x, y) = point(mv.from(), view.flipped);
            scene.corners(x, y, 0.0, palette.mark, 3.0);
        }
        for square in position.occupied() {
            if let Some(piece) = position.piece_at(square) {
                let (x, y) = point(square, view.flipped);
                scene.shapes.extend(piece_shapes(piece, view.pieces, &palette, x, y));
            }
        }
        if let Some(mv) = view.last_move {
            let (x, y) = point(mv.to(), view.flipped);
            scene.shapes.push(Shape::Circle {
                x,
                y,
                radius: RADIUS + 1.0,
                fill: [0; 4],
                line: palette.mark,
                width: 3.5,
            });
        }
        scene
    }

    /// Nothing yet, in the size of a board.
    fn blank(title: String) -> Self {
        let (width, height) = (8.0 * CELL + 2.0 * MARGIN, 9.0 * CELL + 2.0 * MARGIN);
        Self { width, height, shapes: Vec::new(), title }
    }

    /// The empty board alone.
    pub(super) fn empty_board(view: View) -> Self {
        let mut scene = Self::blank(String::new());
        scene.grid(&Palette::of(view.theme));
        scene
    }

    fn line(&mut self, points: &[(f32, f32)], color: Rgba, width: f32) {
        self.shapes.push(Shape::Line { points: points.to_vec(), color, width });
    }

    fn grid(&mut self, palette: &Palette) {
        let x = |file: f32| MARGIN + file * CELL;
        let y = |row: f32| MARGIN + row * CELL;
        let color = palette.grid;
        for row in 0..10u8 {
            let row = f32::from(row);
            self.line(&[(x(0.0), y(row)), (x(8.0), y(row))], color, 1.5);
        }
        for file in 0..9u8 {
            let at = x(f32::from(file));
            if file == 0 || file == 8 {
                self.line(&[(at, y(0.0)), (at, y(9.0))], color, 1.5);
            } else {
                self.line(&[(at, y(0.0)), (at, y(4.0))], color, 1.5);
                self.line(&[(at, y(5.0)), (at, y(9.0))], color, 1.5);
            }
        }
        for top in [0.0, 7.0] {
            self.line(&[(x(3.0), y(top)), (x(5.0), y(top + 2.0))], color, 1.5);
            self.line(&[(x(5.0), y(top)), (x(3.0), y(top + 2.0))], color, 1.5);
        }
        let edge = 6.0;
        let (left, right, top, bottom) = (x(0.0) - edge, x(8.0) + edge, y(0.0) - edge, y(9.0) + edge);
        self.line(&[(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], color, 3.0);
        for (file, row) in [(1, 2), (7, 2), (1, 7), (7, 7)] {
            self.corners(x(file as f32), y(row as f32), 5.0, color, 1.5);
        }
        for file in [0, 2, 4, 6, 8] {
            for row in [3.0, 6.0] {
                self.corners(x(file as f32), y(row), 5.0, color, 1.5);
            }
        }
    }

    /// Four corner marks about a point; those beyond the edge of the grid are left out.
    fn corners(&mut self, x: f32, y: f32, gap: f32, color: Rgba, width: f32) {
        let (gap, length) = if gap > 0.0 { (gap, 9.0) } else { (RADIUS - 4.0, -10.0) };
        for (across, down) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let (corner_x, corner_y) = (x + across * gap, y + down * gap);
            if length > 0.0 && !(MARGIN..=MARGIN + 8.0 * CELL).contains(&corner_x) {
                continue;
            }
            let points = [
                (corner_x + across * length, corner_y),
                (corner_x, corner_y),
                (corner_x, corner_y + down * length),
            ];
            self.line(&points, color, width);
        }
    }

    fn labels(&mut self, view: View, palette: &Palette) {
        let (bottom, top) = (self.height - 13.0, 13.0);
        for column in 0..9u8 {
            let x = MARGIN + f32::from(column) * CELL;
            let file = if view.flipped { 8 - column } else { column };
            match view.labels {
                Labels::None => {}
                Labels::Squares => self.glyph((b'a' + file) as char, x, bottom, 13.0, 1.6, palette.label),
                Labels::Numbers => {
                    let (red, black) = ((b'9' - file) as char, (b'1' + file) as char);
                    let (near, far) = if view.flipped { (black, red) } else { (red, black) };
                    self.glyph(near, x, bottom, 13.0, 1.6, palette.label);
                    self.glyph(far, x, top, 13.0, 1.6, palette.label);
                }
            }
        }
        if view.labels == Labels::Squares {
            for row in 0..10u8 {
                let rank = if view.flipped { row } else { 9 - row };
                let y = MARGIN + f32::from(row) * CELL;
                self.glyph((b'0' + rank) as char, 13.0, y, 13.0, 1.6, palette.label);
            }
        }
    }

    fn glyph(&mut self, c: char, x: f32, y: f32, size: f32, width: f32, color: Rgba) {
        self.shapes.extend(glyph_shapes(c, x, y, size, width, color));
    }
}

/// The middle of a point on the picture.
pub(super) fn point(square: Square, flipped: bool) -> (f32, f32) {
    let (file, rank) = (square.file() as u8, square.rank() as u8);
    let (column, row) = if flipped { (8 - file, rank) } else { (file, 9 - rank) };
    (MARGIN + f32::from(column) * CELL, MARGIN + f32::from(row) * CELL)
}

fn glyph_shapes(c: char, x: f32, y: f32, size: f32, width: f32, color: Rgba) -> Vec<Shape> {
    let place = |&(px, py): &(i16, i16)| {
        (x + (f32::from(px) - 50.0) * size / 100.0, y + (f32::from(py) - 50.0) * size / 100.0)
    };
    glyphs::strokes(c)
        .into_iter()
        .map(|stroke| Shape::Line { points: stroke.iter().map(place).collect(), color, width })
        .collect()
}

/// A disc with the piece's character.
pub(super) fn piece_shapes(piece: Piece, pieces: Pieces, palette: &Palette, x: f32, y: f32) -> Vec<Shape> {
    let ink = if piece.color() == Color::Red { palette.red } else { palette.black };
    let disc = |radius, fill, width| Shape::Circle { x, y, radius, fill, line: ink, width };
    let mut shapes = vec![disc(RADIUS, palette.disc, 2.2), disc(RADIUS - 4.0, [0; 4], 1.0)];
    let (c, size, width) = match pieces {
        Pieces::Chinese => (chinese_piece(piece.color(), piece.kind(), Script::Traditional), 31.0, 2.6),
        Pieces::Simplified => (chinese_piece(piece.color(), piece.kind(), Script::Simplified), 31.0, 2.6),
        Pieces::Letters => (wxf_letter(piece.kind()), 25.0, 3.4),
    };
    shapes.extend(glyph_shapes(c, x, y, size, width, ink));
    shapes
}
