//! The state of programs in checkpoints: saved, restored, resumed, damaged.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use extype::ErrorKind;
use extype::checkpoint::{Checkpoint, CheckpointManager};
use extype::data::{Dataset, Remainder, Resumable};
use extype::prelude::*;
use extype::random::Generator;
use extype::train::{Adam, AnyOptimizer, Nadam, SGD};

/// A folder that is removed at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("extype_checkpoints_{name}_{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }

    fn at(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn files(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        let mut names: Vec<String> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Recorded checkpoints of TensorFlow, if they are here.
fn recorded(name: &str) -> Option<PathBuf> {
    let conformance = std::env::var("EXTYPE_CONFORMANCE").map_or_else(
        |_| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../shared/conformance")),
        PathBuf::from,
    );
    Some(conformance.join("checkpoints").join(name)).filter(|path| path.is_dir())
}

fn var(values: &[f32]) -> Variable {
    Variable::new(values.to_vec()).unwrap()
}

fn values(v: &Variable) -> Vec<f32> {
    v.read().unwrap().to_vec::<f32>().unwrap()
}

fn item(v: &Variable) -> i64 {
    v.read().unwrap().item().unwrap()
}

#[derive(Module)]
struct Layer {
    kernel: Variable,
    bias: Late<Variable>,
}

#[derive(Module)]
struct Model {
    layers: Vec<Layer>,
    scales: BTreeMap<String, Variable>,
    pair: (Variable, Variable),
    absent: Option<Variable>,
    shared: Variable,
    width: i64,
}

fn model(start: f32) -> Model {
    let layer = |x: f32| Layer { kernel: var(&[x, x + 1.0]), bias: Late::new() };
    let layers = vec![layer(start), layer(start + 10.0)];
    Model {
        scales: [("a/b.c".to_owned(), var(&[start])), ("z".to_owned(), var(&[start - 1.0]))].into(),
        pair: (var(&[start + 2.0]), var(&[start + 3.0])),
        absent: None,
        shared: layers[1].kernel.clone(),
        layers,
        width: 2,
    }
}

fn make_bias(layer: &Layer) -> &Variable {
    layer.bias.get_or_create(|| Ok(var(&[0.0, 0.0]))).unwrap()
}

fn all(model: &Model) -> Vec<Vec<f32>> {
    model.variables().iter().map(values).collect()
}

#[test]
fn modules_come_back_with_lists_maps_tuples_and_shared_variables() -> Result<()> {
    let folder = Folder::new("modules");
    let (old, new) = (model(1.0), model(50.0));
    make_bias(&old.layers[0]).assign([7.0, 8.0])?;
    make_bias(&new.layers[0]);
    assert_eq!((old.width, old.absent.is_none()), (2, true));
    Checkpoint::new(&old).save(folder.at("ckpt"))?;
    let restored = Checkpoint::new(&new).restore(folder.at("ckpt"))?;
    restored.assert_consumed()?;
    assert_eq!(all(&new), all(&old));
    assert_eq!(
        restored.matched,
        [
            "shared",
            "scales/a.Sb..c",
            "scales/z",
            "pair/0",
            "pair/1",
            "layers/0/kernel",
            "layers/0/bias"
        ]
    );
    assert_eq!(folder.files(), ["ckpt.data-00000-of-00001", "ckpt.index"]);
    Ok(())
}

#[test]
fn a_part_of_a_program_takes_a_part_of_a_checkpoint() -> Result<()> {
    let folder = Folder::new("parts");
    let (old, new, step) = (model(1.0), model(50.0), Variable::new(3i64)?);
    Checkpoint::default().with("model", &old).with("step", &step).save(folder.at("ckpt"))?;
    let (first, other) = (&new.layers[0], Variable::new(1i64)?);
    #[derive(Module)]
    struct Part {
        layers: Vec<Variable>,
    }
    // The variable of a list stands where the checkpoint has a group: it is not found.
    let part = Part { layers: vec![first.kernel.clone()] };
    let checkpoint = Checkpoint::default().with("model", &part).with("other", &other);
    let restored = checkpoint.restore(folder.at("ckpt"))?;
    assert!(restored.matched.is_empty());
    assert_eq!(restored.missing, ["other", "model/layers/0"]);
    assert!(restored.unused.contains(&"model/layers/0/kernel".to_owned()));
    assert!(restored.unused.contains(&"step".to_owned()));
    let e = restored.assert_existing().unwrap_err();
    assert_eq!(e.kind(), ErrorKind::NotFound);
    assert!(e.message().starts_with("not in the checkpoint: other, model/layers/0; it has"));
    assert_eq!(values(&first.kernel), [50.0, 51.0]);
    // Two parts of one name.
    let twice = Checkpoint::new(&old).with("layers", &step).save(folder.at("twice"));
    assert!(twice.unwrap_err().message().contains("two parts of a checkpoint are called `layers`"));
    Ok(())
}

#[test]
fn nothing_is_assigned_if_anything_has_another_shape_or_dtype() -> Result<()> {
    let folder = Folder::new("shapes");
    let (a, b, c) = (var(&[1.0, 2.0]), var(&[3.0]), Variable::new(4i64)?);
    let save = Checkpoint::default().with("a", &a).with("b", &b).with("c", &c);
    save.save(folder.at("ckpt"))?;
    let (x, y, z) = (var(&[0.0, 0.0]), var(&[0.0, 0.0]), Variable::new(0i32)?);
    let load = Checkpoint::default().with("a", &x).with("b", &y).with("c", &z);
    let e = load.restore(folder.at("ckpt")).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::InvalidArgument);
    assert!(
        e.message().ends_with(
            "`b` is float32[2], and float32[1] in the checkpoint, `c` is int32[], and int64[] in the checkpoint"
        ),
        "{e}"
    );
    assert_eq!((values(&x), values(&y)), (vec![0.0, 0.0], vec![0.0, 0.0]));
    let found = load.compare(folder.at("ckpt"))?;
    assert_eq!((found.matched.len(), found.misshapen.len()), (1, 2));
    // A variable of any length takes what is there.
    let any = Variable::with_shape(&tensor![9.0f32, 9.0, 9.0], shape![?])?;
    let load = Checkpoint::default().with("b", &any);
    load.restore(folder.at("ckpt"))?.assert_existing()?;
    assert_eq!(values(&any), [3.0]);
    Ok(())
}

#[test]
fn values_wait_for_late_variables_and_are_saved_again_before_that() -> Result<()> {
    let folder = Folder::new("late");
    let old = model(1.0);
    let adam = Adam::new(0.1);
    let params = [old.layers[0].kernel.clone(), make_bias(&old.layers[0]).clone()];
    adam.apply_gradients(params.iter().map(|v| (Some(tensor![1.0f32, -2.0]), v.clone())))?;
    Checkpoint::default().with("model", &old).with("adam", &adam).save(folder.at("one"))?;

    let (new, its) = (model(50.0), Adam::new(0.1));
    let checkpoint = Checkpoint::default().with("model", &new).with("adam", &its);
    let restored = checkpoint.restore(folder.at("one"))?;
    restored.assert_consumed()?;
    assert!(restored.waiting.contains(&"model/layers/0/bias".to_owned()), "{restored}");
    // What waits is not lost.
    checkpoint.save(folder.at("two"))?;
    let (third, its_own) = (model(70.0), Adam::new(0.1));
    let checkpoint = Checkpoint::default().with("model", &third).with("adam", &its_own);
    checkpoint.restore(folder.at("two"))?.assert_consumed()?;

    for (model, adam_of) in [(&new, &its), (&third, &its_own)] {
        // Made in a trace.
        let layer = &model.layers[0];
        let f = function(|x: &Tensor| {
            let bias = layer.bias.get_or_create(|| Variable::new(x.zeros_like()?))?;
            ops::add(x, &bias.read()?)
        });
        let y = f.call(&tensor![0.0f32, 0.0])?;
        assert_eq!(y.to_vec::<f32>()?, values(&params[1]));
        let bias = layer.bias.get().expect("it is made");
        for slot in ["momentum", "velocity"] {
            let (mine, theirs) = (adam_of.slot(slot, bias), adam.slot(slot, &params[1]));
            assert_eq!(values(&mine.expect("a slot")), values(&theirs.expect("a slot")));
        }
        assert_eq!(adam_of.iterations()?.item::<i64>()?, 1);
    }
    // Nothing waits for what was saved under another name.
    let misspelt = model(0.0);
    let restored = Checkpoint::default().with("modle", &misspelt).restore(folder.at("one"))?;
    assert!(restored.missing.contains(&"modle/layers/0/bias".to_owned()));
    // A value that does not fit is an error where the variable is made.
    let wrong = model(0.0);
    let _ = Checkpoint::default().with("model", &wrong).restore(folder.at("one"))?;
    let e = wrong.layers[0].bias.get_or_create(|| Variable::new([1.0f32])).unwrap_err();
    assert!(e.to_string().contains("the restored value"), "{e}");
    Ok(())
}

/// Slots of `b` are not those of a variable that stands in its place.
#[test]
fn a_new_head_gets_no_slots_of_the_old_one() -> Result<()> {
    let folder = Folder::new("head");
    let step = |optimizer: &AnyOptimizer, body: &Variable, head: &Variable| {
        let loss = || ops::add(&body.read()?.square()?, &head.read()?.square()?);
        let variables = [body.clone(), head.clone()];
        let (_, gradients) = GradientTape::new().value_and_gradient(&variables, loss)?;
        optimizer.apply(&gradients, &variables)
    };
    let (body, old) = (var(&[1.0]), var(&[2.0]));
    let optimizer = SGD::new(0.1).momentum(0.9).erased();
    step(&optimizer, &body, &old)?;
    let checkpoint = |body, head: (&'static str, _), optimizer| {
        let checkpoint = Checkpoint::default().with("body", body).with(head.0, head.1);
        checkpoint.with("optimizer", optimizer)
    };
    checkpoint(&body, ("old", &old), &optimizer).save(folder.at("ckpt"))?;

    let (body, new) = (var(&[1.0]), var(&[5.0]));
    let optimizer = SGD::new(0.1).momentum(0.9).erased();
    step(&optimizer, &body, &new)?;
    let slots = optimizer.variables();
    let slots: Vec<&Variable> =
        slots.iter().filter(|v| v.label().is_some_and(|l| l.contains("momentum"))).collect();
    let before = values(slots[1]);
    let restored = checkpoint(&body, ("new", &new), &optimizer).restore(folder.at("ckpt"))?;
    assert_eq!(values(slots[0]), [-0.2]);
    assert_eq!(values(slots[1]), before);
    assert!(restored.missing.iter().any(|path| path.starts_with("optimizer/momentum")));
    Ok(())
}

/// A run that draws noise, takes shuffled batches, and trains.
#[derive(Module)]
struct Run {
    model: Vec<Variable>,
    optimizer: AnyOptimizer,
    noise: Generator,
    batches: Resumable<Tensor>,
    step: Variable,
}

impl Run {
    fn new(optimizer: AnyOptimizer) -> Result<Self> {
        let data = Dataset::range(0..40).map(|x| x.cast(f32)).shuffle(16, 5);
        let batches = data.batch(4, Remainder::Drop).repeat().iter().resumable();
        Ok(Self {
            model: vec![var(&[0.5, -0.5, 0.25, 1.0]), var(&[0.1])],
            optimizer,
            noise: Generator::from_seed(3)?,
            batches,
            step: Variable::new(0i64)?,
        })
    }

    fn steps(&self, count: usize) -> Result<Vec<u32>> {
        let mut losses = Vec::new();
        for batch in self.batches.clone().take(count) {
            let x = ops::add(&batch?, &self.noise.normal([4], 0.0, 1.0, f32)?)?;
            let tape = GradientTape::new();
            let (loss, gradients) = tape.value_and_gradient(&self.model, || {
                let y = ops::add(&ops::mul(&x, &self.model[0].read()?)?, &self.model[1].read()?)?;
                ops::sub(&y, 3.0)?.square()?.reduce_mean(.., false)
            })?;
            self.optimizer.apply(&gradients, &self.model)?;
            self.step.assign_add(1)?;
            losses.push(loss.item::<f32>()?.to_bits());
        }
        Ok(losses)
    }
}

#[test]
fn a_resumed_run_is_the_uninterrupted_one_bit_for_bit() -> Result<()> {
    let optimizers: [fn() -> AnyOptimizer; 4] = [
        || Adam::new(0.05).amsgrad().erased(),
        || Nadam::new(0.05).erased(),
        || SGD::new(0.001).momentum(0.9).erased(),
        || Adam::new(0.05).ema_momentum(0.9).gradient_accumulation_steps(2).erased(),
    ];
    for (i, optimizer) in optimizers.into_iter().enumerate() {
        let folder = Folder::new(&format!("resumed{i}"));
        let whole = Run::new(optimizer())?;
        let losses = whole.steps(25)?;

        let first = Run::new(optimizer())?;
        // In the middle of the first pass.
        let mut resumed = first.steps(7)?;
        Checkpoint::new(&first).save(folder.at("ckpt"))?;
        drop(first);
        let second = Run::new(optimizer())?;
        Checkpoint::new(&second).restore(folder.at("ckpt"))?.assert_consumed()?;
        assert_eq!(item(&second.step), 7);
        resumed.extend(second.steps(18)?);
        assert_eq!(resumed, losses, "optimizer {i}");
        for (a, b) in whole.model.iter().zip(&second.model) {
            assert_eq!(values(a), values(b));
        }
        // Of a run that has gone on, too.
        Checkpoint::new(&second).restore(folder.at("ckpt"))?.assert_consumed()?;
        assert_eq!(second.steps(18)?, losses[7..]);
    }
    Ok(())
}

#[test]
fn a_pass_of_other_data_is_refused_and_nothing_changes() -> Result<()> {
    let folder = Folder::new("pass");
    let (run, v) = (Dataset::range(0..9).shuffle(4, 1).iter().resumable(), var(&[1.0]));
    Checkpoint::default().with("data", &run).with("v", &v).save(folder.at("ckpt"))?;
    let (mut other, w) = (Dataset::range(0..9).iter().resumable(), var(&[2.0]));
    let checkpoint = Checkpoint::default().with("data", &other).with("v", &w);
    let e = checkpoint.restore(folder.at("ckpt")).unwrap_err();
    assert!(e.to_string().contains("another pipeline"), "{e}");
    drop(checkpoint);
    assert_eq!(values(&w), [2.0]);
    assert_eq!(other.next().unwrap()?.item::<i64>()?, 0);
    // Text is no state of a pass.
    let text = Variable::new(Tensor::from("text"))?;
    assert!(
        Checkpoint::default().with("data", &text).restore(folder.at("ckpt"))?.missing.len() == 1
    );
    Ok(())
}

#[test]
fn damaged_files_are_errors_and_nothing_changes() -> Result<()> {
    let folder = Folder::new("damage");
    let saved = model(1.0);
    Checkpoint::new(&saved).save(folder.at("ckpt"))?;
    let new = model(50.0);
    let before = all(&new);
    let restore = || Checkpoint::new(&new).restore(folder.at("ckpt"));
    let (index, data) = (folder.at("ckpt.index"), folder.at("ckpt.data-00000-of-00001"));
    let (mut tries, mut harmless) = (0, 0);
    for path in [&index, &data] {
        let whole = fs::read(path).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 1 << (at % 8);
            fs::write(path, &flipped).unwrap();
            match restore() {
                Err(e) => {
                    let known = [ErrorKind::DataLoss, ErrorKind::Unimplemented];
                    assert!(known.contains(&e.kind()), "{at}: {e:?}");
                    assert!(e.to_string().contains("ckpt"), "{at}: {e:?}");
                }
                // What nobody reads: padding at the end of the index.
                Ok(_) => {
                    assert_eq!(all(&new), all(&saved), "{at}");
                    assert!(path == &index && at + 110 > whole.len(), "{at} of {}", whole.len());
                    new.variables()
                        .iter()
                        .zip(&before)
                        .try_for_each(|(v, x)| v.assign(x.clone()))?;
                    harmless += 1;
                }
            }
            fs::write(path, &whole[..at]).unwrap();
            let e = restore().expect_err("the end is missing");
            assert!(matches!(e.kind(), ErrorKind::DataLoss | ErrorKind::OutOfRange), "{at}: {e:?}");
            tries += 2;
        }
        fs::remove_file(path).unwrap();
        let e = restore().expect_err("a file is missing");
        assert_eq!(e.kind(), ErrorKind::NotFound);
        assert!(e.to_string().contains(path.file_name().unwrap().to_str().unwrap()), "{e}");
        fs::write(path, &whole).unwrap();
    }
    assert!(tries > 1000 && harmless < 70, "{tries} tries, {harmless} harmless");
    assert_eq!(all(&new), before);
    restore()?.assert_consumed()?;
    Ok(())
}

