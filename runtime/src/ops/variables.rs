//! The gradients of the ops on variables, whose definitions stand on the tensor floor.

use super::gradient::{GradientEntry, first};
use crate::tensor::{ASSIGN_ADD_VARIABLE, ASSIGN_SUB_VARIABLE, ASSIGN_VARIABLE, READ_VARIABLE};

inventory::submit!(GradientEntry::new(&READ_VARIABLE, |g| Ok(first(g, g.dy()?.clone()))));
inventory::submit!(GradientEntry::none(&ASSIGN_VARIABLE));
inventory::submit!(GradientEntry::none(&ASSIGN_ADD_VARIABLE));
inventory::submit!(GradientEntry::none(&ASSIGN_SUB_VARIABLE));
