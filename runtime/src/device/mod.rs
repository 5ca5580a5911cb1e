//! Devices: where values lie and where ops run.
//!
//! A device has a name, such as `CPU:0` or `GPU:1`. The scope [`tensor::device`](crate::tensor::device()) places the ops
//! within it, and a trace keeps the device of each node. The host is `CPU:0`. [`ensure_logical_cpus`] divides it, so that a
//! program for several devices can be tried on any machine.
//!
//! A crate brings other devices: it implements [`Backend`], which allocates memory and names kernels, and
//! [`register`]s it. [`register_kernel`] adds kernels by op and kind of device. No code of the library changes for that.
//!
//! | what | where it is |
//! | --- | --- |
//! | a result | in the memory of the device where the op ran |
//! | a tensor of Rust data | on the host, also in the scope of another device; `x.to_device(name)` moves it |
//! | the value of a variable | on the device in whose scope the variable was created |
//! | an operand that lies elsewhere | is copied to the device of the op |
//!
//! Ops on strings, variants, resources and functions run on the host. An op without a kernel for the device is refused.

mod backend;
mod call;
mod table;

pub use backend::{Backend, Cpu};
pub use call::{DeviceCall, DeviceKernel, on_host};
pub(crate) use call::{moved, run};
pub(crate) use table::{DeviceId, find, leaves_host, named};
pub use table::{devices, ensure_logical_cpus, register, register_kernel};
