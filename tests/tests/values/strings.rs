//! Strings: functions of several ops, traces of unknown shapes, wrong uses.

use extype::array::Array;
use extype::ops::{CharUnit, Malformed, NGrams, TextFormat};
use extype::prelude::*;

fn bytes(items: &[&[u8]]) -> Result<Tensor> {
    let items: Vec<Vec<u8>> = items.iter().map(|s| s.to_vec()).collect();
    Ok(Tensor::from(Array::from_strings([items.len()], items)?))
}

#[test]
fn words_are_counted_in_a_trace_of_any_length() -> Result<()> {
    let count = function(|lines: &Tensor| -> Result<(Tensor, Tensor)> {
        let (words, _) = lines.lower()?.regex_replace(r"[^a-z ]", "")?.split_on("", None)?;
        let (words, _, counts) = words.unique_with_counts()?;
        Ok((words, counts))
    });
    let any = TensorSpec::new(Shape::of_rank(1), DType::String);
    count.concrete(&any)?;
    let (words, counts) = count.call(&tensor!["To be,", "or not to be!"])?;
    assert_eq!(words.to_strings()?, ["to", "be", "or", "not"]);
    assert_eq!(counts.as_slice::<i32>()?, &[2, 2, 1, 1]);
    let (words, _) = count.call(&tensor![""])?;
    assert_eq!(words.shape(), shape![0]);
    Ok(())
}

#[test]
fn functions_trace_where_the_rank_is_unknown() -> Result<()> {
    let joined = function(|x: &Tensor| x.split_fixed(",", 2)?.reduce_join("-", ..));
    joined.concrete(&TensorSpec::new(Shape::unknown(), DType::String))?;
    assert_eq!(joined.call(&tensor![["a,b", "c"]])?.to_strings()?, ["a-b-c-"]);
    assert_eq!(joined.call(&"x,y,z".to_tensor()?)?.to_strings()?, ["x-y,z"]);
    Ok(())
}

#[test]
fn strings_are_sorted_and_compared_byte_by_byte() -> Result<()> {
    let x = tensor![["b", "é", "a"], ["B", "", "ab"]];
    assert_eq!(x.sort(..)?.to_strings()?, ["a", "b", "é", "", "B", "ab"]);
    assert_eq!(x.sort((0, ops::Descending))?.to_strings()?, ["b", "é", "ab", "B", "", "a"]);
    assert_eq!(x.argsort(..)?.as_slice::<i32>()?, &[2, 0, 1, 1, 0, 2]);
    let below = x.less(&tensor!["b", "b", "b"])?;
    assert_eq!(below.as_slice::<bool>()?, &[false, false, true, true, true, true]);
    assert_eq!(x.greater_equal(&"a".to_tensor()?)?.as_slice::<bool>()?[3..], [false, false, true]);
    Ok(())
}

#[test]
fn lanes_are_strings_of_one_call() -> Result<()> {
    let x = tensor![[" a", "b "], ["c", "d"]];
    let y = vectorized_map(&x, |row: Tensor| row.strip()?.upper())?;
    assert_eq!(y.to_strings()?, ["A", "B", "C", "D"]);
    Ok(())
}

#[test]
fn numbers_are_read_and_written() -> Result<()> {
    let x = tensor!["0x10", "-inf", " 2.5 "].to_number(f64)?;
    assert_eq!(x.as_slice::<f64>()?, &[16.0, f64::NEG_INFINITY, 2.5]);
    let format = TextFormat { shortest: true, width: 6, fill: Some('-'), ..Default::default() };
    assert_eq!(x.as_string(format)?.to_strings()?, ["16    ", "-inf  ", "2.5   "]);
    assert_eq!(tensor![true, false].as_string(..)?.to_strings()?, ["true", "false"]);
    let e = tensor!["7", "seven"].to_number(i32).unwrap_err();
    assert!(e.message().contains("string 1: \"seven\" is no number of int32"), "{e}");
    let precise = TextFormat { precision: Some(1), ..Default::default() };
    assert!(tensor![1].as_string(precise).is_err());
    Ok(())
}

