//! Lookup tables and queues in traced functions, conditionals, loops, modules and threads.

use extype::ir::{AttrKey, Attrs};
use extype::prelude::*;
use extype::resources::{LookupTable, MutableTable, Queue, StaticVocabulary};

#[derive(Module)]
struct Counter {
    counts: MutableTable,
    words: StaticVocabulary,
    steps: Variable,
}

impl Counter {
    fn new() -> Result<Self> {
        Ok(Self {
            counts: MutableTable::new(i64, 0i64)?.name("counts"),
            words: StaticVocabulary::new(["the", "cat"])?.oov_buckets(1)?,
            steps: Variable::new(0i64)?,
        })
    }

    /// Counts words, and returns how often each was there before.
    #[tf_function]
    fn count(&self, words: &Tensor) -> Result<Tensor> {
        let ids = self.words.ids(words)?;
        let before = self.counts.lookup(&ids)?;
        self.counts.insert(&ids, &before + 1i64)?;
        self.steps.assign_add(1i64)?;
        Ok(before)
    }

    /// Inserts the square of each number below `n`, and removes odd ones.
    #[tf_function]
    fn squares(&self, n: &Tensor) -> Result<Tensor> {
        let mut i = scalar(0i64);
        while &i < n {
            self.counts.insert(&i, &i * &i)?;
            if ops::floor_mod(&i, 2)? == 1 {
                self.counts.remove(&i)?;
            }
            i += 1;
        }
        self.counts.size()
    }
}

#[test]
fn a_module_counts_words_in_program_order() -> Result<()> {
    let counter = Counter::new()?;
    assert_eq!(counter.count(&tensor!["cat", "dog"])?.as_slice::<i64>()?, &[0, 0]);
    assert_eq!(counter.count(&tensor!["the", "cow"])?.as_slice::<i64>()?, &[0, 1]);
    assert_eq!(counter.counts.lookup([0, 1, 2])?.as_slice::<i64>()?, &[1, 1, 2]);
    // A copy has a table of its own, and shares what never changes.
    let copy = counter.deep_clone()?;
    let _ = copy.count(&tensor!["cat", "cat"])?;
    assert_eq!(counter.counts.lookup(1)?.item::<i64>()?, 1);
    assert_eq!(copy.counts.lookup(1)?.item::<i64>()?, 2);
    assert_eq!(copy.steps.read()?.item::<i64>()?, 3);
    assert_eq!(counter.variables().len(), 1);
    Ok(())
}

#[test]
fn loops_and_conditionals_change_a_table() -> Result<()> {
    let counter = Counter::new()?;
    assert_eq!(counter.squares(&scalar(6i64))?.item::<i64>()?, 3);
    let (keys, values) = counter.counts.export()?;
    assert_eq!(keys.as_slice::<i64>()?, &[0, 2, 4]);
    assert_eq!(values.as_slice::<i64>()?, &[0, 4, 16]);
    Ok(())
}

#[test]
fn a_table_made_in_a_traced_function_is_made_at_each_call() -> Result<()> {
    let f = function(|keys: &Tensor, values: &Tensor| {
        let table = LookupTable::new(keys, values, -1)?;
        let found = table.lookup([2i64, 9])?;
        let sums = MutableTable::new(i64, 0i64)?;
        sums.insert(keys, values)?;
        Ok((found, sums.size()?))
    });
    let (found, size) = f.call(&tensor![1i64, 2], &tensor![10i64, 20])?;
    assert_eq!((found.to_vec::<i64>()?, size.item::<i64>()?), (vec![20, -1], 2));
    let (found, size) = f.call(&tensor![9i64, 8], &tensor![30i64, 40])?;
    assert_eq!((found.to_vec::<i64>()?, size.item::<i64>()?), (vec![-1, 30], 2));
    let e = f.call(&tensor![1i64, 1], &tensor![1i64, 2]).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::FailedPrecondition, "{e}");
    Ok(())
}

#[test]
fn a_dropped_table_is_told_by_name() -> Result<()> {
    let table = MutableTable::new(i64, 0.0f32)?.name("rates");
    let f = function({
        let table = std::sync::Mutex::new(Some(table));
        move |key: &Tensor| {
            let mut table = table.lock().unwrap();
            let found = table.as_ref().expect("traced once").lookup(key)?;
            table.take();
            Ok(found)
        }
    });
    let e = f.call(&scalar(1i64)).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::FailedPrecondition, "{e}");
    assert!(e.to_string().contains("table `rates`"), "{e}");
    Ok(())
}

