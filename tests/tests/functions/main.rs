//! Traced functions: traces, control flow with closures, graphs, functions as attributes, panics, random
//! programs.

mod attention;
mod checkpoints;
mod control;
mod devices;
mod exported;
mod frame;
mod fuse;
mod graphs;
mod inlining;
mod lying;
mod memory;
mod panics;
mod parts;
mod placement;
mod program;
mod random;
mod retracing;
mod rows;
mod saved;
mod shapes;
mod tables;
mod traced;
mod views;
