//! The picture in the guide is that of the function there, drawn as graphs are drawn now. It is written anew by
//! `EXTYPE_BLESS=1 cargo test -p extype-tests --test house pictures`.

use std::fs;

use extype::prelude::*;
use extype::tensor::name_scope;

const PICTURE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/guide/row-means.svg");

#[tf_function]
fn row_means(x: &Tensor) -> Result<Tensor> {
    let centered = {
        let _scope = name_scope("center")?;
        x - x.reduce_mean(1, true)?
    };
    let _scope = name_scope("scale")?;
    let deviation = centered.square()?.reduce_mean(1, true)?.sqrt()?;
    Ok(centered / (deviation + 1e-6))
}

#[test]
fn the_picture_in_the_guide_is_that_of_the_graph() -> Result<()> {
    let svg = row_means::concrete(&TensorSpec::of::<f32>(shape![?, 3]))?.graph().to_svg();
    if std::env::var_os("EXTYPE_BLESS").is_some() {
        fs::write(PICTURE, &svg).expect("the picture can be written");
    }
    let there = fs::read_to_string(PICTURE).unwrap_or_default();
    let differs = svg.lines().zip(there.lines()).find(|(a, b)| a != b);
    assert!(
        svg == there,
        "docs/guide/row-means.svg is not that of the graph; write it by `EXTYPE_BLESS=1 cargo test -p extype-tests \
         --test house pictures`. First difference: {differs:?}"
    );
    Ok(())
}