#[test]
fn what_is_no_utf8_is_replaced_ignored_or_refused() -> Result<()> {
    let x = bytes(&[b"a\xffb", b"\xe6\x97"])?;
    assert_eq!(x.unicode_decode("UTF-8", ..)?.0.as_slice::<i32>()?, &[97, 0xfffd, 98, 0xfffd]);
    let (points, splits) = x.unicode_decode("UTF-8", Malformed::Ignore)?;
    assert_eq!(points.as_slice::<i32>()?, &[97, 98]);
    assert_eq!(splits.as_slice::<i64>()?, &[0, 2, 2]);
    assert!(x.unicode_decode("UTF-8", Malformed::Refuse).is_err());
    assert!(x.unicode_decode("no such", ..).is_err());
    assert_eq!(
        x.unicode_split("UTF-8", Malformed::Replace('?'))?.0.to_strings()?,
        ["a", "?", "b", "?"]
    );
    let japanese = bytes(&[b"\x93\xfa\x96{"])?;
    assert_eq!(japanese.unicode_transcode("Shift_JIS", "UTF-8", ..)?.to_strings()?, ["日本"]);
    let marked = bytes(&[b"\xff\xfeh\x00", b"\x00h"])?;
    assert_eq!(marked.unicode_transcode("UTF-16", "UTF-8", ..)?.to_strings()?, ["h", "h"]);
    Ok(())
}

#[test]
fn empty_tensors_have_results() -> Result<()> {
    let none = Tensor::from_strings::<&str>(&[], &[0, 2])?;
    assert_eq!(none.lower()?.shape(), shape![0, 2]);
    assert_eq!(none.split_fixed(",", 3)?.shape(), shape![0, 2, 3]);
    assert_eq!(none.split_on(",", None)?.1.as_slice::<i64>()?, &[0]);
    assert_eq!(none.reduce_join(",", 0)?.to_strings()?, ["", ""]);
    assert_eq!(none.decode_raw(i32)?.shape(), shape![0, 2, 0]);
    assert_eq!(none.sort(..)?.shape(), shape![0, 2]);
    Ok(())
}

#[test]
fn wrong_uses_name_what_is_wanted() -> Result<()> {
    let x = tensor!["abc"];
    for (result, want) in [
        (x.regex_full_match("("), "is no regular expression"),
        (x.regex_full_match("a**"), "stands behind another repetition"),
        (x.regex_extract("a", 1), "group 1 of a pattern with 0 groups"),
        (x.substr(4, 1, CharUnit::Chars), "position 4 is out of range"),
        (x.to_hash_bucket_fast(0), "one at least is wanted"),
        (x.unicode_normalize("NFX"), "write one of \"NFC\""),
        (x.decode_raw(i16), "no multiple of the 2 bytes"),
        (x.replace("", "-"), "the text to replace is empty"),
        (x.split_fixed(",", 0), "the number of columns is 0"),
        (x.parse_tensor(f32), "no tensor"),
        (x.index(0)?.parse_tensor(f32), "no tensor"),
    ] {
        let e = result.expect_err(want);
        assert!(e.to_string().contains(want) || want == "no tensor", "{e}");
    }
    let twice = x.reduce_join("", [0, 0]).unwrap_err();
    assert_eq!(twice.kind(), ErrorKind::InvalidArgument);
    assert_eq!(x.reduce_join("", 3).unwrap_err().kind(), ErrorKind::OutOfRange);
    let wide =
        NGrams { widths: vec![i64::MAX], pads: ["<".into(), String::new()], ..Default::default() };
    assert!(x.ngrams(&tensor![0i64, 1], wide).is_err());
    assert!(ops::lower(tensor![1]).is_err());
    Ok(())
}

#[test]
fn an_error_says_which_string_it_means() -> Result<()> {
    let x = Array::from_strings([2], vec![b"ok".to_vec(), b"\xff".to_vec()])?;
    let x = Tensor::from(x);
    let e = x.unicode_transcode("UTF-8", "UTF-16-BE", Malformed::Refuse).unwrap_err();
    assert!(e.message().starts_with("string 1: it is no UTF-8"), "{e}");
    let e = x.unicode_decode("UTF-8", Malformed::Refuse).unwrap_err();
    assert!(e.message().starts_with("string 1: it is no UTF-8"), "{e}");
    let e = tensor!["abc", "b"].substr(2, 1, CharUnit::Bytes).unwrap_err();
    assert_eq!(e.message(), "string 1: position 2 is out of range of \"b\"");
    Ok(())
}

#[test]
fn a_negative_length_takes_the_rest_in_bytes() -> Result<()> {
    let x = tensor!["hello"];
    assert_eq!(x.substr(1, -1, CharUnit::Bytes)?.to_strings()?, ["ello"]);
    assert_eq!(x.substr(1, -1, CharUnit::Chars)?.to_strings()?, [""]);
    assert_eq!(x.substr(-2, -1, CharUnit::Bytes)?.to_strings()?, ["lo"]);
    assert!(x.substr(-2, -1, CharUnit::Chars).is_err());
    Ok(())
}
