//! One box: its blocks in layers, in an order with few crossings, near to what they are joined to.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use super::{BESIDE, Boxed, Local, PAD, Piece};

/// The space between layers.
const BELOW: f64 = 46.0;
/// The width that a wire takes where it passes a layer.
const LANE: f64 = 10.0;
/// How often the order of the layers, and their coordinates, are improved.
const SWEEPS: usize = 12;

/// The blocks of a box, each after those that it uses, otherwise as they are. Of blocks that use each other, the first
/// one is first.
fn sorted(children: &[usize], locals: &BTreeMap<usize, Local>) -> Vec<usize> {
    let ends = locals.values().filter_map(|local| Some((local.from?.0, &local.to)));
    let uses: BTreeSet<(usize, usize)> =
        ends.flat_map(|(from, to)| to.iter().map(move |to| (from, to.0))).collect();
    let mut waits: BTreeMap<usize, usize> = children.iter().map(|block| (*block, 0)).collect();
    uses.iter().for_each(|(_, to)| *waits.entry(*to).or_default() += 1);
    let mut ready: BTreeSet<usize> =
        waits.iter().filter(|(_, n)| **n == 0).map(|(block, _)| *block).collect();
    let mut sorted = Vec::with_capacity(children.len());
    while let Some(next) = ready.pop_first().or_else(|| waits.keys().next().copied()) {
        waits.remove(&next);
        sorted.push(next);
        for (_, to) in uses.range((next, 0)..(next + 1, 0)) {
            if let Some(n) = waits.get_mut(to) {
                *n -= 1;
                if *n == 0 {
                    ready.insert(*to);
                }
            }
        }
    }
    sorted
}

/// What takes a place in a layer: a block, a port, or a wire that passes.
#[derive(Default)]
struct Spot {
    block: Option<usize>,
    rank: usize,
    width: f64,
    height: f64,
    /// Its middle.
    x: f64,
    /// Its place in the layer.
    order: f64,
    ins: Vec<usize>,
    outs: Vec<usize>,
}

/// A piece of a wire between two spots; `at` are the distances from their middles.
struct Link {
    net: usize,
    spots: [usize; 2],
    at: [f64; 2],
    is_last: bool,
}

/// A box while it is laid out.
#[derive(Default)]
pub(super) struct Layers {
    spots: Vec<Spot>,
    /// Links to the next layer.
    links: Vec<Link>,
    /// Links upwards, where boxes depend on each other both ways.
    back: Vec<Link>,
    layers: Vec<Vec<usize>>,
    top: BTreeMap<usize, usize>,
    bottom: BTreeMap<usize, usize>,
}

impl Layers {
    pub(super) fn new(
        children: &[usize],
        locals: &BTreeMap<usize, Local>,
        boxes: &[Boxed],
    ) -> Self {
        let mut this = Layers::default();
        let sorted = sorted(children, locals);
        let spot_of: FxHashMap<usize, usize> =
            sorted.iter().enumerate().map(|(spot, block)| (*block, spot)).collect();
        for block in sorted {
            let (width, height) = boxes[block].size;
            this.spots.push(Spot { block: Some(block), width, height, ..Spot::default() });
        }
        for (net, local) in locals {
            if local.from.is_none() {
                let port = this.port();
                this.top.insert(*net, port);
            }
            if local.leaves {
                let port = this.port();
                this.bottom.insert(*net, port);
            }
        }
        // From spots to spots, before wires are cut at layers.
        let mut wires = Vec::new();
        for (net, local) in locals {
            let middle = |block: usize| boxes[block].size.0 / 2.0;
            let from = match local.from {
                None => (this.top[net], 0.0),
                Some((b, at)) => {
                    (spot_of[&b], boxes[b].bottom.get(net).copied().unwrap_or(at) - middle(b))
                }
            };
            let mut to: Vec<(usize, f64, bool)> = Vec::new();
            for (b, at) in &local.to {
                let port = boxes[*b].top.get(net).copied();
                to.push((spot_of[b], port.unwrap_or(*at) - middle(*b), port.is_none()));
            }
            to.extend(this.bottom.get(net).map(|port| (*port, 0.0, false)));
            wires.push((*net, from, to));
        }
        let ends: Vec<(usize, usize)> =
            wires.iter().flat_map(|(_, from, to)| to.iter().map(|to| (from.0, to.0))).collect();
        this.rank(children.len(), &ends);
        for (net, from, to) in wires {
            this.cut(net, from, to);
        }
        this
    }

