//! Which errors stop, which do not, and what they say.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use extype::data::{Dataset, Padding, Remainder, Window};
use extype::prelude::*;

fn numbers(data: &Dataset<Tensor>) -> Vec<Option<Vec<i64>>> {
    data.iter().map(|x| x.ok().map(|x| x.to_vec().unwrap())).collect()
}

fn failing_at(k: i64) -> Dataset<Tensor> {
    Dataset::range(0..6).map(move |x| match x.item::<i64>()? == k {
        true => Err(Error::invalid("refused")),
        false => Ok(x),
    })
}

#[test]
fn iteration_goes_on_after_the_error_of_an_element() {
    let some = |n: i64| Some(vec![n]);
    assert_eq!(numbers(&failing_at(2).take(4)), [some(0), some(1), None, some(3), some(4)]);
    let prefetched = failing_at(0).prefetch(2).take(2);
    assert_eq!(numbers(&prefetched), [None, some(1), some(2)]);
}

#[test]
fn a_batch_loses_what_it_had() {
    let batches = failing_at(3).batch(2, Remainder::Keep);
    assert_eq!(numbers(&batches), [Some(vec![0, 1]), None, Some(vec![4, 5])]);
    let e = batches.iter().find_map(Result::err).unwrap();
    assert!(e.to_string().contains("one good element is lost"), "{e}");
    assert_eq!(numbers(&failing_at(3).ignore_errors().batch(2, Remainder::Keep)).len(), 3);
}

#[test]
fn errors_name_the_step_its_line_and_the_element() {
    let line = line!() + 1;
    let data = Dataset::range(0..3).map(|x| x.reshape([2]));
    let e = data.skip(1).iter().nth(1).unwrap().unwrap_err();
    let text = e.to_string();
    assert!(text.contains("element 1 of `map`"), "{text}");
    assert!(text.contains(&format!("errors.rs:{line}")), "{text}");
}

#[test]
fn a_panic_comes_once_and_ends_the_pass() {
    for threads in [0, 3] {
        let f = |x: Tensor| {
            assert!(x.item::<i64>()? != 2, "a bug");
            Ok(x)
        };
        let data = Dataset::range(0..6);
        let data = if threads == 0 { data.map(f) } else { data.map_parallel(threads, f) };
        let mut pass = data.ignore_errors().iter();
        assert!(pass.next().unwrap().is_ok() && pass.next().unwrap().is_ok());
        let e = pass.next().unwrap().unwrap_err();
        assert!(e.message().contains("a bug"), "{e}");
        assert!(pass.next().is_none() && pass.next().is_none());
    }
}

#[test]
fn wrong_sizes_are_the_first_item_and_an_error_of_checked() {
    let data = Dataset::range(0..6);
    let zero: Vec<Dataset<Tensor>> = vec![
        data.batch(0, Remainder::Keep),
        data.padded_batch(0, Remainder::Keep, Padding::default()),
        data.rebatch(&[], Remainder::Keep),
        data.rebatch(&[1, 0], Remainder::Keep),
        data.shuffle(0, 1),
        data.shard(0, 0),
        data.shard(2, 2),
        data.interleave(0, 1, |x| Ok(Dataset::from_tensors(x))),
        data.interleave(1, 0, |x| Ok(Dataset::from_tensors(x))),
        data.window(Window::of(0)).flat_map(Ok),
        data.window(Window::of(2).shift(0)).flat_map(Ok),
        data.window(Window::of(usize::MAX).stride(3)).flat_map(Ok),
        data.group_by_window(0, |x| Ok(x.clone()), |_, g| Ok(g)),
        data.map_parallel(0, Ok),
        data.bucket_by_length(
            |x| Ok(x.clone()),
            &[3, 2],
            &[1; 3],
            Padding::default(),
            Remainder::Keep,
        ),
        data.bucket_by_length(|x| Ok(x.clone()), &[3], &[1], Padding::default(), Remainder::Keep),
    ];
    for wrong in zero {
        let mut pass = wrong.iter();
        assert!(pass.next().unwrap().is_err() && pass.next().is_none(), "{wrong}");
        assert!(wrong.repeat().iter().nth(1).is_none());
        assert!(wrong.clone().checked().is_err(), "{wrong}");
    }
}

#[test]
fn a_huge_size_allocates_nothing() {
    let data = Dataset::range(0..5);
    assert_eq!(numbers(&data.batch(usize::MAX, Remainder::Keep)).len(), 1);
    assert_eq!(numbers(&data.batch(usize::MAX, Remainder::Drop)).len(), 0);
    assert_eq!(numbers(&data.shuffle(usize::MAX, 1)).len(), 5);
    assert_eq!(numbers(&data.interleave(usize::MAX, 1, |x| Ok(Dataset::from_tensors(x)))).len(), 5);
}

