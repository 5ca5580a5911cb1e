//! The page of ops as sentences of words.

use std::collections::BTreeMap;

/// The page of the project's documentation that lists its ops by subject.
pub(crate) const OPS: &str = include_str!("../../../../docs/OPS.md");

/// Subjects of fewer ops are left out.
const LEAST: usize = 8;

/// What is said of one op.
pub(crate) struct Sentence {
    pub(crate) words: Vec<String>,
    /// A number in [`Page::subjects`].
    pub(crate) subject: usize,
}

/// All that is said of ops.
pub(crate) struct Page {
    pub(crate) subjects: Vec<String>,
    pub(crate) sentences: Vec<Sentence>,
}

impl Page {
    /// Reads headings, and the last column of the tables below them.
    pub(crate) fn parse(text: &str) -> Self {
        let mut found: Vec<(&str, Vec<Vec<String>>)> = Vec::new();
        for line in text.lines() {
            if let Some(subject) = line.strip_prefix("## ") {
                found.push((subject, Vec::new()));
            } else if let (Some((_, sentences)), Some(row)) =
                (found.last_mut(), line.strip_prefix("| `"))
            {
                // A bar that belongs to a sentence is written `\|`.
                let cells = row.replace("\\|", " ");
                let last = cells.trim_end_matches(['|', ' ']).rsplit('|').next();
                sentences.push(words(last.unwrap_or_default()));
            }
        }
        found.retain(|(_, sentences)| sentences.len() >= LEAST);
        let mut page = Page { subjects: Vec::new(), sentences: Vec::new() };
        for (subject, (name, sentences)) in found.into_iter().enumerate() {
            page.subjects.push(name.to_owned());
            page.sentences.extend(sentences.into_iter().map(|words| Sentence { words, subject }));
        }
        page
    }
}

/// The words of a text in small letters.
pub(crate) fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The words that occur twice or more, with numbers from 1. The number 0 stands for all others.
pub(crate) struct Vocabulary {
    words: Vec<String>,
    ids: BTreeMap<String, i64>,
}

impl Vocabulary {
    pub(crate) fn of<'a>(sentences: impl Iterator<Item = &'a [String]>) -> Self {
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for word in sentences.flatten() {
            *counts.entry(word).or_default() += 1;
        }
        let often = counts.into_iter().filter(|(_, n)| *n > 1).map(|(word, _)| word);
        let words: Vec<String> = std::iter::once("…").chain(often).map(str::to_owned).collect();
        let ids = words.iter().cloned().zip(0..).collect();
        Self { words, ids }
    }

    pub(crate) fn len(&self) -> usize {
        self.words.len()
    }

    pub(crate) fn word(&self, id: usize) -> &str {
        &self.words[id]
    }

    pub(crate) fn ids(&self, words: &[String]) -> Vec<i64> {
        words.iter().map(|word| self.ids.get(word).copied().unwrap_or(0)).collect()
    }
}
