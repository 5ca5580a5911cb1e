//! Files in folders.

use std::fs::{self, DirEntry};
use std::path::{Path, PathBuf};

use super::Dataset;
use crate::array::Array;
use crate::ops::files::failed;
use crate::tensor::Tensor;
use crate::types::{Result, bail, err};

impl Dataset<(Tensor, Tensor)> {
    /// The files of folders that stand for classes, and the names of the classes.
    ///
    /// Each folder in `root` is a class, numbered from 0 in the order of the names. An element is the path of a file, a
    /// string scalar, and the number of its class, an int64 scalar. Files of folders within a class belong to the class.
    /// Elements are in the order of classes and paths; shuffle them before you learn from them. Names that begin with a
    /// dot are left out, and so are files with other extensions than these, whose case does not matter.
    ///
    /// Keras: `image_dataset_from_directory`, which also reads the files. Here a [`map`](Self::map) does so.
    ///
    /// # Errors
    /// `NotFound` for a missing folder, and what else reading one fails with. `InvalidArgument` if there are no classes or no files, for a file that
    /// lies in `root` itself and so has no class, and for paths that are not UTF-8.
    ///
    /// ```
    /// use extype::data::{Dataset, Remainder};
    /// use extype::prelude::*;
    /// let root = std::env::temp_dir().join("extype-doc-class-folders");
    /// for (folder, name) in [("cats", "tom"), ("dogs", "rex"), ("dogs", "bello")] {
    ///     std::fs::create_dir_all(root.join(folder)).unwrap();
    ///     std::fs::write(root.join(folder).join(name).with_extension("txt"), name).unwrap();
    /// }
    /// let (files, classes) = Dataset::class_folders(&root, &["txt"])?;
    /// assert_eq!(classes, ["cats", "dogs"]);
    /// let texts = files.map(|(path, class)| Ok((ops::read_file(&path)?, class)));
    /// let (texts, numbers) = &texts.batch(3, Remainder::Keep).collect_all()?[0];
    /// assert_eq!(texts.to_strings()?, ["tom", "bello", "rex"]);
    /// assert_eq!(numbers.to_vec::<i64>()?, [0, 1, 1]);
    /// # Ok::<(), Error>(())
    /// ```
    #[doc(alias = "image_dataset_from_directory")]
    #[doc(alias = "image_folder")]
    #[track_caller]
    pub fn class_folders(
        root: impl AsRef<Path>,
        extensions: &[&str],
    ) -> Result<(Self, Vec<String>)> {
        let root = root.as_ref();
        let wanted = |path: &Path| {
            let extension = path.extension().and_then(|e| e.to_str());
            extension
                .is_some_and(|e| extensions.iter().any(|wanted| wanted.eq_ignore_ascii_case(e)))
        };
        let (mut classes, mut paths, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
        for entry in entries(root)? {
            let path = entry.path();
            if !path.is_dir() {
                if wanted(&path) {
                    bail!("{} has no class: it lies in no folder of a class", path.display());
                }
                continue;
            }
            for file in files(path)?.into_iter().filter(|file| wanted(file)) {
                paths.push(text(&file)?.as_bytes().to_vec());
                numbers.push(classes.len() as i64);
            }
            classes.push(text(Path::new(&entry.file_name()))?.to_owned());
        }
        if paths.is_empty() {
            let n = classes.len();
            bail!("{}: no files that end in {extensions:?} in {n} folders", root.display());
        }
        let paths = Tensor::from(Array::from_strings([paths.len()], paths)?);
        let numbers = Tensor::from(Array::from_slice([numbers.len()], &numbers)?);
        Ok((Self::from_tensor_slices((paths, numbers))?, classes))
    }
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| err!("the path {} is not UTF-8", path.display()))
}

/// What is in a folder, by name, but for names that begin with a dot.
fn entries(folder: &Path) -> Result<Vec<DirEntry>> {
    let failed = |e| failed("read", folder, &e);
    let entries = fs::read_dir(folder).map_err(failed)?;
    let mut entries: Vec<DirEntry> = entries.collect::<Result<_, _>>().map_err(failed)?;
    entries.retain(|entry| !entry.file_name().as_encoded_bytes().starts_with(b"."));
    entries.sort_by_key(DirEntry::file_name);
    Ok(entries)
}

/// The files of a folder and of the folders in it. Links to folders are not followed, so there are no circles.
fn files(folder: PathBuf) -> Result<Vec<PathBuf>> {
    let (mut files, mut folders) = (Vec::new(), vec![folder]);
    while let Some(folder) = folders.pop() {
        for entry in entries(&folder)? {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ => files.push(entry.path()),
            }
        }
    }
    files.sort();
    Ok(files)
}
