//! The counter-based generator Philox4x32-10.

use crate::par::simd;

const ROUNDS: usize = 10;
/// Blocks computed side by side.
pub(super) const BLOCKS: usize = 64;

/// A generator: a key, and a counter of 128 bits that selects the next four words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Philox {
    key: [u32; 2],
    counter: u128,
}

impl Philox {
    /// The generator for a key and a counter, given with its low half first.
    pub fn new(key: u64, counter: [u64; 2]) -> Self {
        let counter = u128::from(counter[0]) | u128::from(counter[1]) << 64;
        Self { key: [key as u32, (key >> 32) as u32], counter }
    }

    /// The key and counter that TensorFlow derives from a pair of seeds (`StatelessRandomGetKeyCounter`).
    pub fn key_counter(seed: [u64; 2]) -> (u64, [u64; 2]) {
        let mixed = Self::new(0x0246_1e29_3ec8_f720, seed).block(0).map(u64::from);
        (mixed[0] | mixed[1] << 32, [0, mixed[2] | mixed[3] << 32])
    }

    /// The four words `index` blocks ahead.
    #[inline(always)]
    pub fn block(&self, index: u64) -> [u32; 4] {
        let mut words = self.counter_words(index);
        let mut key = self.key;
        for _ in 0..ROUNDS {
            words = round(words, key);
            key = next_key(key);
        }
        words
    }

    /// The blocks from `index` on: the same as calls of [`block`](Self::block), but computed word by word as vector
    /// code.
    #[inline(never)]
    pub(super) fn blocks(&self, index: u64) -> [[u32; 4]; BLOCKS] {
        simd(
            #[inline(always)]
            || self.blocks_by_word(index),
        )
    }

    #[inline(always)]
    fn blocks_by_word(&self, index: u64) -> [[u32; 4]; BLOCKS] {
        let mut lanes: [[u32; BLOCKS]; 4] = [[0; BLOCKS]; 4];
        for i in 0..BLOCKS {
            let words = self.counter_words(index.wrapping_add(i as u64));
            for (lane, word) in lanes.iter_mut().zip(words) {
                lane[i] = word;
            }
        }
        let mut key = self.key;
        for _ in 0..ROUNDS {
            for i in 0..BLOCKS {
                let words = round([lanes[0][i], lanes[1][i], lanes[2][i], lanes[3][i]], key);
                for (lane, word) in lanes.iter_mut().zip(words) {
                    lane[i] = word;
                }
            }
            key = next_key(key);
        }
        core::array::from_fn(|i| [lanes[0][i], lanes[1][i], lanes[2][i], lanes[3][i]])
    }

    /// The counter `index` blocks ahead, lowest word first.
    #[inline(always)]
    fn counter_words(&self, index: u64) -> [u32; 4] {
        let counter = self.counter.wrapping_add(u128::from(index));
        core::array::from_fn(|i| (counter >> (32 * i)) as u32)
    }
}

/// The key of the next round.
#[inline(always)]
fn next_key(key: [u32; 2]) -> [u32; 2] {
    [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)]
}

#[inline(always)]
fn round(words: [u32; 4], key: [u32; 2]) -> [u32; 4] {
    let a = u64::from(words[0]) * 0xd251_1f53;
    let b = u64::from(words[2]) * 0xcd9e_8d57;
    [(b >> 32) as u32 ^ words[1] ^ key[0], b as u32, (a >> 32) as u32 ^ words[3] ^ key[1], a as u32]
}

/// Single words from consecutive blocks.
#[derive(Debug)]
pub struct Words {
    generator: Philox,
    next_block: u64,
    block: [u32; 4],
    used: usize,
}

impl Words {
    /// The words from block `first` on.
    pub fn new(generator: Philox, first: u64) -> Self {
        Self { generator, next_block: first, block: [0; 4], used: 4 }
    }

    /// The next word.
    #[expect(clippy::should_implement_trait, reason = "the words never end")]
    pub fn next(&mut self) -> u32 {
        if self.used == 4 {
            self.block = self.generator.block(self.next_block);
            self.next_block += 1;
            self.used = 0;
        }
        self.used += 1;
        self.block[self.used - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answers_of_random123() {
        let block = |key, counter| Philox::new(key, counter).block(0);
        assert_eq!(block(0, [0, 0]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            block(u64::MAX, [u64::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            block(0x299f_31d0_a409_3822, [0x85a3_08d3_243f_6a88, 0x0370_7344_1319_8a2e]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn blocks_side_by_side_are_those_one_by_one() {
        for counter in [[0, 0], [u64::MAX - 3, 7], [u64::MAX - 3, u64::MAX]] {
            let generator = Philox::new(99, counter);
            for (i, block) in generator.blocks(5).into_iter().enumerate() {
                assert_eq!(block, generator.block(5 + i as u64));
            }
        }
    }

    #[test]
    fn the_counter_carries_and_wraps() {
        let near_end = Philox::new(5, [u64::MAX, u64::MAX]);
        assert_eq!(near_end.block(1), Philox::new(5, [0, 0]).block(0));
        let carry = Philox::new(5, [u64::MAX, 3]);
        assert_eq!(carry.block(2), Philox::new(5, [1, 4]).block(0));
    }

    #[test]
    fn seeds_of_tensorflow() {
        let (key, counter) = Philox::key_counter([0, 0]);
        assert_eq!(key, 16_103_252_647_613_272_195);
        assert_eq!(counter, [0, 18_388_005_586_443_337_812]);
    }
}