    fn port(&mut self) -> usize {
        self.spots.push(Spot { width: LANE, ..Spot::default() });
        self.spots.len() - 1
    }

    /// Puts each block below those that it uses, but no higher than needed: what has more uses than operands is above its
    /// first use.
    fn rank(&mut self, blocks: usize, ends: &[(usize, usize)]) {
        let is_block = |spot: usize| spot < blocks;
        let down = ends.iter().filter(|(a, b)| is_block(*a) && is_block(*b) && a < b);
        let down: BTreeSet<(usize, usize)> = down.copied().collect();
        let mut ranks = vec![1; blocks];
        for (a, b) in &down {
            ranks[*b] = ranks[*b].max(ranks[*a] + 1);
        }
        let last = ranks.iter().copied().max().unwrap_or(1);
        let mut more_uses = vec![0isize; blocks];
        let mut leaves = vec![false; blocks];
        for (a, b) in ends {
            if is_block(*a) {
                more_uses[*a] += 1;
                leaves[*a] |= !is_block(*b);
            }
            if is_block(*b) {
                more_uses[*b] -= 1;
            }
        }
        for a in (0..blocks).rev().filter(|a| more_uses[*a] > 0) {
            let uses = down.range((a, 0)..(a + 1, 0)).map(|(_, b)| ranks[*b]);
            let first = uses.chain(leaves[a].then_some(last + 1)).min();
            ranks[a] = first.map_or(ranks[a], |first| first - 1).max(ranks[a]);
        }
        // Without the ranks that are empty now.
        let used: BTreeSet<usize> = ranks.iter().copied().collect();
        let dense: FxHashMap<usize, usize> = used.iter().copied().zip(1..).collect();
        for (spot, rank) in self.spots.iter_mut().zip(ranks) {
            spot.rank = dense[&rank];
        }
        for port in self.bottom.values() {
            self.spots[*port].rank = used.len() + 1;
        }
    }

    /// Adds the links of a wire, with a spot in each layer that it passes. Its branches share these.
    fn cut(&mut self, net: usize, from: (usize, f64), mut to: Vec<(usize, f64, bool)>) {
        to.sort_by_key(|(spot, ..)| self.spots[*spot].rank);
        let mut lane = from;
        for (spot, at, is_last) in to {
            let rank = self.spots[spot].rank;
            if rank <= self.spots[from.0].rank {
                let (spots, at) = ([from.0, spot], [from.1, at]);
                self.back.push(Link { net, spots, at, is_last });
                continue;
            }
            while self.spots[lane.0].rank + 1 < rank {
                let next = self.port();
                self.spots[next].rank = self.spots[lane.0].rank + 1;
                self.link(net, lane, (next, 0.0), false);
                lane = (next, 0.0);
            }
            self.link(net, lane, (spot, at), is_last);
        }
    }

    fn link(&mut self, net: usize, from: (usize, f64), to: (usize, f64), is_last: bool) {
        let link = self.links.len();
        self.spots[from.0].outs.push(link);
        self.spots[to.0].ins.push(link);
        self.links.push(Link { net, spots: [from.0, to.0], at: [from.1, to.1], is_last });
    }

    pub(super) fn boxed(mut self, title: (f64, f64)) -> Boxed {
        let depth = self.spots.iter().map(|spot| spot.rank + 1).max().unwrap_or(1);
        self.layers = vec![Vec::new(); depth];
        for (i, spot) in self.spots.iter().enumerate() {
            self.layers[spot.rank].push(i);
        }
        self.order();
        self.spread();
        self.placed(title)
    }

