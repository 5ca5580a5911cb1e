#[path = "../functions/exported/mod.rs"]
mod exported;
