//! Derivatives as users take them: tapes, functions of functions, gradients that are given, gradients that are
//! computed anew; what has none, and how it is told; what is kept for them.
//!
//! The scenarios on gradients of the specification, and what shows them (of other binaries by name):
//!
//! | scenario | shown by |
//! | --- | --- |
//! | functions 9: without a tape nothing is kept | `kept::without_a_tape_nothing_is_kept` |
//! | functions 9: the forward and the backward function are made once | `functions::forward_and_backward_functions_are_made_once` |
//! | functions 9: accessed trainable variables are watched, also those of nested functions only | `functions::variables_of_nested_functions_are_watched` |
//! | functions 9: a variable that is not trainable is not watched | `functions::variables_that_are_not_trainable_are_not_watched` |
//! | functions 9: higher order, by tapes around and by tapes inside | design `second_derivatives_are_traced`, `functions::orders_mix_tapes_around_and_inside` |
//! | functions 9: integers have no gradient, here an error that says to cast | `told::an_integer_source_says_to_cast` |
//! | functions 9: an unused source is none, or zeros | `told::sources_that_are_not_connected_are_named` |
//! | functions 9: a second gradient of one tape | `tape::a_tape_is_asked_many_times` |
//! | functions 9: `f(v, v)` adds up | `functions::a_value_that_is_passed_twice_has_both_uses`, frame `gradients_see_both_uses_of_a_variable_that_is_passed_twice` |
//! | functions 9: custom gradients keep their function in traces | `custom::the_function_stays_in_the_graph` |
//! | functions 9: `cond`, unused arms | control `an_arm_that_does_not_use_a_source_gives_zeros` |
//! | functions 9: `stop_gradient` cuts | `functions::stop_gradient_cuts_in_functions_and_loops` |
//! | functions 41: `x³` twice in a function is `6x` | examples `api.rs`, control `squares_of_squares_have_gradients_of_three_orders` |
//! | functions 42: `x *= 2` three times is 8 | scenarios `the_gradient_through_a_loop_that_doubles_three_times_is_8` |
//! | functions 43: a captured variable has a gradient without being passed | `functions::variables_of_nested_functions_are_watched` |
//! | functions 2: a large captured tensor is an input, with a gradient | design `a_large_tensor_that_is_captured_has_a_gradient` |
//! | functions 8: gradients with respect to what a loop captures add up | control `what_a_loop_captures_has_gradients` |
//! | extension types 8: a source of a type of one's own, with a mask | design `gradients_have_the_structure_of_their_source`, `functional::values_of_types_go_through_every_form` |
//! | user pains 17: Jacobians of ragged tensors | types/ragged `jacobians_pass_sums_of_rows` |
//! | user pains 18: `map_fn` over a ragged tensor has gradients | control `gradients_pass_rows_of_unlike_lengths` |
//! | user pains 47: an error within the gradient names op and line | `told::an_op_without_a_rule_is_named_not_silent` |
//! | user pains 48, 56: broadcasting of unlike ranks | `functions::broadcasting_sums_the_gradient_down`, the fuzzer's gradients |

#![expect(clippy::assign_op_pattern, reason = "operators in all their forms")]

mod arms;
mod custom;
mod functional;
mod functions;
mod kept;
mod recompute;
mod recurrent;
mod rows;
mod tape;
mod told;
mod training;

use extype::prelude::*;

/// The numbers of a tensor.
pub fn floats(t: &Tensor) -> Vec<f32> {
    t.to_vec::<f32>().expect("float32")
}

/// What an error says.
pub fn said<T>(result: Result<T>) -> String {
    match result {
        Ok(_) => panic!("it did not fail"),
        Err(e) => e.to_string(),
    }
}
