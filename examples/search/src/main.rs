//! Counts the words of texts, and finds the passages that have most to do with a question.
//!
//! `search [QUESTION [FILE.md | FOLDER]]`: without arguments three questions on the guide of extype.

mod index;
mod passages;
#[cfg(test)]
mod tests;

use std::env;
use std::path::PathBuf;

use anyhow::Result;
use extype::prelude::*;

use index::{Index, search};
use passages::Passage;

/// What is asked if nothing else is.
const QUESTIONS: [&str; 3] = [
    "How do I get the same random numbers in every run?",
    "break and continue in a traced loop",
    "the gradient of a gradient",
];
/// How many words and passages are shown.
const SHOWN: i32 = 5;

fn main() -> Result<()> {
    let mut arguments = env::args_os().skip(1);
    let question = arguments.next().map(|text| text.to_string_lossy().into_owned());
    let path = arguments.next().map_or_else(|| Passage::default_path().to_owned(), PathBuf::from);
    let passages = Passage::read(&path)?;
    let texts: Vec<&str> = passages.iter().map(|passage| &passage.text[..]).collect();
    let index = Index::new_of(&texts.to_tensor()?)?;
    println!("{}", frequent(&index, SHOWN)?);
    match &question {
        Some(question) => println!("{}", report(&passages, &index, question, SHOWN)?),
        None => {
            for question in QUESTIONS {
                println!("{}", report(&passages, &index, question, SHOWN)?);
            }
        }
    }
    println!("traces of `search`, whatever is asked: {}", search::trace_count());
    Ok(())
}

/// How many words there are, and which of them are most frequent.
fn frequent(index: &Index, most: i32) -> Result<String> {
    let (times, at) = index.counts.top_k(most.min(index.words.len() as i32))?;
    let words = index.words.gather(&at, 0)?.to_strings()?;
    let mut text = format!(
        "{} passages of {} words, of which {} differ:\n",
        index.weights.rows,
        index.counts.sum(..)?,
        index.words.len()
    );
    for (word, times) in words.iter().zip(times.as_slice::<i64>()?) {
        text += &format!("{times:>7}  {word}\n");
    }
    Ok(text)
}

/// The passages that answer a question, with their scores.
fn report(passages: &[Passage], index: &Index, question: &str, most: i32) -> Result<String> {
    let most = most.min(passages.len() as i32);
    let (scores, found) = search(index, &question.to_tensor()?, most)?;
    let mut text = format!("{question}\n");
    for (score, i) in scores.as_slice::<f32>()?.iter().zip(found.as_slice::<i32>()?) {
        // Without a common word the score is 0.
        if *score > 0.0 {
            let passage = &passages[*i as usize];
            text += &format!("{score:>7.3}  {}\n", passage.place);
            let beginning = passage.beginning(80);
            if !beginning.is_empty() {
                text += &format!("         {beginning}\n");
            }
        }
    }
    Ok(text)
}
