//! Scores of a few sentences, questions on the guide, and questions without an answer.

use anyhow::Result;
use extype::prelude::*;

use crate::index::{Index, search, words_of};
use crate::passages::Passage;
use crate::{QUESTIONS, SHOWN, frequent, report};

#[test]
fn words_are_of_any_script_and_no_numbers() -> Result<()> {
    let (words, splits) = words_of(&tensor!["Été: 12 `to_number`s", "", "x-conv2d"])?;
    assert_eq!(words.to_strings()?, ["été", "to_number", "s", "x", "conv2d"]);
    assert_eq!(splits.as_slice::<i64>()?, &[0, 3, 3, 5]);
    Ok(())
}

#[test]
fn scores_are_cosines() -> Result<()> {
    let index = Index::new_of(&tensor!["a cat and a dog", "a dog", "birds sing"])?;
    assert_eq!(index.words.to_strings()?, ["a", "cat", "and", "dog", "birds", "sing"]);
    assert_eq!(index.counts.as_slice::<i64>()?, &[3, 1, 1, 2, 1, 1]);
    let (scores, found) = search(&index, &"The cat, the dog!".to_tensor()?, 3)?;
    assert_eq!(found.as_slice::<i32>()?, &[0, 1, 2]);

    // The same by hand: a word in one of three texts, or in two of them.
    let (one, two) = ((4f32 / 2.0).ln() + 1.0, (4f32 / 3.0).ln() + 1.0);
    let twice = (2f32.ln() + 1.0) * two;
    let question = (one * one + two * two).sqrt();
    let first = (twice * twice + 2.0 * one * one + two * two).sqrt();
    let by_hand =
        [(one * one + two * two) / (question * first), two / (question * 2f32.sqrt()), 0.0];
    for (score, wanted) in scores.as_slice::<f32>()?.iter().zip(by_hand) {
        assert!((score - wanted).abs() < 1e-6, "{scores} {by_hand:?}");
    }
    // A text is most like itself.
    let (scores, found) = search(&index, &"birds sing".to_tensor()?, 3)?;
    assert_eq!(found.index(0)?.item::<i32>()?, 2);
    assert!((scores.index(0)?.item::<f32>()? - 1.0).abs() < 1e-6);
    // Words that no text has find nothing.
    let (scores, _) = search(&index, &"fish?".to_tensor()?, 3)?;
    assert_eq!(scores.as_slice::<f32>()?, &[0.0; 3]);
    Ok(())
}

#[test]
fn the_guide_answers_questions() -> Result<()> {
    let passages = Passage::read(Passage::default_path())?;
    let texts: Vec<&str> = passages.iter().map(|passage| &passage.text[..]).collect();
    let index = Index::new_of(&texts.to_tensor()?)?;
    let words = frequent(&index, SHOWN)?;
    assert!(words.lines().nth(1).is_some_and(|line| line.ends_with("  the")), "{words}");
    for (question, file) in QUESTIONS.iter().zip(["random.md", "control-flow.md", "gradients.md"]) {
        let text = report(&passages, &index, question, SHOWN)?;
        let places: Vec<&str> = text.lines().filter(|line| line.contains(".md: ")).collect();
        assert!(places.len() == SHOWN as usize && places[0].contains(file), "{text}");
    }
    let nothing = report(&passages, &index, "xyzzy", SHOWN)?;
    assert_eq!(nothing, "xyzzy\n");
    Ok(())
}

#[test]
fn passages_are_sections_without_code() {
    let all = Passage::sections("a.md", "# One\nx\n```\n# code\n```\n## Two\n\nlast words\n");
    let places: Vec<&str> = all.iter().map(|p| &p.place[..]).collect();
    assert_eq!(places, ["a.md: One", "a.md: Two"]);
    assert_eq!(all[0].text, "# One\nx\n");
    assert_eq!((all[1].beginning(80), all[1].beginning(4)), ("last words".into(), "last…".into()));
    assert!(Passage::read("no/such.md".as_ref()).unwrap_err().to_string().contains("no/such.md"));
}