#[test]
fn managers_keep_the_newest_and_number_on() -> Result<()> {
    let folder = Folder::new("manager");
    let step = Variable::new(0i64)?;
    let manager = |step| -> Result<_> {
        let checkpoint = Checkpoint::default().with("step", step);
        Ok(CheckpointManager::new(checkpoint, &folder.0)?.keep(2).name("model").in_background())
    };
    let first = manager(&step)?;
    assert!(first.restore_or_initialize(|| step.assign(5))?.is_none());
    assert_eq!(item(&step), 5);
    for _ in 0..3 {
        step.assign_add(1)?;
        first.save()?;
    }
    first.wait()?;
    assert_eq!(first.latest(), Some(folder.at("model-3")));
    assert_eq!(
        folder.files(),
        [
            "checkpoint",
            "model-2.data-00000-of-00001",
            "model-2.index",
            "model-3.data-00000-of-00001",
            "model-3.index"
        ]
    );
    let again = Variable::new(0i64)?;
    let second = manager(&again)?;
    second.restore_or_initialize(|| again.assign(5))?.expect("a checkpoint").assert_consumed()?;
    assert_eq!(item(&again), 8);
    second.save()?;
    second.save_step(100)?;
    second.wait()?;
    assert_eq!(second.checkpoints(), [folder.at("model-4"), folder.at("model-100")]);
    // A folder may be moved.
    let moved = Folder::new("moved");
    fs::remove_dir_all(&moved.0).unwrap();
    fs::rename(&folder.0, &moved.0).unwrap();
    let third = CheckpointManager::new(Checkpoint::default(), &moved.0)?;
    assert_eq!(third.latest(), Some(moved.at("model-100")));
    Ok(())
}

