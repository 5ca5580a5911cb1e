//! Models that are saved: they come back as they were, and TensorFlow gets what it needs to load them.

mod json;
#[cfg(unix)]
mod killed;
mod models;

use std::path::{Path, PathBuf};

use extype::prelude::*;
use extype::saved::{Export, load};
use models::Call;

/// A folder of this test alone.
fn folder(name: &str) -> PathBuf {
    let folder =
        std::env::temp_dir().join(format!("extype-exported-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn same(got: &extype::spec::AnyValue, want: &extype::spec::AnyValue, what: &str) -> Result<()> {
    assert_eq!(got.leaves().len(), want.leaves().len(), "{what}: {}", got.spec());
    for (a, b) in got.leaves().iter().zip(want.leaves()) {
        assert!(a.value()?.identical(b.value()?), "{what}: {a:?} instead of {b:?}");
    }
    Ok(())
}

/// Saves all models, loads them again, calls their functions, and writes what TensorFlow must find.
fn check(at: &Path) -> Result<()> {
    for (name, make) in models::ALL {
        let folder = at.join(name);
        let model = folder.join("model");
        let calls = make(&model).map_err(|e| e.in_context(format!("model {name}")))?;
        let loaded = load(&model)?;
        for call in &calls {
            match call {
                Call::Function(f, args, result) => {
                    let got = loaded.function(f)?.call_values(args, &[])?;
                    same(&got, result, &format!("{name}: {f}"))?;
                }
                Call::Signature(f, inputs, outputs) => {
                    let inputs: Vec<(&str, &Tensor)> =
                        inputs.iter().map(|(n, t)| (*n, t)).collect();
                    let got = loaded.signature(f)?.call(&inputs)?;
                    assert_eq!(got.len(), outputs.len(), "{name}: {f}");
                    for (output, want) in outputs {
                        assert!(
                            got[*output].value()?.identical(want.value()?),
                            "{name}: {f}: {output}"
                        );
                    }
                }
            }
        }
        json::write(&folder, &calls).unwrap();
    }
    Ok(())
}

#[test]
fn models_come_back_as_they_were() -> Result<()> {
    let at = folder("all");
    check(&at)?;
    std::fs::remove_dir_all(at).unwrap();
    Ok(())
}

/// Run by `.ci/interop`, which has TensorFlow load what lies in the folder then.
#[test]
#[ignore = "writes models for TensorFlow to the folder that EXTYPE_EXPORTED names"]
fn models_for_tensorflow() -> Result<()> {
    check(Path::new(&std::env::var("EXTYPE_EXPORTED").unwrap()))
}

fn bytes(folder: &Path) -> Vec<Vec<u8>> {
    ["saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"]
        .map(|file| std::fs::read(folder.join(file)).unwrap())
        .into()
}

#[test]
fn equal_models_are_equal_bytes() -> Result<()> {
    for (name, make) in models::ALL {
        let [one, other] = ["one", "other"].map(|copy| folder(&format!("{name}-{copy}")));
        make(&one)?;
        make(&other)?;
        assert!(bytes(&one) == bytes(&other), "{name}");
        std::fs::remove_dir_all(one).unwrap();
        std::fs::remove_dir_all(other).unwrap();
    }
    Ok(())
}

#[derive(Module)]
struct Held {
    held: Variable,
}

fn refused(export: Export, what: &str) -> Error {
    let at = folder(what);
    let e = export.save(&at).unwrap_err();
    assert!(!at.exists(), "{what}");
    e
}

#[test]
fn what_a_function_uses_must_belong_to_the_model() -> Result<()> {
    let model = Held { held: Variable::new(1.0f32)? };
    let other = Variable::new(tensor![1.0f32, 2.0])?.name("elsewhere");
    let f = function(|x: &Tensor| ops::add(ops::mul(x, &other)?, &model.held));
    let f = f.concrete(&TensorSpec::of::<f32>([]))?;
    let e = refused(Export::new(&model).function("scaled", [f]), "unheld");
    assert_eq!(e.kind(), ErrorKind::FailedPrecondition);
    for part in ["`scaled`", "elsewhere", "make it a field of the model"] {
        assert!(e.to_string().contains(part), "{e}");
    }
    Ok(())
}

#[test]
fn all_ops_that_tensorflow_lacks_are_named_with_their_lines() -> Result<()> {
    let inner = function(|x: &Tensor| ops::regex_extract(x, "[a-z]+", 0));
    let outer = function(move |x: &Tensor| {
        let y = inner.call(x)?;
        y.replace("a", "b")
    });
    let f = outer.concrete(&TensorSpec::new([2], DType::String))?;
    let e = refused(Export::default().function("f", [f]), "own-ops");
    assert_eq!(e.kind(), ErrorKind::Unimplemented);
    for part in ["`Extype>RegexExtract`", "`Extype>StringReplace`", "mod.rs:"] {
        assert!(e.to_string().contains(part), "{e}");
    }
    Ok(())
}

#[test]
fn names_are_taken_once() -> Result<()> {
    let model = Held { held: Variable::new(1.0f32)? };
    let f = function(|x: &Tensor| ops::neg(x)).concrete(&TensorSpec::of::<f32>([]))?;
    for name in ["held", "signatures", "", "held.f", "nowhere.f"] {
        let e = refused(Export::new(&model).function(name, [f.clone()]), "names");
        assert!(e.to_string().contains("name") || e.to_string().contains("no module"), "{e}");
    }
    let e = refused(Export::new(&model).function("f", []), "no trace");
    assert!(e.to_string().contains("no trace"), "{e}");
    let nested = function(|x: &Tensor| Ok((x.clone(), (x.clone(), ops::neg(x)?))));
    let nested = nested.concrete(&TensorSpec::of::<f32>([]))?;
    let e = refused(Export::new(&model).signature("s", &nested), "nested");
    assert!(e.to_string().contains("signature `s`: `output_1` is"), "{e}");
    Ok(())
}

#[test]
fn functions_of_parts_lie_at_the_parts() -> Result<()> {
    #[derive(Module)]
    struct Outer {
        part: Held,
    }
    let model = Outer { part: Held { held: Variable::new(2.0f32)? } };
    let f = function(|x: &Tensor| ops::mul(x, &model.part.held));
    let at = folder("parts");
    Export::new(&model)
        .function("part.scaled", [f.concrete(&TensorSpec::of::<f32>([]))?])
        .save(&at)?;
    let loaded = load(&at)?;
    let y: Tensor = loaded.function("part.scaled")?.call((&scalar(3.0f32),))?;
    assert_eq!(y.item::<f32>()?, 6.0);
    assert_eq!(loaded.variable("part.held")?.read()?.item::<f32>()?, 2.0);
    std::fs::remove_dir_all(at).unwrap();
    Ok(())
}

#[test]
fn only_models_are_replaced_unless_asked() -> Result<()> {
    let save = |value: f32, at: &Path| {
        let model = Held { held: Variable::new(value)? };
        Export::new(&model).save(at)
    };
    let held = |at: &Path| load(at)?.variable("held")?.read()?.item::<f32>();
    let at = folder("replaced");
    save(1.0, &at)?;
    save(2.0, &at)?;
    assert_eq!(held(&at)?, 2.0);
    std::fs::remove_dir_all(&at).unwrap();
    for make in [
        |at: &Path| std::fs::write(at, "text"),
        |at: &Path| std::fs::create_dir_all(at.join("other")),
    ] {
        make(&at).unwrap();
        assert_eq!(save(3.0, &at).unwrap_err().kind(), ErrorKind::AlreadyExists);
        let model = Held { held: Variable::new(4.0f32)? };
        Export::new(&model).replace().save(&at)?;
        assert_eq!(held(&at)?, 4.0);
        std::fs::remove_dir_all(&at).unwrap();
    }
    // An empty folder may be there.
    std::fs::create_dir(&at).unwrap();
    save(5.0, &at)?;
    assert_eq!(held(&at)?, 5.0);
    std::fs::remove_dir_all(&at).unwrap();
    Ok(())
}
