//! The name that a misspelt one is meant to be.

/// The candidate that the fewest edits separate from the word, if it is near enough to be meant.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = word.chars().count() / 3 + 1;
    let scored = candidates.into_iter().map(|c| (distance(word, c), c));
    scored.filter(|(d, _)| *d <= limit).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// The number of insertions, deletions and replacements of characters between two words.
fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, y) in b.chars().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_near() {
        assert_eq!((distance("", "abc"), distance("kitten", "sitting")), (3, 3));
        let names = ["Square", "Square_1", "AddV2"];
        assert_eq!(nearest("Sqaure", names), Some("Square"));
        assert_eq!(nearest("Square_2", names), Some("Square_1"));
        assert_eq!(nearest("MatMul", names), None);
    }
}