    /// Sorts the layers so that few links cross.
    fn order(&mut self) {
        self.number();
        let (mut best, mut least) = (self.layers.clone(), self.crossings());
        for sweep in 0..SWEEPS {
            if least == 0 {
                break;
            }
            for rank in ranks(self.layers.len(), sweep) {
                let mut layer = std::mem::take(&mut self.layers[rank]);
                let wanted: FxHashMap<usize, f64> =
                    layer.iter().map(|i| (*i, self.mean_order(*i, sweep))).collect();
                layer.sort_by(|a, b| wanted[a].total_cmp(&wanted[b]));
                for (i, spot) in layer.iter().enumerate() {
                    self.spots[*spot].order = i as f64;
                }
                self.layers[rank] = layer;
            }
            let crossings = self.crossings();
            if crossings < least {
                (best, least) = (self.layers.clone(), crossings);
            }
        }
        self.layers = best;
        self.number();
    }

    fn number(&mut self) {
        for layer in &self.layers {
            for (i, spot) in layer.iter().enumerate() {
                self.spots[*spot].order = i as f64;
            }
        }
    }

    /// The mean place of what a spot is linked to in the layer before, on the way down, or after.
    fn mean_order(&self, spot: usize, sweep: usize) -> f64 {
        let Spot { ins, outs, order, .. } = &self.spots[spot];
        let (links, end) = if is_down(sweep) { (ins, 0) } else { (outs, 1) };
        match links.len() {
            0 => *order,
            n => links.iter().map(|l| self.order_at(*l, end)).sum::<f64>() / n as f64,
        }
    }

    /// The place of an end of a link in its layer, with the part of the spot that it is at.
    fn order_at(&self, link: usize, end: usize) -> f64 {
        let Link { spots, at, .. } = &self.links[link];
        let spot = &self.spots[spots[end]];
        spot.order + at[end] / spot.width.max(1.0)
    }

