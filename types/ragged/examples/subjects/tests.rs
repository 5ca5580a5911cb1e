//! What the program says is true.

use anyhow::Result;

use super::page::{OPS, Page, Vocabulary, words};
use super::{STEPS, learn};

#[test]
fn sentences_are_the_last_column() {
    let row = |i: usize| format!("| `Op{i}` | `G` | — | yes | yes | The |x\\|x| of Row {i} |\n");
    let text = format!("# Ops\n\n## Few\n\n{}\n## Many\n\n{}", row(0), row(1).repeat(8));
    let page = Page::parse(&text);
    assert_eq!((page.subjects.len(), page.sentences.len()), (1, 8));
    assert_eq!(page.subjects[0], "Many");
    assert_eq!(words("The Rows, x²-free"), ["the", "rows", "x", "free"]);
    let sentences = [words("a b a"), words("c")];
    let vocabulary = Vocabulary::of(sentences.iter().map(|s| &s[..]));
    assert_eq!((vocabulary.len(), vocabulary.ids(&words("b a"))), (2, vec![0, 1]));
}

#[test]
fn held_out_sentences_are_placed_by_what_was_learned() -> Result<()> {
    let page = Page::parse(OPS);
    let learned = learn(&page, STEPS)?;
    let right = learned.model.accuracy(&learned.held_out)?.item::<f32>()?;
    let (_, constant) = learned.most_frequent(&page)?;
    assert!(
        right > 0.6 && right > 1.5 * constant,
        "{right} of the sentences, {constant} by a constant"
    );
    let answers =
        ["splits a text at white space", "draws numbers of a normal distribution", "zzz", ""];
    let answers = learned.answers(&page, &answers.map(str::to_owned))?;
    let lines: Vec<&str> = answers.lines().collect();
    assert!(lines[0].contains(": Strings"), "{answers}");
    assert!(lines[1].contains(": Random numbers"), "{answers}");
    assert!(lines[2..].iter().all(|line| line.contains("none of its words")), "{answers}");
    Ok(())
}
