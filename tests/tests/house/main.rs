//! The house: its floors, the prelude, the sizes of files, pages made of the sources.

mod layering;
mod ops_page;
mod ops_tables;
mod pictures;