    fn crossings(&self) -> usize {
        let of_layer = |layer: &Vec<usize>| {
            let links = layer.iter().flat_map(|spot| &self.spots[*spot].outs);
            let mut ends: Vec<(f64, f64)> =
                links.map(|l| (self.order_at(*l, 0), self.order_at(*l, 1))).collect();
            ends.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1)));
            // Each link crosses those before it that end after it.
            let (mut sorted, mut count) = (Vec::<f64>::new(), 0);
            for (_, to) in ends {
                let at = sorted.partition_point(|other| *other <= to);
                count += sorted.len() - at;
                sorted.insert(at, to);
            }
            count
        };
        self.layers.iter().map(of_layer).sum()
    }

    /// Gives the spots coordinates from left to right: near to what they are linked to, in their order.
    fn spread(&mut self) {
        for rank in 0..self.layers.len() {
            self.place(rank, |_, _| (0.0, 1.0));
        }
        for sweep in 0..SWEEPS {
            let both = sweep + 2 >= SWEEPS;
            for rank in ranks(self.layers.len(), sweep) {
                self.place(rank, |layers, spot| layers.wanted(spot, sweep, both));
            }
        }
    }

    /// The mean of the coordinates at which a spot's links are straight, and its weight. Links between lanes weigh most.
    fn wanted(&self, spot: usize, sweep: usize, both: bool) -> (f64, f64) {
        let Spot { ins, outs, x, .. } = &self.spots[spot];
        let (mut sum, mut weight) = (0.01 * x, 0.01);
        for (links, end, is_used) in [(ins, 0, is_down(sweep)), (outs, 1, !is_down(sweep))] {
            for link in links.iter().filter(|_| is_used || both) {
                let Link { spots, at, .. } = &self.links[*link];
                let lanes = spots.iter().filter(|s| self.spots[**s].block.is_none()).count();
                let w = [1.0, 2.0, 8.0][lanes];
                sum += w * (self.spots[spots[end]].x + at[end] - at[1 - end]);
                weight += w;
            }
        }
        (sum / weight, weight)
    }

    /// Moves the spots of a layer to where they want to be, as near as their order and widths allow: the least sum of
    /// squared distances, by pooling neighbours that would overlap.
    fn place(&mut self, rank: usize, wanted: impl Fn(&Self, usize) -> (f64, f64)) {
        let mut left = 0.0;
        let mut offsets = Vec::with_capacity(self.layers[rank].len());
        // Pools: weight, weighted sum, spots.
        let mut pools: Vec<(f64, f64, usize)> = Vec::new();
        for (i, spot) in self.layers[rank].iter().enumerate() {
            let Spot { width, block, .. } = &self.spots[*spot];
            if i > 0 {
                left += width / 2.0 + if block.is_some() { BESIDE } else { LANE };
            }
            offsets.push(left);
            let (x, weight) = wanted(self, *spot);
            let mut pool = (weight, weight * (x - left), 1);
            while let Some((w, sum, n)) = pools.pop_if(|p| p.1 / p.0 > pool.1 / pool.0) {
                pool = (pool.0 + w, pool.1 + sum, pool.2 + n);
            }
            pools.push(pool);
            left += width / 2.0;
        }
        let means = pools.iter().flat_map(|(w, sum, n)| std::iter::repeat_n(sum / w, *n));
        for ((spot, offset), mean) in self.layers[rank].iter().zip(offsets).zip(means) {
            self.spots[*spot].x = mean + offset;
        }
    }

    /// The box, with everything in its place.
    fn placed(self, title: (f64, f64)) -> Boxed {
        let edge = |sign: f64| move |spot: &Spot| sign * (spot.x + sign * spot.width / 2.0);
        let right = self.spots.iter().map(edge(1.0)).reduce(f64::max).unwrap_or(0.0);
        let left = -self.spots.iter().map(edge(-1.0)).reduce(f64::max).unwrap_or(0.0);
        let width = (right - left).max(title.0 - 2.0 * PAD);
        let shift = PAD - left + (width - (right - left)) / 2.0;

        let height = |layer: &Vec<usize>| {
            layer.iter().map(|spot| self.spots[*spot].height).fold(0.0f64, f64::max)
        };
        let mut tops = vec![0.0];
        let mut y = title.1 + if self.top.is_empty() { PAD / 2.0 } else { BELOW / 2.0 };
        let mut bottom = title.1;
        let last = if self.bottom.is_empty() { 0 } else { self.layers.len() };
        for layer in &self.layers[1..] {
            tops.push(y);
            bottom = y + height(layer);
            // Ports need less space: no label is above them, no arrow at them.
            y = bottom + if tops.len() + 1 == last { BELOW / 2.0 + PAD / 2.0 } else { BELOW };
        }
        if self.bottom.is_empty() && self.layers.len() > 1 {
            bottom += PAD;
        }
        let size = (width + 2.0 * PAD, bottom);
        let span = |spot: &Spot| match spot.block {
            None => (tops[spot.rank], tops[spot.rank] + height(&self.layers[spot.rank])),
            Some(_) => {
                let room = height(&self.layers[spot.rank]) - spot.height;
                let top = tops[spot.rank] + room / 2.0;
                (top, top + spot.height)
            }
        };
        let mut boxed = Boxed { size, ..Boxed::default() };
        for spot in &self.spots {
            if let Some(block) = spot.block {
                boxed.inside.push((block, spot.x + shift - spot.width / 2.0, span(spot).0));
            }
        }
        for link in self.links.iter().chain(&self.back) {
            let [from, to] = link.spots.map(|spot| &self.spots[spot]);
            let from_point = (from.x + link.at[0] + shift, span(from).1);
            let to_point = (to.x + link.at[1] + shift, span(to).0);
            let (net, is_last) = (link.net, link.is_last);
            boxed.pieces.push(Piece { net, from: from_point, to: to_point, is_last });
            // A lane goes straight through its layer.
            let (top, bottom) = span(to);
            if to.block.is_none() && bottom > top {
                let end = (to_point.0, bottom);
                boxed.pieces.push(Piece { net, from: to_point, to: end, is_last: false });
            }
        }
        let place = |ports: &BTreeMap<usize, usize>| -> FxHashMap<usize, f64> {
            ports.iter().map(|(net, spot)| (*net, self.spots[*spot].x + shift)).collect()
        };
        (boxed.top, boxed.bottom) = (place(&self.top), place(&self.bottom));
        boxed
    }
}

fn is_down(sweep: usize) -> bool {
    sweep.is_multiple_of(2)
}

/// The layers in the order of a sweep.
fn ranks(layers: usize, sweep: usize) -> Box<dyn Iterator<Item = usize>> {
    if is_down(sweep) { Box::new(0..layers) } else { Box::new((0..layers).rev()) }
}