#[test]
fn names_that_are_paths_and_no_hours_are_refused() -> Result<()> {
    let folder = Folder::new("refused");
    let manager = || CheckpointManager::new(Checkpoint::default(), &folder.0);
    let e = manager()?.name("a/b").save().unwrap_err();
    assert!(e.message().contains("`name` is the name of files, not a path: `a/b`"), "{e}");
    for hours in [0.0, -1.0, f64::NAN] {
        let e = manager()?.keep_every_hours(hours).save().unwrap_err();
        assert!(e.message().contains("`keep_every_hours` takes a positive number"), "{e}");
    }
    assert!(folder.files().is_empty());
    Ok(())
}

#[test]
fn one_checkpoint_every_so_many_hours_stays() -> Result<()> {
    let folder = Folder::new("hours");
    let step = Variable::new(0i64)?;
    let checkpoint = || Checkpoint::default().with("step", &step);
    for name in ["ckpt-1", "ckpt-2", "ckpt-3"] {
        checkpoint().save(folder.at(name))?;
    }
    // Written long ago, an hour apart.
    let state = "model_checkpoint_path: \"/elsewhere/ckpt-3\"\n\
        all_model_checkpoint_paths: \"/elsewhere/ckpt-1\"\nall_model_checkpoint_paths: \"/elsewhere/ckpt-2\"\n\
        all_model_checkpoint_paths: \"/elsewhere/ckpt-3\"\nall_model_checkpoint_timestamps: 7200.0\n\
        all_model_checkpoint_timestamps: 10800.0\nall_model_checkpoint_timestamps: 14400.0\n\
        last_preserved_timestamp: 1.0\n";
    fs::write(folder.at("checkpoint"), state).unwrap();
    let manager = CheckpointManager::new(checkpoint(), &folder.0)?.keep(1).keep_every_hours(1.5);
    assert_eq!(manager.latest(), Some(folder.at("ckpt-3")));
    manager.save_step(4)?;
    let files = folder.files();
    let there = |n: i64| files.contains(&format!("ckpt-{n}.index"));
    // 1 stays, 2 is too near to it, 3 is two hours later.
    assert_eq!([1, 2, 3, 4].map(there), [true, false, true, true]);
    Ok(())
}

