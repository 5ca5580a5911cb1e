//! The nearest name in a list, for misspelt options.

/// The candidate nearest to the word, if it is near enough to be meant.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let limit = word.chars().count() / 3 + 1;
    let scored = candidates.into_iter().map(|c| (distance(word, c), c));
    scored.filter(|(d, _)| *d <= limit).min_by_key(|(d, _)| *d).map(|(_, c)| c)
}

/// The edit distance: insertions, deletions and replacements of characters.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let mut row: Vec<usize> = (0..=b.chars().count()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut left = i + 1;
        let mut next = vec![left];
        for ((y, diagonal), above) in b.chars().zip(&row).zip(row.iter().skip(1)) {
            left = (diagonal + usize::from(x != y)).min(above + 1).min(left + 1);
            next.push(left);
        }
        row = next;
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_edits() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("name", "name"), 0);
    }

    #[test]
    fn the_nearest_is_near() {
        let names = ["name", "validate", "constructor"];
        assert_eq!(nearest("nmae", names), Some("name"));
        assert_eq!(nearest("validated", names), Some("validate"));
        assert_eq!(nearest("zebra", names), None);
    }
}
