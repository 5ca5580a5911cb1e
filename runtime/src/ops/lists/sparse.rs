//! A sparse array, stored as a tree. A changed copy shares unchanged nodes with its original. A node that is not
//! shared is changed in place.

use std::sync::Arc;

/// The binary logarithm of the number of children of a node. A change of a shared tree copies one node at each
/// level.
const BITS: u32 = 4;
const WIDTH: usize = 1 << BITS;

#[derive(Clone)]
enum Node<T> {
    Leaf([Option<T>; WIDTH]),
    Inner([Option<Arc<Node<T>>>; WIDTH]),
}

/// A sparse array of elements.
#[derive(Clone)]
pub(super) struct Sparse<T> {
    root: Option<Arc<Node<T>>>,
    /// The levels above the leaves.
    height: u32,
}

impl<T: Clone> Node<T> {
    fn new(height: u32) -> Self {
        match height {
            0 => Node::Leaf([const { None }; WIDTH]),
            _ => Node::Inner([const { None }; WIDTH]),
        }
    }
}

/// Which child of a node at this height leads to the place.
fn child(place: usize, height: u32) -> usize {
    (place >> (BITS * height)) & (WIDTH - 1)
}

/// True if a tree of this height has the place.
fn fits(place: usize, height: u32) -> bool {
    place.checked_shr(BITS * (height + 1)).unwrap_or(0) == 0
}

impl<T: Clone> Sparse<T> {
    pub(super) fn new() -> Self {
        Self { root: None, height: 0 }
    }

    pub(super) fn get(&self, place: usize) -> Option<&T> {
        if !fits(place, self.height) {
            return None;
        }
        let mut node = self.root.as_deref()?;
        let mut height = self.height;
        loop {
            match node {
                Node::Leaf(items) => return items[child(place, 0)].as_ref(),
                Node::Inner(children) => node = children[child(place, height)].as_deref()?,
            }
            height -= 1;
        }
    }

    pub(super) fn set(&mut self, place: usize, item: T) {
        while !fits(place, self.height) {
            self.height += 1;
            if let Some(old) = self.root.take() {
                let mut children = [const { None }; WIDTH];
                children[0] = Some(old);
                self.root = Some(Arc::new(Node::Inner(children)));
            }
        }
        let mut height = self.height;
        let mut slot = &mut self.root;
        loop {
            match Arc::make_mut(slot.get_or_insert_with(|| Arc::new(Node::new(height)))) {
                Node::Leaf(items) => {
                    items[child(place, 0)] = Some(item);
                    return;
                }
                Node::Inner(children) => slot = &mut children[child(place, height)],
            }
            height -= 1;
        }
    }

    /// Removes the elements from this place on.
    pub(super) fn truncate(&mut self, len: usize) {
        if len == 0 {
            *self = Self::new();
        } else if fits(len, self.height) {
            cut(&mut self.root, self.height, len);
        }
    }

    /// Calls `f` with all places and elements, in order.
    pub(super) fn each<E>(&self, mut f: impl FnMut(usize, &T) -> Result<(), E>) -> Result<(), E> {
        self.root.as_deref().map_or(Ok(()), |root| visit(root, self.height, 0, &mut f))
    }

    /// The first element.
    pub(super) fn first(&self) -> Option<T> {
        self.each(|_, item| Err(item.clone())).err()
    }
}

/// Removes the elements of a node from this place on.
fn cut<T: Clone>(slot: &mut Option<Arc<Node<T>>>, height: u32, len: usize) {
    let Some(node) = slot else { return };
    let at = child(len, height);
    let within = len & ((1 << (BITS * height)) - 1);
    if at == 0 && within == 0 {
        *slot = None;
        return;
    }
    match Arc::make_mut(node) {
        Node::Leaf(items) => items[at..].fill(None),
        Node::Inner(children) => {
            cut(&mut children[at], height - 1, within);
            children[at + 1..].fill(None);
        }
    }
}

fn visit<T, E>(
    node: &Node<T>,
    height: u32,
    start: usize,
    f: &mut impl FnMut(usize, &T) -> Result<(), E>,
) -> Result<(), E> {
    match node {
        Node::Leaf(items) => {
            for (i, item) in items.iter().enumerate() {
                item.as_ref().map_or(Ok(()), |item| f(start + i, item))?;
            }
        }
        Node::Inner(children) => {
            for (i, node) in children.iter().enumerate() {
                let start = start + (i << (BITS * height));
                node.as_deref().map_or(Ok(()), |node| visit(node, height - 1, start, f))?;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn all(x: &Sparse<usize>) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        let Ok(()) = x.each(|i, x| {
            found.push((i, *x));
            Ok::<(), std::convert::Infallible>(())
        });
        found
    }

    #[test]
    fn what_is_set_and_cut_is_what_a_map_holds() {
        let mut state = 1usize;
        let mut next = move |below: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 33) % below
        };
        let (mut x, mut map) = (Sparse::new(), BTreeMap::new());
        let mut kept: Vec<(Sparse<usize>, BTreeMap<usize, usize>)> = Vec::new();
        for i in 0..4000 {
            match next(20) {
                0 => {
                    let len = next(300);
                    x.truncate(len);
                    map.retain(|place, _| *place < len);
                }
                1 => kept.push((x.clone(), map.clone())),
                n => {
                    let place = if n == 2 { next(1 << 20) } else { next(300) };
                    x.set(place, i);
                    map.insert(place, i);
                }
            }
            let place = next(300);
            assert_eq!(x.get(place), map.get(&place));
            assert_eq!(x.first().is_some(), !map.is_empty());
        }
        kept.push((x, map));
        for (x, map) in kept {
            assert_eq!(all(&x), map.into_iter().collect::<Vec<_>>());
        }
    }

    #[test]
    fn places_may_be_anywhere() {
        let mut x = Sparse::new();
        for place in [0, usize::MAX, usize::MAX / 2, 15, 16] {
            x.set(place, place);
        }
        assert_eq!(x.get(usize::MAX), Some(&usize::MAX));
        x.truncate(usize::MAX);
        assert_eq!(all(&x), [0, 15, 16, usize::MAX / 2].map(|i| (i, i)));
        x.truncate(16);
        assert_eq!(all(&x), [(0, 0), (15, 15)]);
    }
}
