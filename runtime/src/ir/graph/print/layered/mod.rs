//! A layered layout of blocks in nested boxes, from top to bottom.
//!
//! A box is laid out by itself, then it is one block of the box around it. A wire that leaves a box passes a port at the
//! bottom of it, one that enters passes a port at the top. Crates for layered layouts know no nested boxes, and what they
//! would save is the part that is least of this.

mod layers;

use std::collections::BTreeMap;

use layers::Layers;
use rustc_hash::FxHashMap;

/// The space around a box's blocks, and between blocks.
const PAD: f64 = 14.0;
const BESIDE: f64 = 22.0;
/// Functions beside each other are not wider than this, unless one is.
const WIDEST: f64 = 1600.0;

/// A block to place.
pub(super) struct Block {
    /// The box that it is in, a block before it.
    pub(super) within: Option<usize>,
    /// The size. A box is as large as it needs, and at least as wide as its title; this height is that of the title.
    pub(super) size: (f64, f64),
    pub(super) is_box: bool,
}

/// A wire from one block to others, which are no boxes. The numbers say where, from the left edge.
pub(super) struct Net {
    pub(super) from: (usize, f64),
    pub(super) to: Vec<(usize, f64)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rect {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A piece of a wire: a curve that begins and ends vertically.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Piece {
    pub(super) net: usize,
    pub(super) from: (f64, f64),
    pub(super) to: (f64, f64),
    /// True if it ends at a block.
    pub(super) is_last: bool,
}

/// Where everything is.
#[derive(Debug, Default)]
pub(super) struct Layout {
    pub(super) size: (f64, f64),
    pub(super) rects: Vec<Rect>,
    pub(super) pieces: Vec<Piece>,
}

/// The part of a wire that is in one box.
#[derive(Default)]
struct Local {
    /// The block that it comes from, and where; `None` for the port at the top.
    from: Option<(usize, f64)>,
    /// The blocks that it goes to.
    to: Vec<(usize, f64)>,
    /// True if it leaves through the port at the bottom.
    leaves: bool,
}

/// A box that is laid out, with coordinates from its own corner.
#[derive(Default)]
struct Boxed {
    size: (f64, f64),
    /// The place of each block in it.
    inside: Vec<(usize, f64, f64)>,
    pieces: Vec<Piece>,
    /// Where each wire enters and leaves.
    top: FxHashMap<usize, f64>,
    bottom: FxHashMap<usize, f64>,
}

/// Lays out blocks. The outermost ones are boxes, and no wire joins two of them.
pub(super) fn layout(blocks: &[Block], nets: &[Net]) -> Layout {
    let mut children = vec![Vec::new(); blocks.len()];
    for (i, block) in blocks.iter().enumerate() {
        if let Some(within) = block.within {
            children[within].push(i);
        }
    }
    let locals = locals(blocks, nets);
    let mut boxes: Vec<Boxed> =
        blocks.iter().map(|block| Boxed { size: block.size, ..Boxed::default() }).collect();
    // What is in a box comes after it.
    for i in (0..blocks.len()).rev().filter(|i| blocks[*i].is_box) {
        boxes[i] = Layers::new(&children[i], &locals[i], &boxes).boxed(blocks[i].size);
    }
    let mut layout = Layout { rects: vec![Rect::default(); blocks.len()], ..Layout::default() };
    layout.put_beside(blocks, &boxes);
    for (i, boxed) in boxes.iter().enumerate() {
        let Rect { x, y, .. } = layout.rects[i];
        for (block, dx, dy) in &boxed.inside {
            let (width, height) = boxes[*block].size;
            layout.rects[*block] = Rect { x: x + dx, y: y + dy, width, height };
        }
        layout.pieces.extend(boxed.pieces.iter().map(|piece| Piece {
            from: (piece.from.0 + x, piece.from.1 + y),
            to: (piece.to.0 + x, piece.to.1 + y),
            ..*piece
        }));
    }
    layout
}

impl Layout {
    /// Puts the outermost boxes in rows.
    fn put_beside(&mut self, blocks: &[Block], boxes: &[Boxed]) {
        let outer = || (0..blocks.len()).filter(|i| blocks[*i].within.is_none());
        let widest = outer().map(|i| boxes[i].size.0).fold(WIDEST, f64::max);
        let (mut x, mut y, mut row) = (PAD, PAD, 0.0f64);
        for i in outer() {
            let (width, height) = boxes[i].size;
            if x > PAD && x + width > widest + PAD {
                (x, y, row) = (PAD, y + row + BESIDE, 0.0);
            }
            self.rects[i] = Rect { x, y, width, height };
            x += width + BESIDE;
            row = row.max(height);
            self.size.0 = self.size.0.max(x - BESIDE + PAD);
            self.size.1 = y + row + PAD;
        }
    }
}

/// For each box, the wires in it.
fn locals(blocks: &[Block], nets: &[Net]) -> Vec<BTreeMap<usize, Local>> {
    let around = |block: usize| std::iter::successors(blocks[block].within, |b| blocks[*b].within);
    let mut locals: Vec<BTreeMap<usize, Local>> = Vec::new();
    locals.resize_with(blocks.len(), BTreeMap::new);
    for (n, net) in nets.iter().enumerate() {
        for to in &net.to {
            let boxes: Vec<usize> = around(to.0).collect();
            let (mut from, mut common) = (net.from, None);
            for b in around(net.from.0) {
                let local = locals[b].entry(n).or_default();
                local.from = Some(from);
                if let Some(at) = boxes.iter().position(|other| *other == b) {
                    common = Some(at);
                    break;
                }
                local.leaves = true;
                from = (b, 0.0);
            }
            // Down from the box that holds both ends.
            let Some(common) = common else { continue };
            for at in 0..=common {
                let target = if at == 0 { *to } else { (boxes[at - 1], 0.0) };
                let local = locals[boxes[at]].entry(n).or_default();
                if at == 0 || !local.to.contains(&target) {
                    local.to.push(target);
                }
            }
        }
    }
    locals
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Blocks from pairs of the box around and whether it is a box.
    fn blocks(of: &[(Option<usize>, bool)]) -> Vec<Block> {
        let block = |(within, is_box): &(Option<usize>, bool)| Block {
            within: *within,
            size: if *is_box { (60.0, 25.0) } else { (40.0, 20.0) },
            is_box: *is_box,
        };
        of.iter().map(block).collect()
    }

    fn net(from: usize, to: &[usize]) -> Net {
        Net { from: (from, 10.0), to: to.iter().map(|to| (*to, 30.0)).collect() }
    }

    /// Lays out, and checks that blocks are in their boxes and beside each other, and that wires join their ends.
    fn checked(blocks: &[Block], nets: &[Net]) -> Layout {
        let layout = layout(blocks, nets);
        let holds = |a: &Rect, b: &Rect| {
            let (right, bottom) = (a.x + a.width, a.y + a.height);
            a.x <= b.x && a.y <= b.y && b.x + b.width <= right && b.y + b.height <= bottom
        };
        let all = Rect { width: layout.size.0, height: layout.size.1, ..Rect::default() };
        for (i, block) in blocks.iter().enumerate() {
            let around = block.within.map_or(&all, |b| &layout.rects[b]);
            assert!(holds(around, &layout.rects[i]), "{i}: {layout:?}");
            for j in (0..i).filter(|j| blocks[*j].within == block.within) {
                let (a, b) = (layout.rects[i], layout.rects[j]);
                let apart = a.x + a.width <= b.x || b.x + b.width <= a.x;
                assert!(
                    apart || a.y + a.height <= b.y || b.y + b.height <= a.y,
                    "{i}, {j}: {layout:?}"
                );
            }
        }
        for (n, net) in nets.iter().enumerate() {
            let pieces: Vec<&Piece> = layout.pieces.iter().filter(|p| p.net == n).collect();
            let Rect { x, y, height, .. } = layout.rects[net.from.0];
            let start = (x + net.from.1, y + height);
            let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).abs() + (a.1 - b.1).abs() < 1e-6;
            for (to, at) in &net.to {
                // Back along the pieces.
                let Rect { x, y, .. } = layout.rects[*to];
                let end = (x + at, y);
                let mut piece = pieces.iter().find(|p| p.is_last && near(p.to, end));
                while let Some(p) = piece.filter(|p| !near(p.from, start)) {
                    piece = pieces.iter().find(|before| near(before.to, p.from));
                }
                assert!(piece.is_some(), "{n} to {to}: {layout:?}");
            }
        }
        layout
    }

    #[test]
    fn what_uses_a_block_is_below_it_and_what_it_uses_is_near() {
        let leaf = (Some(0), false);
        let blocks = blocks(&[(None, true), leaf, leaf, leaf, leaf, leaf]);
        // Block 4 is only used by the last one.
        let layout = checked(&blocks, &[net(1, &[2, 5]), net(2, &[3]), net(3, &[5]), net(4, &[5])]);
        let y = |i: usize| layout.rects[i].y;
        assert!(y(1) < y(2) && y(2) < y(3) && y(3) < y(5), "{layout:?}");
        assert_eq!(y(4), y(3));
        assert!(layout.pieces.iter().all(|p| p.from.1 <= p.to.1), "{layout:?}");
    }

    #[test]
    fn wires_pass_the_boxes_around_their_ends() {
        // Two boxes side by side in the first, and a box in the second of them.
        let blocks = blocks(&[
            (None, true),
            (Some(0), true),
            (Some(1), false),
            (Some(0), true),
            (Some(3), true),
            (Some(4), false),
            (Some(3), false),
            (Some(0), false),
        ]);
        let layout = checked(&blocks, &[net(2, &[5, 6, 7]), net(5, &[6, 7])]);
        assert!(layout.rects[1].y + layout.rects[1].height < layout.rects[3].y, "{layout:?}");
    }

    #[test]
    fn boxes_that_use_each_other_are_laid_out() {
        let blocks = blocks(&[
            (None, true),
            (Some(0), true),
            (Some(1), false),
            (Some(0), true),
            (Some(3), false),
            (Some(1), false),
        ]);
        checked(&blocks, &[net(2, &[4]), net(4, &[5])]);
    }

    #[test]
    fn the_order_of_a_layer_is_that_with_few_crossings() {
        let mut of = vec![(None, true)];
        of.extend([(Some(0), false); 8]);
        let layout =
            checked(&blocks(&of), &[net(1, &[8]), net(2, &[7]), net(3, &[6]), net(4, &[5])]);
        let x = |i: usize| layout.rects[i].x;
        let pairs = [(1, 8), (2, 7), (3, 6), (4, 5)];
        for (a, b) in pairs {
            assert!(pairs.iter().all(|(c, d)| (x(a) < x(*c)) == (x(b) < x(*d))), "{layout:?}");
        }
    }

    #[test]
    fn nothing_is_laid_out_as_nothing() {
        assert_eq!(layout(&[], &[]).size, (0.0, 0.0));
        let layout = checked(&blocks(&[(None, true), (None, true)]), &[]);
        assert_eq!(
            layout.rects[1],
            Rect { x: PAD + 60.0 + BESIDE, y: PAD, width: 60.0, height: 25.0 }
        );
    }
}