#[test]
fn errors_of_the_background_come_once_and_saves_go_on() -> Result<()> {
    let folder = Folder::new("background");
    fs::write(folder.at("file"), "no folder").unwrap();
    let v = var(&[1.0]);
    let checkpoint = Checkpoint::default().with("v", &v);
    checkpoint.save_in_background(folder.at("file/ckpt"))?;
    let e = checkpoint.save(folder.at("ckpt")).unwrap_err();
    assert!(e.to_string().contains("file"), "{e}");
    for i in 0..20 {
        v.assign([i as f32])?;
        checkpoint.save_in_background(folder.at("ckpt"))?;
        v.assign([-1.0])?;
    }
    checkpoint.restore(folder.at("ckpt"))?.assert_consumed()?;
    assert_eq!(values(&v), [19.0]);
    let f = function(|x: &Tensor| {
        Checkpoint::default().with("v", &v).save(folder.at("traced"))?;
        Ok(x.clone())
    });
    let e = f.call(&scalar(1.0f32)).unwrap_err();
    assert!(e.to_string().contains("a traced function can't save"), "{e}");
    Ok(())
}

#[test]
fn checkpoints_of_tensorflow_are_restored() -> Result<()> {
    let (Some(managed), Some(optimizer)) = (recorded("managed"), recorded("optimizer")) else {
        return Ok(());
    };
    let (step, w) = (Variable::new(0i64)?, Variable::new(ops::zeros([5, 2], f32)?)?);
    let checkpoint = Checkpoint::default().with("step", &step).with("w", &w);
    let manager = CheckpointManager::new(checkpoint, &managed)?;
    manager.restore_or_initialize(|| Ok(()))?.expect("a checkpoint").assert_consumed()?;
    assert_eq!(item(&step), 30);
    assert!(w.read()?.to_vec::<f32>()?.iter().all(|x| *x != 0.0));
    drop(manager);

    // Keras's optimizer has a variable of its own.
    let (v, adam) = (Variable::new(ops::zeros([3, 2], f32)?)?, Adam::new(0.5));
    adam.build(&v)?;
    let checkpoint = Checkpoint::default().with("model", &v).with("optimizer", &adam);
    let restored = checkpoint.restore(optimizer.join("ckpt"))?;
    restored.assert_existing()?;
    assert_eq!(restored.unused, ["optimizer/_trainable_variables/0"]);
    assert_eq!(adam.iterations()?.item::<i64>()?, 1);
    assert_eq!(adam.learning_rate()?.item::<f32>()?, 0.1);
    assert!(adam.slot("velocity", &v).unwrap().read()?.reduce_min(.., false)?.item::<f32>()? > 0.0);
    Ok(())
}
