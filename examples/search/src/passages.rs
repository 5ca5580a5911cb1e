//! Passages of texts: the sections of Markdown files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

/// A section: where it stands, and what it says.
#[derive(Clone, Debug)]
pub(crate) struct Passage {
    /// The file and the heading.
    pub(crate) place: String,
    /// The heading and all lines up to the next one, but no code.
    pub(crate) text: String,
}

impl Passage {
    /// The guide of extype, which comes with the examples.
    pub(crate) fn default_path() -> &'static Path {
        Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/guide"))
    }

    /// The sections of a file, or of all Markdown files of a folder in the order of their names.
    ///
    /// # Errors
    /// If a file can't be read, or there is no section; the message names the path.
    pub(crate) fn read(path: &Path) -> Result<Vec<Self>> {
        let told = || format!("{}: can't be read", path.display());
        let mut files: Vec<PathBuf> = match path.is_dir() {
            true => {
                let entries = fs::read_dir(path).with_context(told)?;
                let paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
                paths.into_iter().filter(|p| p.extension().is_some_and(|e| e == "md")).collect()
            }
            false => vec![path.to_owned()],
        };
        files.sort_unstable();
        let mut all = Vec::new();
        for file in files {
            let text = fs::read_to_string(&file).with_context(|| format!("{}", file.display()))?;
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            all.extend(Self::sections(&name, &text));
        }
        ensure!(!all.is_empty(), "{}: no text in Markdown", path.display());
        Ok(all)
    }

    /// The sections of a text. A line that begins with `#` is a heading, unless it is code.
    pub(crate) fn sections(file: &str, text: &str) -> Vec<Self> {
        let mut all: Vec<Self> = Vec::new();
        let mut is_code = false;
        for line in text.lines() {
            is_code ^= line.starts_with("```");
            if line.starts_with('#') && !is_code {
                let heading = line.trim_start_matches('#').trim();
                all.push(Self { place: format!("{file}: {heading}"), text: String::new() });
            }
            if let Some(passage) = all.last_mut()
                && !is_code
                && !line.starts_with("```")
            {
                passage.text.push_str(line);
                passage.text.push('\n');
            }
        }
        all
    }

    /// The first words of the text behind the heading; tables are passed over.
    pub(crate) fn beginning(&self, most: usize) -> String {
        let mut lines = self.text.lines().skip(1).map(str::trim);
        let first = lines.find(|line| !line.is_empty() && !line.starts_with('|'));
        let first = first.unwrap_or_default();
        match first.char_indices().nth(most) {
            Some((end, _)) => format!("{}…", &first[..end]),
            None => first.to_owned(),
        }
    }
}
