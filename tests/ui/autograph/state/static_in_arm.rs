use std::sync::atomic::{AtomicUsize, Ordering};

use extype::prelude::*;

static COUNT: AtomicUsize = AtomicUsize::new(0);

#[tf_function]
pub fn counts(x: &Tensor) -> Result<Tensor> {
    // Outside of conditions on tensors it runs while tracing, as all plain code.
    COUNT.fetch_add(1, Ordering::Relaxed);
    if x > 0 {
        COUNT.fetch_add(1, Ordering::Relaxed);
    }
    Ok(x.clone())
}

fn main() {}