#[test]
fn wrong_keys_and_values_are_refused_with_the_table_named() -> Result<()> {
    let table = MutableTable::new(DType::String, [0.0f32, 0.0])?.name("vectors");
    for e in [
        table.lookup([1i64]).unwrap_err(),
        table.insert(["a"], tensor![[1i64, 2]]).unwrap_err(),
        table.insert(["a"], tensor![[1.0f32, 2.0, 3.0]]).unwrap_err(),
        table.lookup_or(["a"], [1.0, 2.0, 3.0]).unwrap_err(),
    ] {
        assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
    }
    let attrs = Attrs::new().with(AttrKey::new("Tkeys"), &i64).with(AttrKey::new("Tvalues"), &f32);
    let export = extype::ir::find_op("LookupTableExportV2")?;
    let e = extype::tensor::execute(export, attrs, &[table.handle()]).unwrap_err();
    assert!(e.message().contains("has keys of string and values of float32, not of int64"), "{e}");
    let attrs = Attrs::new().with(AttrKey::new("_value_shape"), &shape![5]);
    let find = extype::ir::find_op("LookupTableFindV2")?;
    let (key, default) = (["a"].to_tensor()?, ops::zeros([5], f32)?);
    let e = extype::tensor::execute(find, attrs, &[table.handle(), &key, &default]).unwrap_err();
    assert!(e.message().contains("the table has values of shape [2], not [5]"), "{e}");
    assert!(LookupTable::new(["a", "a"], [1, 1], 0).is_ok(), "the same value twice");
    assert!(StaticVocabulary::new(["a", "a"]).is_err());
    Ok(())
}

#[test]
fn gradients_pass_by_tables() -> Result<()> {
    let table = MutableTable::new(i64, 0.0f32)?;
    table.insert([1], [3.0])?;
    let v = Variable::new(2.0f32)?;
    let f = function({
        let (table, v) = (table.clone(), v.clone());
        move |x: &Tensor| {
            let rate = cond(&x.greater(0.0)?, || table.lookup(1), || table.lookup(2))?;
            ops::mul(ops::mul(&v, x)?, rate)
        }
    });
    for x in [4.0f32, -4.0] {
        let x = scalar(x);
        let (_, g) = GradientTape::new().value_and_gradient(&v, || f.call(&x))?;
        let want = if x.item::<f32>()? > 0.0 { 12.0 } else { 0.0 };
        assert_eq!(g.of(&v)?.expect("connected").item::<f32>()?, want);
    }
    Ok(())
}

#[test]
fn threads_look_up_while_one_inserts() -> Result<()> {
    let table = MutableTable::new(i64, [0i64, 0])?;
    std::thread::scope(|s| {
        let readers: Vec<_> = (0..2)
            .map(|_| {
                s.spawn(|| -> Result<()> {
                    for i in 0..2000i64 {
                        let pair = table.lookup(i % 100)?.to_vec::<i64>()?;
                        assert_eq!(pair[0], pair[1], "half of an entry");
                    }
                    Ok(())
                })
            })
            .collect();
        for i in 0..1000i64 {
            table.insert([i % 100], Tensor::from_vec(vec![i, i]).reshape([1, 2])?)?;
            if i % 3 == 0 {
                table.remove([i % 50])?;
            }
        }
        readers.into_iter().try_for_each(|reader| reader.join().expect("no panic"))
    })
}

#[test]
fn a_million_ids() -> Result<()> {
    let n = 1_000_000i64;
    let keys = ops::range(0i64, n, 1i64)?;
    let table = LookupTable::new(ops::mul(&keys, 7i64)?, &keys, -1)?;
    let found = table.lookup(ops::mul(&keys, 7i64)?)?;
    assert_eq!(found.as_slice::<i64>()?, keys.as_slice::<i64>()?);
    assert_eq!(table.contains([7 * n - 7, 7 * n])?.as_slice::<bool>()?, &[true, false]);
    Ok(())
}

#[test]
fn a_queue_feeds_a_traced_function_of_another_thread() -> Result<()> {
    let queue = Queue::fifo(2, &[TensorSpec::of::<i64>([])])?;
    let sum = function({
        let queue = queue.clone();
        move |n: &Tensor| {
            let step = |(i, sum): (Tensor, Tensor)| {
                Ok((ops::add(&i, 1i64)?, ops::add(&sum, &queue.dequeue()?[0])?))
            };
            let start = (scalar(0i64), scalar(0i64));
            Ok(while_loop(start, |(i, _)| i.less(n), step)?.1)
        }
    });
    std::thread::scope(|s| {
        let producer = s.spawn(|| (1..=10i64).try_for_each(|i| queue.enqueue(&[i])));
        assert_eq!(sum.call(&scalar(10i64))?.item::<i64>()?, 55);
        producer.join().expect("no panic")
    })?;
    queue.close()?;
    assert_eq!(sum.call(&scalar(1i64)).unwrap_err().kind(), ErrorKind::OutOfRange);
    Ok(())
}

/// Waits until a thread waits for the queue: nothing tells, so this is a matter of time.
fn a_while() {
    std::thread::sleep(std::time::Duration::from_millis(100));
}

#[test]
fn elements_of_a_waiting_producer_come_in_after_the_queue_was_closed() -> Result<()> {
    let queue = Queue::fifo(2, &[TensorSpec::of::<i64>([])])?;
    std::thread::scope(|s| {
        let producer = s.spawn(|| queue.enqueue_many(&[[1i64, 2, 3, 4, 5]]));
        while queue.size()?.item::<i32>()? < 2 {
            std::thread::yield_now();
        }
        queue.close()?;
        assert!(queue.is_closed()?.item::<bool>()?);
        assert_eq!(queue.enqueue(&[6i64]).unwrap_err().kind(), ErrorKind::Cancelled);
        assert_eq!(queue.dequeue_many(4)?[0].as_slice::<i64>()?, &[1, 2, 3, 4]);
        assert_eq!(queue.dequeue_up_to(4)?[0].as_slice::<i64>()?, &[5]);
        producer.join().expect("no panic")
    })?;
    assert_eq!(queue.close().unwrap_err().kind(), ErrorKind::Cancelled);
    queue.close_and_cancel()
}

