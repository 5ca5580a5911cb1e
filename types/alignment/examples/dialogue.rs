//! Who says how much, and in how long words: letters, words, lines and speakers of a dialogue, aligned.
//!
//! The opening of Shakespeare's Hamlet, or `dialogue FILE.txt` with lines `Speaker: words`.

use std::{env, fs};

use extype::prelude::*;
use extype_alignment::Alignment;

const HAMLET: &str = "\
Barnardo: Who's there?
Francisco: Nay, answer me. Stand and unfold yourself.
Barnardo: Long live the King!
Francisco: Barnardo?
Barnardo: He.
Francisco: You come most carefully upon your hour.
Barnardo: 'Tis now struck twelve. Get thee to bed, Francisco.
Francisco: For this relief much thanks. 'Tis bitter cold, and I am sick at heart.
Barnardo: Have you had quiet guard?
Francisco: Not a mouse stirring.
Barnardo: Well, good night. If you do meet Horatio and Marcellus, the rivals of my watch, bid them make haste.";

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    let text = match env::args_os().nth(1) {
        Some(path) => fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?,
        None => HAMLET.to_owned(),
    };
    let (mut names, mut words) = (Vec::new(), Vec::new());
    let (mut speaker_of_line, mut line_of_word, mut word_of_letter) = (vec![], vec![], vec![]);
    for (speaker, said) in text.lines().filter_map(|line| line.split_once(':')) {
        let known = names.iter().position(|n| n == speaker);
        speaker_of_line.push(known.unwrap_or(names.len()) as i64);
        if known.is_none() {
            names.push(speaker.to_owned());
        }
        for word in said.split_whitespace() {
            let letters = word.chars().filter(|c| c.is_alphabetic()).count();
            word_of_letter.extend(std::iter::repeat_n(words.len() as i64, letters));
            line_of_word.push(speaker_of_line.len() as i64 - 1);
            words.push(word);
        }
    }
    let of = |groups: Vec<i64>, n: usize| Alignment::of_groups(Tensor::from_vec(groups), n as i64);
    let lines = speaker_of_line.len();
    let letters_words = of(word_of_letter, words.len())?;
    let words_lines = of(line_of_word, lines)?;
    let lines_speakers = of(speaker_of_line, names.len())?;
    // Further along the next axis.
    let words_speakers = words_lines.then(&lines_speakers)?;
    let letters_speakers = letters_words.then(&words_speakers)?;
    println!("letters and words: {letters_words}\nletters and speakers: {letters_speakers}\n");

    let length = letters_words.counts()?.cast(f64)?;
    let (said, spoken) = (lines_speakers.counts()?, words_speakers.counts()?);
    let (mean, longest) = (words_speakers.mean(&length)?, words_speakers.max(&length)?);
    println!("speaker      lines   words   letters   letters a word   longest word");
    for (i, name) in names.iter().enumerate() {
        let at = i as i64;
        let most = longest.index(at)?.item::<f64>()?;
        let theirs = words_speakers.pairs.to_vec::<i64>()?;
        let word = theirs
            .chunks(2)
            .find(|p| {
                p[1] == at
                    && length.index(p[0]).is_ok_and(|l| l.item::<f64>().is_ok_and(|l| l == most))
            })
            .map_or("", |p| words[p[0] as usize]);
        println!(
            "{name:<12} {:>5}   {:>5}   {:>7}   {:>14.2}   {word}",
            said.index(at)?.item::<i64>()?,
            spoken.index(at)?.item::<i64>()?,
            letters_speakers.counts()?.index(at)?.item::<i64>()?,
            mean.index(at)?.item::<f64>()?,
        );
    }

    // What is known of speakers, back at their words: how each word stands beside the habit of its speaker.
    let habit = words_speakers.inverse()?.sum(&mean)?;
    let beside = ops::div(&length, &habit)?;
    let place = beside.argmax(0)?.item::<i64>()?;
    let times = beside.index(place)?.item::<f64>()?;
    println!(
        "\nmost out of the habit of its speaker: {} ({times:.1} times as long)",
        words[place as usize]
    );
    Ok(())
}
