//! The values of a model's variables.

use std::path::Path;

use extype_formats::bundle::Bundle;
use extype_formats::proto::TrackableObject;

use crate::array::Array;
use crate::checkpoint::read;
use crate::types::{Error, Result, bail};

/// A checkpoint with the objects whose values it has.
pub(super) struct Checkpoint {
    bundle: Bundle,
    /// The objects; the first is the root.
    pub(super) objects: Vec<TrackableObject>,
}

impl Checkpoint {
    /// The checkpoint of files whose names begin so.
    pub(super) fn open(prefix: &Path) -> Result<Self> {
        let bundle = Bundle::open(prefix).map_err(Error::of_file)?;
        match bundle.object_graph().map_err(Error::of_file)? {
            Some(graph) => Ok(Self { bundle, objects: graph.nodes }),
            None => bail!(DataLoss, "the checkpoint {} has no objects", prefix.display()),
        }
    }

    /// The tensor of this name.
    pub(super) fn tensor(&self, key: &str) -> Result<Array> {
        read(&self.bundle, key)
    }
}
