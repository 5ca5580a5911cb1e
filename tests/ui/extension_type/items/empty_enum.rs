use extype::prelude::*;

#[derive(ExtensionType, Clone, Debug)]
enum Never {}

fn main() {}