#[test]
fn nothing_for_ever_ends() {
    assert!(Dataset::range(0..0).repeat().iter().next().is_none());
    assert!(Dataset::range(0..3).filter(|_| Ok(false)).repeat().iter().next().is_none());
}

#[test]
fn unequal_shapes_are_named_with_a_way_out() {
    let rows = vec![tensor![1i64], tensor![1i64, 2]];
    let data = Dataset::from_values(rows).unwrap().batch(2, Remainder::Keep);
    let e = data.iter().next().unwrap().unwrap_err();
    assert!(e.message().contains("element 1") && e.message().contains("[2]"), "{e}");
    assert!(e.message().contains("padded_batch"), "{e}");
}

#[test]
fn cached_failures_stay_failures() {
    let data = failing_at(1).cache();
    assert_eq!(numbers(&data), numbers(&data));
    assert!(numbers(&data)[1].is_none());
}

#[test]
fn functions_are_called_for_elements_only() {
    let calls = Arc::new(AtomicUsize::new(0));
    let count = calls.clone();
    let data = Dataset::range(0..5).map(move |x| {
        count.fetch_add(1, Ordering::Relaxed);
        Ok(x)
    });
    let data = data.batch(2, Remainder::Keep).unbatch().window(Window::of(2)).flat_map(Ok);
    assert_eq!(data.collect_all().unwrap().len(), 5);
    let _ = (data.cardinality(), data.iter().size_hint(), data.report(), data.to_string());
    assert_eq!(calls.load(Ordering::Relaxed), 5);
}

#[test]
fn a_cache_that_reads_itself_says_so() {
    let slot: Arc<std::sync::OnceLock<Dataset<Tensor>>> = Arc::default();
    let own = slot.clone();
    let data = Dataset::range(0..3)
        .map(move |x| own.get().map_or(Ok(x), |data| data.iter().next().unwrap()))
        .cache();
    slot.set(data.clone()).unwrap();
    let e = data.iter().next().unwrap().unwrap_err();
    assert!(e.message().contains("cache"), "{e}");
    drop(data);
}

#[test]
fn a_cache_that_threads_of_its_own_read_says_so() {
    let slot: Arc<Mutex<Option<Dataset<Tensor>>>> = Arc::default();
    let own = slot.clone();
    let sum = move |x: Tensor| match &*own.lock().unwrap() {
        Some(data) => data.reduce(x, |sum, x| Ok(sum + x)),
        None => Ok(x),
    };
    let data = Dataset::range(0..9).map_parallel(3, sum).prefetch(2).cache();
    *slot.lock().unwrap() = Some(data.clone());
    let e = data.collect_all().unwrap_err();
    assert!(e.message().contains("cache"), "{e}");
    // Its threads would stay with it.
    let own = slot.lock().unwrap().take();
    drop(own);
    // Other caches are read.
    let inner = Dataset::range(0..4).cache();
    let of = move |x: Tensor| inner.reduce(x, |sum, x| Ok(sum + x));
    let sums = Dataset::range(0..9).map_parallel(3, of).cache();
    assert_eq!(sums.collect_all().unwrap()[8].item::<i64>().unwrap(), 14);
}

#[test]
fn padding_of_other_values_names_the_step_to_write() {
    let rows = extype_ragged::RaggedTensor::from_rows(&[vec![1i64], vec![]]).unwrap();
    let padded = Dataset::from_values(vec![rows]).unwrap();
    let padded = padded.padded_batch(2, Remainder::Keep, Padding::default());
    let e = padded.checked().unwrap_err();
    assert!(e.message().contains("`batch` stacks values of RaggedTensor"), "{e}");
}

#[test]
fn what_is_made_ahead_has_a_bound() {
    let data = Dataset::counter(0, 1, i64).unwrap();
    let e = data.prefetch(usize::MAX).checked().unwrap_err();
    assert!(e.message().contains("1048576"), "{e}");
    assert!(data.prefetch(1 << 20).checked().is_ok());
}

#[test]
fn max_errors_stops() {
    let odd = Dataset::range(0..9).map(|x| match x.item::<i64>()? % 2 {
        1 => Err(Error::invalid("odd")),
        _ => Ok(x),
    });
    let got = numbers(&odd.max_errors(2));
    assert_eq!(got.len(), 4);
    assert!(got[3].is_none() && got[..3].iter().all(Option::is_some));
}

/// A source that fails in the middle, and steps that read it on other threads.
#[test]
fn a_source_that_fails_ends_the_pass_once() {
    let source = Dataset::try_from_iter(|| {
        (0..9i64).map(|i| if i == 4 { Err(Error::invalid("broken")) } else { Ok(scalar(i)) })
    });
    let shown = |n: i64| (0..n).map(|i| Some(vec![i])).collect::<Vec<_>>();
    for data in
        [source.map_parallel(3, Ok), source.prefetch(2), source.map_parallel(2, Ok).prefetch(9)]
    {
        assert_eq!(numbers(&data), [shown(4), vec![None]].concat(), "{data}");
        // It may be passed over: what came before it counts.
        assert_eq!(numbers(&data.ignore_errors()), shown(4), "{data}");
        let batches = numbers(&data.batch(3, Remainder::Keep));
        assert_eq!(batches, [Some(vec![0, 1, 2]), None], "{data}");
    }
}

