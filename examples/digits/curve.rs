//! A learning curve as a picture: loss and accuracy after each epoch, on the images that were learnt
//! from and on those that were held out.

use std::fmt::Write;

use crate::training::Epoch;

/// The size of the picture, half of it for each panel.
const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 340.0;
/// Where the lines of a panel are, and how much room they have.
const LEFT: f64 = 62.0;
const TOP: f64 = 52.0;
const ACROSS: f64 = 276.0;
const DOWN: f64 = 236.0;

/// Losses below are drawn as this one.
const LEAST: f64 = 1e-4;

const STYLE: &str = "
  text { font: 12px system-ui, sans-serif; fill: #475569 }
  .title { font-size: 14px; font-weight: 600; fill: #0f172a }
  .end { text-anchor: end } .middle { text-anchor: middle }
  path { fill: none; stroke: #94a3b8; stroke-linejoin: round }
  .grid { stroke: #e2e8f0 } .line { stroke-width: 2 }
  path.training { stroke: #2563eb } text.training, circle.training { fill: #2563eb }
  path.held-out { stroke: #ea580c } text.held-out, circle.held-out { fill: #ea580c }
";

/// The picture: an SVG document. There is at least one epoch, and the scores are finite.
pub(crate) fn draw(epochs: &[Epoch]) -> String {
    // A loss falls by factors: on its axis equal ones are equally long.
    let lines = [
        epochs.iter().map(|e| e.training.loss.max(LEAST)).collect(),
        epochs.iter().map(|e| e.held_out.loss.max(LEAST)).collect(),
    ];
    let (low, high) = range(&lines);
    let loss = Panel { title: "Loss", lines, ticks: factors(low, high), along: f64::log10 };
    let lines = [
        epochs.iter().map(|e| e.training.accuracy * 100.0).collect(),
        epochs.iter().map(|e| e.held_out.accuracy * 100.0).collect(),
    ];
    let ticks = steps(range(&lines).0.min(99.0), 100.0);
    let accuracy = Panel { title: "Accuracy, %", lines, ticks, along: |percent| percent };

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\">\n\
         <title>Loss and accuracy after each epoch</title>\n<style>{STYLE}</style>\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" rx=\"8\" fill=\"white\"/>\n"
    );
    for (panel, left) in [(loss, LEFT), (accuracy, LEFT + WIDTH / 2.0)] {
        svg += &format!("<g transform=\"translate({left} {TOP})\">\n{}</g>\n", panel.draw());
    }
    svg + "</svg>\n"
}

/// Two lines over one vertical axis.
struct Panel {
    title: &'static str,
    /// Values after each epoch: training, held out.
    lines: [Vec<f64>; 2],
    /// The numbers at the axis, which begin and end it.
    ticks: Vec<f64>,
    /// The place of a value on the axis, by any measure.
    along: fn(f64) -> f64,
}

impl Panel {
    /// How far below the top a value is.
    fn y(&self, value: f64) -> f64 {
        let [low, high] = [self.ticks[0], self.ticks[self.ticks.len() - 1]].map(self.along);
        DOWN * (high - (self.along)(value)) / (high - low)
    }

    fn draw(&self) -> String {
        let mut svg = text("title", 0.0, -20.0, self.title);
        for tick in &self.ticks {
            let y = self.y(*tick);
            svg += &format!("<path class=\"grid\" d=\"M0 {y:.1}H{ACROSS}\"/>\n");
            svg += &text("end", -8.0, y + 4.0, &tick.to_string());
        }
        let epochs = self.lines[0].len() as f64;
        let x = |epoch: f64| ACROSS * epoch / epochs;
        svg += &format!("<path d=\"M0 0V{DOWN}H{ACROSS}\"/>\n");
        for tick in steps(0.0, epochs).into_iter().filter(|t| *t <= epochs && t.fract() == 0.0) {
            svg += &text("middle", x(tick), DOWN + 18.0, &tick.to_string());
        }
        svg += &text("middle", ACROSS / 2.0, DOWN + 38.0, "epoch");

        let last = self.lines.each_ref().map(|line| line[line.len() - 1]);
        let ends = last.map(|value| self.y(value));
        let places = apart(ends, 32.0);
        for (i, (class, name)) in
            [("training", "training"), ("held-out", "held out")].iter().enumerate()
        {
            let mut path = String::new();
            for (at, value) in self.lines[i].iter().enumerate() {
                let command = if at == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{command}{:.1} {:.1}", x((at + 1) as f64), self.y(*value));
            }
            svg += &format!("<path class=\"line {class}\" d=\"{path}\"/>\n");
            svg += &format!(
                "<circle class=\"{class}\" cx=\"{ACROSS}\" cy=\"{:.1}\" r=\"3\"/>\n",
                ends[i]
            );
            svg += &text(class, ACROSS + 8.0, places[i] - 3.0, name);
            svg += &text(class, ACROSS + 8.0, places[i] + 12.0, &short(last[i]));
        }
        svg
    }
}

fn text(class: &str, x: f64, y: f64, content: &str) -> String {
    format!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{content}</text>\n")
}

/// Three digits that count.
fn short(x: f64) -> String {
    if x <= LEAST {
        return format!("≤ {LEAST}");
    }
    let places = (2.0 - x.log10().floor()).max(0.0);
    format!("{x:.*}", places as usize)
}

/// The smallest and the largest value.
fn range(lines: &[Vec<f64>; 2]) -> (f64, f64) {
    let all = || lines.iter().flatten().copied();
    (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max))
}

/// Two places at least so far apart, both moved alike if they were not.
fn apart([a, b]: [f64; 2], distance: f64) -> [f64; 2] {
    let (middle, half) = ((a + b) / 2.0, (a - b).abs().max(distance) / 2.0);
    if a <= b { [middle - half, middle + half] } else { [middle + half, middle - half] }
}

/// About five numbers in equal steps of 1, 2 or 5 times a power of ten, around `low..high`.
fn steps(low: f64, high: f64) -> Vec<f64> {
    let power = 10f64.powf(((high - low) / 5.0).log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|s| s * power).into_iter().find(|s| high - low <= 5.0 * s);
    let step = step.unwrap_or(10.0 * power);
    let (first, last) = ((low / step).floor() as i64, (high / step).ceil() as i64);
    (first..=last).map(|i| round(i as f64 * step)).collect()
}

/// Powers of ten around `low..=high`, with twice and five times them if there are few.
fn factors(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (low.log10().floor() as i32, high.log10().floor() as i32 + 1);
    let between: &[f64] = if last - first > 3 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let powers = (first..=last).map(|power| 10f64.powi(power));
    let all: Vec<f64> = powers.flat_map(|p| between.iter().map(move |f| round(f * p))).collect();
    let from = all.iter().rposition(|tick| *tick <= low).unwrap_or(0);
    let to = all.iter().position(|tick| *tick > high).unwrap_or(all.len() - 1);
    all[from..=to].to_vec()
}

/// Without what binary fractions add to decimal ones.
fn round(x: f64) -> f64 {
    (x * 1e9).round() / 1e9
}
