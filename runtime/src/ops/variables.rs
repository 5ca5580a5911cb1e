//! The gradients of the ops on variables, whose definitions stand on the tensor floor.

use super::gradient::{GradientEntry, first, no_gradients};
use crate::tensor::{ASSIGN_ADD_VARIABLE, ASSIGN_SUB_VARIABLE, ASSIGN_VARIABLE, READ_VARIABLE};

inventory::submit!(GradientEntry::new(&READ_VARIABLE, |g| Ok(first(g, g.dy()?.clone()))));
inventory::submit!(GradientEntry::new(&ASSIGN_VARIABLE, |g| Ok(no_gradients(g))));
inventory::submit!(GradientEntry::new(&ASSIGN_ADD_VARIABLE, |g| Ok(no_gradients(g))));
inventory::submit!(GradientEntry::new(&ASSIGN_SUB_VARIABLE, |g| Ok(no_gradients(g))));
