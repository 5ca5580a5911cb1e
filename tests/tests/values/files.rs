//! Files as ops: written and read in program order, found by patterns, and what can't be read.

use std::fs;
use std::path::PathBuf;

use extype::prelude::*;

/// An empty folder of this test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("extype-files-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a folder");
    path
}

#[tf_function]
fn rewritten(path: &Tensor, text: &Tensor) -> Result<(Tensor, Tensor)> {
    ops::write_file(path, text)?;
    let first = ops::read_file(path)?;
    ops::write_file(path, first.upper()?)?;
    Ok((first, ops::read_file(path)?))
}

#[test]
fn traced_functions_read_what_they_wrote_before_at_each_call() -> Result<()> {
    let folder = folder("traced");
    let path = folder.join("new").join("a.txt").to_tensor()?;
    for text in ["one", "two", ""] {
        let (first, second) = rewritten(&path, &scalar(text))?;
        assert_eq!(String::try_from(&first)?, text);
        assert_eq!(String::try_from(&second)?, text.to_uppercase());
    }
    assert_eq!(rewritten::trace_count(), 1);
    let _ = fs::remove_dir_all(folder);
    Ok(())
}

#[test]
fn bytes_come_back_as_they_were() -> Result<()> {
    let folder = folder("bytes");
    let bytes: Vec<u8> = (0..20_000u32).map(|i| (i * i % 251) as u8).collect();
    ops::write_file(folder.join("x"), scalar(bytes.clone()))?;
    assert_eq!(fs::read(folder.join("x")).expect("a file"), bytes);
    let read = ops::read_file(folder.join("x"))?;
    assert_eq!((read.shape(), &read.value()?.as_strings()?[0]), (shape![], &bytes));
    let _ = fs::remove_dir_all(folder);
    Ok(())
}

#[test]
fn patterns_find_paths_in_the_order_of_their_bytes() -> Result<()> {
    let folder = folder("patterns");
    for name in ["b.txt", "a.txt", ".h.txt", "sub/x.txt", "é.txt"] {
        ops::write_file(folder.join(name), name)?;
    }
    let found = |patterns: &[&str]| -> Result<Vec<String>> {
        let patterns: Vec<String> =
            patterns.iter().map(|p| format!("{}/{p}", folder.display())).collect();
        let start = format!("{}/", folder.display());
        let paths = ops::matching_files(patterns)?.to_strings()?;
        Ok(paths.iter().map(|p| p.replacen(&start, "", 1)).collect())
    };
    assert_eq!(found(&["*"])?, [".h.txt", "a.txt", "b.txt", "sub", "é.txt"]);
    assert_eq!(found(&["?.txt", "[!b]*.txt"])?[2..4], ["a.txt", "b.txt"]);
    assert_eq!(found(&["*/*", "s*/"])?, ["sub", "sub/x.txt"]);
    assert_eq!(found(&["[[:alpha:]].txt", "[![:alpha:]]*"])?[..2], [".h.txt", "a.txt"]);
    // Only the folders before the first part that is a pattern stand for themselves.
    assert_eq!(found(&["sub/../b*", "./a.txt"])?, ["./a.txt", "sub/../b.txt"]);
    assert_eq!(found(&["*/..", "*/../*", "*/./*", "s*//x.txt", ".//*"])?, [""; 0]);
    assert_eq!(found(&["sub//x.txt", "sub/", "a.txt/*"])?, ["sub/", "sub//x.txt"]);
    assert_eq!(found(&["sub/x.txt", "sub/y.txt", "no/*", "a.txt/*"])?, ["sub/x.txt"]);
    assert_eq!(found(&[])?, [""; 0]);
    assert_eq!(ops::matching_files("")?.shape(), shape![0]);
    // Names without a folder are looked up in the current one.
    assert_eq!(
        ops::matching_files(["Cargo.t?ml", "./Cargo.t?ml"])?.to_strings()?,
        ["./Cargo.toml"; 2]
    );
    assert_eq!(ops::matching_files("Cargo.toml")?.to_strings()?, ["Cargo.toml"]);
    let _ = fs::remove_dir_all(folder);
    Ok(())
}

/// A name that leads nowhere exists for patterns, but is no file.
#[cfg(unix)]
#[test]
fn broken_links_are_found_by_patterns_alone() -> Result<()> {
    let folder = folder("links");
    std::os::unix::fs::symlink("nowhere", folder.join("broken")).expect("a link");
    let found = |pattern: &str| Ok::<_, Error>(ops::matching_files(folder.join(pattern))?.shape());
    assert_eq!(
        (found("brok*")?, found("broken")?, found("broken/*")?),
        (shape![1], shape![0], shape![0])
    );
    // Not 2^40 paths.
    assert_eq!(found(&"*/../".repeat(40))?, shape![0]);
    let _ = fs::remove_dir_all(folder);
    Ok(())
}

/// The kinds are TensorFlow's.
#[test]
fn what_is_no_file_is_refused() -> Result<()> {
    let folder = folder("refused");
    let read = |path: &str| ops::read_file(folder.join(path)).unwrap_err();
    assert_eq!(read("missing").kind(), ErrorKind::NotFound);
    assert!(read("missing").message().contains("missing can't be read"), "{}", read("missing"));
    assert_eq!(read(".").kind(), ErrorKind::FailedPrecondition);
    assert_eq!(read("a\0b").kind(), ErrorKind::InvalidArgument);
    ops::write_file(folder.join("file"), "x")?;
    let write = |path: &str| ops::write_file(folder.join(path), "x").unwrap_err().kind();
    assert_eq!(write("file/below"), ErrorKind::FailedPrecondition);
    assert_eq!(write("."), ErrorKind::FailedPrecondition);
    assert_eq!(ops::write_file("", "x").unwrap_err().kind(), ErrorKind::NotFound);
    if cfg!(unix) {
        // It has no end.
        assert_eq!(ops::read_file("/dev/zero").unwrap_err().kind(), ErrorKind::FailedPrecondition);
        // Writing to a pipe would wait for a reader.
        let pipe = folder.join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        if made.is_ok_and(|status| status.success()) {
            assert_eq!(write("pipe"), ErrorKind::FailedPrecondition);
            assert_eq!(ops::read_file(&pipe).unwrap_err().kind(), ErrorKind::FailedPrecondition);
        }
    }
    for e in [
        ops::read_file(tensor!["a"]).unwrap_err(),
        ops::write_file("a", tensor!["a"]).unwrap_err(),
        ops::matching_files(tensor![["a"]]).unwrap_err(),
        ops::read_file(1).unwrap_err(),
    ] {
        assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
    }
    let _ = fs::remove_dir_all(folder);
    Ok(())
}
