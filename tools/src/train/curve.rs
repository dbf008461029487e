//! The loss curve, as a table and as a picture.

use crate::atomic;
use anyhow::anyhow;
use core::fmt::{self, Write};
use plotters::prelude::{
    BLACK, BLUE, ChartBuilder, Color, IntoDrawingArea, LineSeries, PathElement, RED, SVGBackend, WHITE,
};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A point of the curve.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Row {
    /// Batches seen.
    pub(super) step: u64,
    /// The epoch, from 1.
    pub(super) epoch: u32,
    /// The learning rate.
    pub(super) rate: f32,
    /// Mean squared error over the last stretch of training.
    pub(super) training: f64,
    /// Mean squared error on the games held out, if there are any.
    pub(super) held_out: Option<f64>,
}

impl Row {
    /// What there is to draw.
    fn losses(&self) -> impl Iterator<Item = f64> {
        [Some(self.training), self.held_out].into_iter().flatten()
    }
}

/// The losses, for a person.
impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "loss {:.6}, ", self.training)?;
        match self.held_out {
            Some(loss) => write!(f, "held out {loss:.6}"),
            None => f.write_str("no games held out"),
        }
    }
}

/// Writes the curve as CSV.
pub(super) fn write_csv(path: &Path, rows: &[Row]) -> anyhow::Result<()> {
    let mut text = String::from("step,epoch,rate,training,held_out\n");
    for Row { step, epoch, rate, training, held_out } in rows {
        // Writing to a String cannot fail.
        let held_out = held_out.map_or_else(String::new, |loss| format!("{loss:.7}"));
        let _ = writeln!(text, "{step},{epoch},{rate:e},{training:.7},{held_out}");
    }
    atomic::write(path, text.as_bytes(), true)
}

/// Draws the curve as an SVG picture.
pub(super) fn draw(path: &Path, title: &str, rows: &[Row]) -> anyhow::Result<()> {
    let mut svg = String::new();
    picture(&mut svg, title, rows).map_err(|error| anyhow!("{}: {error}", path.display()))?;
    atomic::write(path, svg.as_bytes(), true)
}

fn picture(svg: &mut String, title: &str, rows: &[Row]) -> Result<(), Box<dyn core::error::Error>> {
    let Some(last) = rows.last() else { return Ok(()) };
    let low = rows.iter().flat_map(Row::losses).fold(f64::INFINITY, f64::min);
    // The first stretch would dwarf the rest.
    let high = rows.iter().skip(rows.len() / 20).flat_map(Row::losses).fold(low, f64::max);
    let margin = ((high - low) * 0.05).max(1e-6);
    let area = SVGBackend::with_string(svg, (900, 540)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(40)
        .y_label_area_size(70)
        .build_cartesian_2d(0..last.step.max(1), low - margin..high + margin)?;
    chart.configure_mesh().x_desc("batches").y_desc("mean squared error").draw()?;
    let line = |value: fn(&Row) -> Option<f64>| {
        rows.iter().filter_map(move |row| value(row).map(|value| (row.step, value)))
    };
    let key = |color| move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color);
    chart
        .draw_series(LineSeries::new(line(|row| Some(row.training)), BLUE))?
        .label("training")
        .legend(key(BLUE));
    chart.draw_series(LineSeries::new(line(|row| row.held_out), RED))?.label("held out").legend(key(RED));
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_picture_are_written() {
        let dir = tempfile::tempdir().expect("a directory");
        let row = |step: u64| Row {
            step,
            epoch: 1,
            rate: 1e-3,
            training: 0.03 / step as f64,
            held_out: (step != 2).then_some(0.04 / step as f64),
        };
        let rows: Vec<Row> = (1..40).map(row).collect();
        let (csv, svg) = (dir.path().join("a.csv"), dir.path().join("a.svg"));
        write_csv(&csv, &rows).expect("room on the disk");
        draw(&svg, "a title", &rows).expect("room on the disk");
        let csv = std::fs::read_to_string(csv).expect("the table");
        assert_eq!(csv.lines().nth(2), Some("2,1,1e-3,0.0150000,"));
        assert_eq!(csv.lines().nth(4), Some("4,1,1e-3,0.0075000,0.0100000"));
        let svg = std::fs::read_to_string(svg).expect("the picture");
        assert!(svg.contains("a title") && svg.matches("<polyline").count() >= 2);
    }
}