#[test]
fn a_pass_that_can_not_begin_is_no_short_pass() {
    let never = Dataset::from_iter(|| -> [Tensor; 1] { panic!("no such file") });
    let once = Dataset::from_iter_once([scalar(1i64)]);
    assert_eq!(once.collect_all().unwrap().len(), 1);
    for (data, what) in [(never, "no such file"), (once, "used up")] {
        let mut pass = data.ignore_errors().iter();
        let e = pass.next().unwrap().unwrap_err();
        assert!(e.message().contains(what), "{e}");
        assert!(pass.next().is_none());
    }
}

#[test]
fn a_panicking_worker_delivers_what_came_before_it() {
    let data = Dataset::range(0..20).map_parallel(4, |x| {
        assert!(x.item::<i64>()? != 5, "a bug");
        Ok(x)
    });
    let batches = numbers(&data.batch(4, Remainder::Keep).prefetch(2));
    assert_eq!(batches, [Some(vec![0, 1, 2, 3]), None]);
}

#[test]
fn absurd_numbers_end() {
    let none = Dataset::range(0..0);
    assert!(none.repeat_n(u64::MAX).iter().next().is_none());
    assert!(none.map_parallel(usize::MAX, Ok).checked().is_err());
    let sets = [Dataset::range(0..2), Dataset::range(5..7)];
    let seldom = Dataset::sample_from(&sets, &[1.0, 1e-30], 1).unwrap();
    assert_eq!(numbers(&seldom).len(), 4);
    let no_weight = Dataset::sample_from(&sets, &[0.0, 0.0], 1).unwrap();
    assert!(numbers(&no_weight).is_empty() && no_weight.element_spec().is_ok());
    assert!(Dataset::sample_from(&sets, &[1.0, f64::INFINITY], 1).is_err());
}

#[test]
fn a_source_that_fails_between_windows_says_so() {
    let data = Dataset::try_from_iter(|| {
        (0..4i64).map(|i| if i == 3 { Err(Error::invalid("a broken file")) } else { Ok(scalar(i)) })
    });
    let windows = data.window(Window::of(1).shift(5));
    let mut pass = windows.iter();
    assert!(pass.next().unwrap().is_ok());
    let e = pass.next().unwrap().unwrap_err();
    assert!(e.message().contains("a broken file"), "{e}");
    assert!(pass.next().is_none());
}

#[test]
fn a_quote_that_is_not_closed_takes_time_in_proportion() -> Result<()> {
    let path = std::env::temp_dir().join(format!("extype-open-quote-{}", std::process::id()));
    std::fs::write(&path, format!("\"{}", "a\n".repeat(200_000))).unwrap();
    let columns = vec![extype::data::Column::required(0, DType::String)];
    let rows = Dataset::csv([&path], columns, b',', false)?;
    let start = std::time::Instant::now();
    let e = rows.collect_all().unwrap_err();
    assert!(e.message().contains("a quote is not closed"), "{e}");
    assert!(start.elapsed() < std::time::Duration::from_secs(10), "{:?}", start.elapsed());
    Ok(())
}

#[test]
fn folders_of_classes_say_what_is_wrong() {
    let root = std::env::temp_dir().join(format!("extype-class-folders-{}", std::process::id()));
    let read = || Dataset::class_folders(&root, &["TXT", "png"]);
    let message = || read().unwrap_err().to_string();
    assert!(message().contains("extype-class-folders"), "{}", message());
    std::fs::create_dir_all(root.join("b").join("deep")).unwrap();
    std::fs::create_dir_all(root.join("a")).unwrap();
    std::fs::create_dir_all(root.join(".hidden")).unwrap();
    assert!(message().contains("no files that end in"), "{}", message());
    let file = |name: &str| std::fs::write(root.join(name), "").unwrap();
    for name in ["b/deep/1.txt", "b/0.PNG", "b/notes.md", "b/.2.txt", ".hidden/3.txt"] {
        file(name);
    }
    let (files, classes) = read().unwrap();
    assert_eq!(classes, ["a", "b"]);
    let numbers = files.iter().map(|file| file?.1.item::<i64>()).collect::<Result<Vec<_>>>();
    assert_eq!(numbers.unwrap(), [1, 1]);
    file("stray.txt");
    assert!(message().contains("has no class"), "{}", message());
    std::fs::remove_dir_all(root).unwrap();
}
