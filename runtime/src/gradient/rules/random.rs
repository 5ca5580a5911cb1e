//! Random numbers, which no gradient passes.

use super::no_gradients;

no_gradients!(
    "StatelessRandomUniformV2",
    "StatelessRandomNormalV2",
    "StatelessTruncatedNormalV2",
    "StatelessRandomUniformFullIntV2",
    "StatelessRandomUniformIntV2",
    "StatelessRandomUniform",
    "StatelessRandomNormal",
    "StatelessTruncatedNormal",
    "StatelessRandomUniformFullInt",
    "StatelessRandomUniformInt",
    "StatelessRandomGetKeyCounter",
    "StatelessRandomGetKeyCounterAlg",
    "StatelessRandomGetAlg",
    "StatelessMultinomial",
    "RngReadAndSkip",
);
