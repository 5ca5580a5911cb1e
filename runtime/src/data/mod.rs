//! Pipelines of data: [`Dataset`], a sequence of values of one type, read element by element.
//!
//! ```
//! use extype::data::{Dataset, Remainder};
//! use extype::prelude::*;
//! let data = Dataset::range(0..10)
//!     .filter(|x| x.floor_mod(3)?.not_equal(0))
//!     .map(|x| Ok((x.square()?, x)))
//!     .batch(4, Remainder::Keep);
//! for batch in &data {
//!     let (squares, numbers) = batch?;
//!     assert_eq!(squares.shape(), numbers.shape());
//! }
//! # Ok::<(), Error>(())
//! ```
//!
//! | for | methods |
//! | --- | --- |
//! | sources | `from_tensor_slices`, `from_tensors`, `from_values`, `from_iter`, `unfold`, `range`, `counter`, `random`, `text_lines`, `csv`, `class_folders`, `load` |
//! | one to one | `map`, `map_parallel`, `map_seeded`, `scan`, `enumerate`, `with_element_spec` |
//! | selection | `filter`, `take`, `skip`, `take_while`, `shard`, `unique`, `repeat`, `shuffle` |
//! | several datasets | `zip`, `zip_all`, `zip_map`, `concatenate`, `choose_from`, `sample_from` |
//! | stacks | `batch`, `padded_batch`, `batch_with`, `unbatch`, `rebatch`, `bucket_by_length` |
//! | datasets of datasets | `flat_map`, `interleave`, `window`, `group_by_window` |
//! | errors | `ignore_errors`, `on_error`, `max_errors` |
//! | speed | `map_parallel`, `prefetch`, `cache`, `snapshot`, `report` |
//! | files | [`Dataset::save`], `load`, `snapshot` |
//! | state | [`Elements::save`], [`Dataset::resume`] |
//! | in traced functions | [`Optional`], [`Dataset::steps`] |

mod batching;
mod cache;
mod coded;
mod dataset;
mod flattening;
mod folders;
mod guards;
mod handle;
mod iterators;
mod joining;
mod mapping;
mod optional;
mod padded;
mod parallel;
mod rim;
mod saved;
mod scan;
mod seeds;
mod selection;
mod shuffle;
mod slices;
mod snapshot;
mod sources;
mod stage;
mod state;
mod stop;
mod text;
mod unbatching;
mod windows;
#[cfg(feature = "serde")]
mod written;

pub use batching::Remainder;
pub use dataset::{Dataset, Elements, Report, StepReport};
pub use handle::DatasetSpec;
pub use optional::{Optional, OptionalSpec, Steps};
pub use padded::Padding;
pub use rim::Answer;
pub use seeds::Seed;
pub use stage::Cardinality;
pub use state::IteratorState;
pub use text::Column;
pub use windows::Window;