#[test]
fn cancelled_producers_fail_and_what_they_put_in_stays() -> Result<()> {
    let queue = Queue::fifo(2, &[TensorSpec::of::<i64>([])])?;
    std::thread::scope(|s| {
        let producer = s.spawn(|| queue.enqueue_many(&[[1i64, 2, 3]]));
        while queue.size()?.item::<i32>()? < 2 {
            std::thread::yield_now();
        }
        queue.close_and_cancel()?;
        let e = producer.join().expect("no panic").unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Cancelled, "{e}");
        // Too few are an error, which leaves them.
        let e = queue.dequeue_many(3).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::OutOfRange, "{e}");
        assert_eq!(queue.dequeue_many(2)?[0].as_slice::<i64>()?, &[1, 2]);
        Ok(())
    })
}

#[test]
fn waiting_consumers_have_their_turn_in_order() -> Result<()> {
    let queue = Queue::fifo(2, &[TensorSpec::of::<i64>([])])?;
    std::thread::scope(|s| {
        // More than the queue holds at once.
        let first = s.spawn(|| queue.dequeue_many(5));
        a_while();
        let second = s.spawn(|| queue.dequeue());
        a_while();
        queue.enqueue_many(&[[1i64, 2, 3, 4, 5, 6]])?;
        let first = first.join().expect("no panic")?;
        assert_eq!(first[0].as_slice::<i64>()?, &[1, 2, 3, 4, 5]);
        assert_eq!(second.join().expect("no panic")?[0].item::<i64>()?, 6);
        Ok(())
    })
}

#[test]
fn a_limit_of_time_is_refused() -> Result<()> {
    let queue = Queue::fifo(2, &[TensorSpec::of::<i64>([])])?;
    let op = ops::QueueEnqueue { timeout_ms: 100 };
    let e = op.run_as::<Vec<Tensor>>(&[queue.handle(), &Tensor::scalar(1i64)]);
    assert!(e.unwrap_err().to_string().contains("timeout_ms = 100"));
    Ok(())
}

/// Padded to 2^80 numbers, the elements can't leave together; each can.
#[test]
fn elements_that_do_not_fit_together_stay_in_the_queue() -> Result<()> {
    let queue = Queue::padding(9, &[TensorSpec::new(shape![?, ?, ?], f32)])?;
    let sizes = [[1i64 << 40, 0, 1], [0, 1 << 40, 1], [1, 1, 1]];
    for size in sizes {
        queue.enqueue(&[ops::zeros(size, f32)?])?;
    }
    for _ in 0..2 {
        assert!(queue.dequeue_many(3).is_err());
        assert_eq!(queue.size()?.item::<i32>()?, 3);
    }
    queue.close()?;
    assert!(queue.dequeue_up_to(5).is_err());
    for size in sizes {
        assert_eq!(queue.dequeue()?[0].shape(), ops::zeros(size, f32)?.shape());
    }
    assert_eq!(queue.dequeue().unwrap_err().kind(), ErrorKind::OutOfRange);
    Ok(())
}

/// A node of an imported graph may tell other types than those of the queue.
#[test]
fn elements_of_other_types_than_the_op_tells_stay_in_the_queue() -> Result<()> {
    let queue = Queue::fifo(9, &[TensorSpec::new(shape![?], f32)])?;
    queue.enqueue(&[tensor![1.0f32, 2.0]])?;
    let take = |component_types: &[DType], shapes: &[Shape]| -> Result<Vec<Tensor>> {
        let (component_types, shapes) = (component_types.to_vec(), shapes.to_vec());
        ops::QueueDequeue { component_types, shapes, timeout_ms: -1 }.run_as(&[queue.handle()])
    };
    let traced = function(|handle: &Tensor| {
        let op = ops::QueueDequeue { component_types: vec![i64], shapes: vec![], timeout_ms: -1 };
        Ok(op.run_as::<Vec<Tensor>>(&[handle])?[0].clone())
    });
    for e in [
        take(&[i64], &[]).unwrap_err(),
        take(&[f32, f32], &[]).unwrap_err(),
        take(&[f32], &[shape![?, ?]]).unwrap_err(),
        take(&[f32], &[shape![3]]).unwrap_err(),
        traced.call(queue.handle()).unwrap_err(),
    ] {
        assert_eq!(e.kind(), ErrorKind::InvalidArgument, "{e}");
        assert_eq!(queue.size()?.item::<i32>()?, 1);
    }
    assert_eq!(take(&[f32], &[shape![2]])?[0].as_slice::<f32>()?, &[1.0, 2.0]);
    Ok(())
}
