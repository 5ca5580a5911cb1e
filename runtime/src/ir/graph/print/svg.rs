//! Graphs as SVG.

use std::fmt::Write;

use super::layered::{Block, Layout, Net, Rect, layout};
use super::picture::{Look, Part, Picture, Wire};
use crate::ir::FunctionGraph;

/// The sizes of the two fonts, as advances of a letter and heights of a line.
const LETTER: (f64, f64) = (7.3, 15.0);
const SMALL: (f64, f64) = (6.1, 13.0);

const STYLE: &str = "<style>
  text { font: 12px ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace; text-anchor: middle; fill: #0f172a }
  rect.panel { fill: #ffffff; stroke: none } .label { font-size: 10px } .name { text-anchor: start }
  .label, .name { fill: #475569; stroke: #ffffff; stroke-width: 3px; paint-order: stroke }
  rect { fill: #f8fafc; stroke: #64748b } .box > rect { fill: none; stroke: #94a3b8 }
  .scope > rect { stroke-dasharray: 2 3 } .argument > rect { fill: #dbeafe; stroke: #2563eb }
  .capture > rect { fill: #ede9fe; stroke: #7c3aed; stroke-dasharray: 4 3 } .constant > rect { fill: #fef9c3; stroke: none }
  .output > rect { fill: #dcfce7; stroke: #16a34a } path { fill: none; stroke: #64748b }
  .control > path { stroke-dasharray: 4 3 } marker > path { fill: #64748b; stroke: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e2e8f0 } rect.panel { fill: #0f172a } .label, .name { fill: #94a3b8; stroke: #0f172a }
    rect { fill: #1e293b; stroke: #94a3b8 }
    .box > rect { fill: none; stroke: #64748b } .argument > rect { fill: #1e3a8a; stroke: #60a5fa }
    .capture > rect { fill: #4c1d95; stroke: #a78bfa } .constant > rect { fill: #422006; stroke: none }
    .output > rect { fill: #14532d; stroke: #4ade80 } path { stroke: #94a3b8 } marker > path { fill: #94a3b8 }
  }
</style>
<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
<path d=\"M0 0L8 4L0 8Z\"/></marker></defs>
";

impl FunctionGraph {
    /// The graph as an SVG image, from inputs at the top to results at the bottom. The functions that it calls are beside
    /// it, each once. Name scopes are boxes with dotted frames; arguments, captures, constants and results differ in
    /// color and frame; dashed edges are control edges. A result shows its dtype and shape. Under the pointer, a node shows
    /// its line of [`display`](Self::display) and the line of user code that made it.
    ///
    /// ```
    /// use extype::prelude::*;
    /// let f = function(|x: &Tensor| x.square()).concrete(&TensorSpec::of::<f32>([2]))?;
    /// let svg = f.graph().to_svg();
    /// assert!(svg.starts_with("<svg xmlns="));
    /// assert!(svg.contains("<title>fn closure(a: float32[2]) -&gt; float32[2]</title>"), "{svg}");
    /// assert!(svg.contains("<title>a to Square : float32[2]</title>"), "{svg}");
    /// # Ok::<(), Error>(())
    /// ```
    pub fn to_svg(&self) -> String {
        let picture = Picture::new(self);
        let widths = widths(&picture);
        let block = |(i, part): (usize, &Part)| Block {
            within: part.within,
            size: (widths[i], LETTER.1 * part.text.len() as f64 + 10.0),
            is_box: part.look.is_box(),
        };
        let blocks: Vec<Block> = picture.parts.iter().enumerate().map(block).collect();
        // The ends of wires share the width of a block.
        let along = |part: usize, i: usize, n: usize| widths[part] * (i as f64 + 0.5) / n as f64;
        let net = |wire: &Wire| {
            let (from, i) = wire.from;
            let to = wire.to.iter().map(|(to, i)| (*to, along(*to, *i, picture.parts[*to].inputs)));
            Net { from: (from, along(from, i, picture.parts[from].outputs)), to: to.collect() }
        };
        let nets: Vec<Net> = picture.wires.iter().map(net).collect();
        drawn(&picture, &nets, &layout(&blocks, &nets))
    }
}

/// The widths of the parts: of their text, and of the types of their results.
fn widths(picture: &Picture) -> Vec<f64> {
    let length = |text: &String| text.chars().count() as f64;
    let of_text = |part: &Part| {
        let longest = part.text.iter().map(length).fold(0.0, f64::max);
        (longest * LETTER.0 + 20.0).max(part.inputs as f64 * 12.0).round()
    };
    let mut widths: Vec<f64> = picture.parts.iter().map(of_text).collect();
    for wire in &picture.wires {
        let (from, _) = wire.from;
        let label = length(&wire.label) * SMALL.0 + 6.0;
        widths[from] = widths[from].max((label * picture.parts[from].outputs as f64).round());
    }
    widths
}

fn drawn(picture: &Picture, nets: &[Net], layout: &Layout) -> String {
    let (width, height) = layout.size;
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\">\n<title>{}</title>\n{STYLE}\
         <rect class=\"panel\" width=\"{width:.0}\" height=\"{height:.0}\" rx=\"8\"/>\n",
        escaped(&picture.parts[0].tip)
    );
    let of = |is_box: bool| {
        let parts = picture.parts.iter().zip(&layout.rects);
        parts.filter(move |(part, _)| part.look.is_box() == is_box)
    };
    for (part, rect) in of(true) {
        begin(
            if part.look == Look::Scope { "box scope" } else { "box" },
            part,
            *rect,
            8.0,
            &mut out,
        );
        out.push_str("</g>\n");
    }
    let mut pieces = vec![Vec::new(); nets.len()];
    layout.pieces.iter().for_each(|piece| pieces[piece.net].push(piece));
    for (wire, pieces) in picture.wires.iter().zip(&pieces) {
        let class = if wire.is_control { "control" } else { "data" };
        let _ = write!(out, "<g class=\"{class}\"><title>{}</title>", escaped(&wire.tip));
        for piece in pieces {
            let ((x, y), (to_x, to_y)) = (piece.from, piece.to);
            let bend = ((to_y - y) / 2.0).abs().max(24.0);
            let arrow = if piece.is_last { " marker-end=\"url(#arrow)\"" } else { "" };
            let _ = match x == to_x && y < to_y {
                true => write!(out, "<path d=\"M{x:.0} {y:.0}V{to_y:.0}\"{arrow}/>"),
                false => write!(
                    out,
                    "<path d=\"M{x:.0} {y:.0}C{x:.0} {:.0} {to_x:.0} {:.0} {to_x:.0} {to_y:.0}\"{arrow}/>",
                    y + bend,
                    to_y - bend
                ),
            };
        }
        out.push_str("</g>\n");
    }
    of(false).for_each(|(part, rect)| draw_node(part, *rect, &mut out));
    for (wire, net) in picture.wires.iter().zip(nets).filter(|(wire, _)| !wire.is_control) {
        let Rect { x, y, height, .. } = layout.rects[net.from.0];
        let (x, y, label) = (x + net.from.1, y + height + SMALL.1, escaped(&wire.label));
        let _ = writeln!(out, "<text class=\"label\" x=\"{x:.0}\" y=\"{y:.0}\">{label}</text>");
    }
    for (part, rect) in of(true) {
        let (x, y, text) = (rect.x + 10.0, rect.y + 17.0, escaped(&part.text.join(" ")));
        let _ = writeln!(out, "<text class=\"name\" x=\"{x:.0}\" y=\"{y:.0}\">{text}</text>");
    }
    out.push_str("</svg>\n");
    out
}

fn draw_node(part: &Part, rect: Rect, out: &mut String) {
    let (class, radius) = match part.look {
        Look::Argument => ("argument", 10.0),
        Look::Capture => ("capture", 10.0),
        Look::Constant => ("constant", 2.0),
        Look::Output => ("output", 12.0),
        Look::Op | Look::Scope | Look::Function => ("op", 4.0),
    };
    begin(class, part, rect, radius, out);
    let x = rect.x + rect.width / 2.0;
    for (i, text) in part.text.iter().enumerate() {
        let y = rect.y + 16.0 + LETTER.1 * i as f64;
        let _ = write!(out, "<text x=\"{x:.0}\" y=\"{y:.0}\">{}</text>", escaped(text));
    }
    out.push_str("</g>\n");
}

fn begin(class: &str, part: &Part, rect: Rect, radius: f64, out: &mut String) {
    let Rect { x, y, width, height } = rect;
    let _ = write!(
        out,
        "<g class=\"{class}\"><title>{}</title><rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" rx=\"{radius:.0}\"/>",
        escaped(&part.tip)
    );
}

/// Text for XML, which has no way to write most control characters.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\t' | '\n' => out.push(c),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}
