//! PNG.

use thiserror::Error;
use tiny_skia::{FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::scene::{Rgba, Scene, Shape};

/// Why there is no picture.
#[derive(Debug, Error)]
pub enum PngError {
    /// No or too many pixels.
    #[error("no picture is {0} pixels wide")]
    Size(u32),
    /// The encoder failed.
    #[error("cannot encode the picture: {0}")]
    Encode(String),
}

/// Wider pictures are nobody's wish.
const MAX_WIDTH: u32 = 8192;

/// The picture as a PNG file, `width` pixels wide.
///
/// # Errors
/// If `width` is 0 or above 8192.
pub fn png(scene: &Scene, width: u32) -> Result<Vec<u8>, PngError> {
    let scale = width as f32 / scene.width;
    let height = (scene.height * scale).round() as u32;
    let pixmap = if width <= MAX_WIDTH { Pixmap::new(width, height) } else { None };
    let mut pixmap = pixmap.ok_or(PngError::Size(width))?;
    let transform = Transform::from_scale(scale, scale);
    for shape in &scene.shapes {
        match shape {
            Shape::Rect { x, y, width, height, fill } => {
                if let Some(rect) = Rect::from_xywh(*x, *y, *width, *height) {
                    pixmap.fill_rect(rect, &paint(*fill), transform, None);
                }
            }
            Shape::Circle { x, y, radius, fill, line, width } => {
                if let Some(path) = PathBuilder::from_circle(*x, *y, *radius) {
                    if fill[3] > 0 {
                        pixmap.fill_path(&path, &paint(*fill), FillRule::Winding, transform, None);
                    }
                    pixmap.stroke_path(&path, &paint(*line), &stroke(*width), transform, None);
                }
            }
            Shape::Line { points, color, width } => {
                if let Some(path) = line(points) {
                    pixmap.stroke_path(&path, &paint(*color), &stroke(*width), transform, None);
                }
            }
        }
    }
    pixmap.encode_png().map_err(|error| PngError::Encode(error.to_string()))
}

fn paint([r, g, b, a]: Rgba) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, a);
    paint.anti_alias = true;
    paint
}

fn stroke(width: f32) -> Stroke {
    Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() }
}

fn line(points: &[(f32, f32)]) -> Option<Path> {
    let mut builder = PathBuilder::new();
    let (first, rest) = points.split_first()?;
    builder.move_to(first.0, first.1);
    for point in rest {
        builder.line_to(point.0, point.1);
    }
    builder.finish()
}
