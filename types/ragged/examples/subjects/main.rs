//! Learns of which subject an op is from the sentence that describes it.
//!
//! `subjects [SENTENCE]...`: reads the page of ops, whose sentences have other numbers of words each, and trains on four
//! fifths of it. It tells how well the others are placed, which words speak for a subject, and of which subject the given
//! sentences are.

mod model;
mod page;
#[cfg(test)]
mod tests;

use std::env;

use anyhow::Result;
use extype::prelude::*;
use extype::train::Adam;
use extype_ragged::RaggedTensor;

use model::{Model, Samples};
use page::{Page, Vocabulary, words};

/// What is asked if nothing else is.
const SENTENCES: [&str; 4] = [
    "splits a text at white space",
    "draws numbers of a normal distribution",
    "the largest element of each window",
    "the singular values of a matrix",
];
/// The steps of training.
const STEPS: usize = 30;
/// One of so many sentences is held out.
const HELD_OUT: usize = 5;

fn main() -> Result<()> {
    let page = Page::parse(page::OPS);
    let learned = learn(&page, STEPS)?;
    println!("{}", learned.summary(&page)?);
    println!("Words that speak most for a subject:\n{}", learned.telling_words(&page)?);
    let asked: Vec<String> = env::args().skip(1).collect();
    let asked = if asked.is_empty() { SENTENCES.map(str::to_owned).to_vec() } else { asked };
    println!("{}", learned.answers(&page, &asked)?);
    Ok(())
}

/// What was learned of a page, and the sentences that it was not learned from.
struct Learned {
    vocabulary: Vocabulary,
    model: Model,
    training: Samples,
    held_out: Samples,
}

/// Trains on the page; every fifth sentence is held out.
fn learn(page: &Page, steps: usize) -> Result<Learned> {
    let (mut training, mut held_out) = (Vec::new(), Vec::new());
    for (i, sentence) in page.sentences.iter().enumerate() {
        if i % HELD_OUT == HELD_OUT - 1 { &mut held_out } else { &mut training }.push(sentence);
    }
    let vocabulary = Vocabulary::of(training.iter().map(|s| &s.words[..]));
    let samples = |sentences: &[&page::Sentence]| -> Result<Samples, Error> {
        let rows: Vec<Vec<i64>> = sentences.iter().map(|s| vocabulary.ids(&s.words)).collect();
        let subjects = sentences.iter().map(|s| s.subject as i64).collect();
        Samples::new(RaggedTensor::from_rows(&rows)?, Tensor::from_vec(subjects))
    };
    let (training, held_out) = (samples(&training)?, samples(&held_out)?);
    let model = Model::new(vocabulary.len(), page.subjects.len(), 7)?;
    let optimizer = Adam::new(0.05);
    for _ in 0..steps {
        let _ = model.train_step(&optimizer, &training)?;
    }
    Ok(Learned { vocabulary, model, training, held_out })
}

impl Learned {
    fn summary(&self, page: &Page) -> Result<String> {
        let lengths = self.training.words.row_lengths(1)?.into_tensor()?;
        let place = self.model.accuracy(&self.held_out)?.item::<f32>()?;
        let (subject, share) = self.most_frequent(page)?;
        Ok(format!(
            "{} sentences of {} subjects; {} words that occur twice or more.\n\
             A sentence has {} to {} words: {} in all, where a dense tensor would hold {}.\n\
             Of the {} that were held out {:.0}% are placed right; all in \"{subject}\" would be right for {:.0}%.\n",
            page.sentences.len(),
            page.subjects.len(),
            self.vocabulary.len() - 1,
            lengths.min(..)?.item::<i64>()?,
            lengths.max(..)?.item::<i64>()?,
            ops::size(&self.training.words)?.item::<i64>()?,
            self.training.words.bounding_shape()?.prod(..)?.item::<i64>()?,
            self.held_out.subjects.len(),
            place * 100.0,
            share * 100.0,
        ))
    }

    /// The subject that most of the training is of, and its share of what was held out.
    fn most_frequent<'a>(&self, page: &'a Page) -> Result<(&'a str, f32)> {
        let most = ops::bincount(&self.training.subjects, ..)?.argmax(0)?;
        let same = self.held_out.subjects.equal(&most)?.cast(f32)?.reduce_mean(.., false)?;
        Ok((&page.subjects[most.item::<i64>()? as usize], same.item()?))
    }

    /// For each subject the words that speak most for it.
    fn telling_words(&self, page: &Page) -> Result<String> {
        let (_, ids) = self.model.words_for_subjects()?.transpose([1, 0])?.top_k(4)?;
        let mut text = String::new();
        for (subject, ids) in page.subjects.iter().zip(ids.rows()?) {
            let words =
                ids.to_vec::<i32>()?.into_iter().map(|id| self.vocabulary.word(id as usize));
            text += &format!("{subject:>26}  {}\n", words.collect::<Vec<_>>().join(", "));
        }
        Ok(text)
    }

    /// The most probable subjects of sentences.
    fn answers(&self, page: &Page, sentences: &[String]) -> Result<String> {
        let rows: Vec<_> = sentences.iter().map(|s| self.vocabulary.ids(&words(s))).collect();
        let (shares, subjects) =
            self.model.probabilities(&RaggedTensor::from_rows(&rows)?)?.top_k(3)?;
        let mut text = String::new();
        for ((sentence, row), (shares, subjects)) in
            sentences.iter().zip(&rows).zip(shares.rows()?.zip(subjects.rows()?))
        {
            if row.iter().all(|id| *id == 0) {
                text += &format!("{sentence:?}: none of its words was learned\n");
                continue;
            }
            let found = shares.to_vec::<f32>()?.into_iter().zip(subjects.to_vec::<i32>()?);
            let found = found.map(|(share, subject)| {
                format!("{} {:.0}%", page.subjects[subject as usize], share * 100.0)
            });
            text += &format!("{sentence:?}: {}\n", found.collect::<Vec<_>>().join(", "));
        }
        Ok(text)
    }
}
