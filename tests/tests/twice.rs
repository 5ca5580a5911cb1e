//! A program in which two ops and two types have one name: told before anything is traced, with both places.

use extype::ir::{check_names as check_ops, find_op};
use extype::prelude::*;
use extype::spec::{AnyValue, check_names, find_spec};

mod one {
    extype::define_op! {
        /// A tensor as it is.
        pub op Same = "TestTwice>Same" {
            inputs: { x: T }, outputs: { y: T }, types: { T: extype::types::DTypeSet::FLOAT },
            call: same_of_one(x),
            infer: extype::ops::rules::same_shape, kernel: Pass, gradient: none,
        }
    }
}

mod other {
    use extype::prelude::*;
    use extype::types::DTypeSet;

    extype::define_op! {
        /// A tensor as it is.
        pub op Same = "TestTwice>Same" {
            inputs: { x: T }, outputs: { y: T }, types: { T: DTypeSet::FLOAT },
            call: same_of_other(x),
            infer: ops::rules::same_shape, kernel: Pass, gradient: none,
        }
    }

    #[derive(ExtensionType, Clone, Debug)]
    #[extension_type(name = "twice.Twice")]
    pub(super) struct Twice {
        pub(super) y: Tensor,
    }
}

#[derive(ExtensionType, Clone, Debug)]
#[extension_type(name = "twice.Twice")]
struct Twice {
    x: Tensor,
}

fn refused<R>(result: Result<R>, words: &[&str]) {
    let Err(e) = result else { panic!("not refused") };
    assert_eq!(e.kind(), ErrorKind::AlreadyExists);
    for word in words {
        assert!(e.to_string().contains(word), "no {word} in {e}");
    }
}

/// Both modules, with this file.
const OPS: [&str; 4] = ["TestTwice>Same", "twice.rs:8", "`twice::one`", "`twice::other`"];
const TYPES: [&str; 3] = ["twice.Twice", "twice.rs", "extension_type(name"];

#[test]
fn the_first_trace_tells_both_places() -> Result<()> {
    let x = tensor![1.0f32];
    // What runs at once asks for no name.
    assert_eq!(one::same_of_one(&x)?.item::<f32>()?, other::same_of_other(&x)?.item::<f32>()?);
    refused(function(|x: &Tensor| x.tanh()).call(&x), &OPS);
    refused(function(|x: &Tensor| x.tanh()).concrete(&x.type_spec()).map(|_| ()), &OPS);
    refused(vectorized_map(&x, |x: Tensor| x.tanh()), &OPS);
    Ok(())
}

#[test]
fn names_stand_for_one_op_and_one_type() {
    refused(check_ops(), &OPS);
    refused(find_op("TestTwice>Same"), &OPS);
    refused(check_names(), &TYPES);
    refused(find_spec("twice.Twice").map(|c| c.name.clone()), &TYPES);
    let (a, b) = (Twice::new([1.0f32]).unwrap(), other::Twice::new([1.0f32]).unwrap());
    // The types stay different whatever their names say.
    assert_ne!(a.type_spec().to_any(), b.type_spec().to_any());
    assert!(AnyValue::new(a.clone()).downcast::<other::Twice>().is_err());
    assert_eq!((a.x.shape(), b.y.shape()), (shape![1], shape![1]));
}
