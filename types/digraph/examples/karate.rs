//! Which side the members of a karate club took when it split (W. W. Zachary, 1977): a graph convolution that is told
//! the side of two of them, the instructor and the president, finds that of the others along friendships.

use extype::prelude::*;
use extype::train::{Adam, SparseCategoricalCrossentropy};
use extype_digraph::{Digraph, GraphConvolution};

/// For each member, friends of higher number.
const FRIENDS: [&[i64]; 34] = [
    &[1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31],
    &[2, 3, 7, 13, 17, 19, 21, 30],
    &[3, 7, 8, 9, 13, 27, 28, 32],
    &[7, 12, 13],
    &[6, 10],
    &[6, 10, 16],
    &[16],
    &[],
    &[30, 32, 33],
    &[33],
    &[],
    &[],
    &[],
    &[33],
    &[32, 33],
    &[32, 33],
    &[],
    &[],
    &[32, 33],
    &[33],
    &[32, 33],
    &[],
    &[32, 33],
    &[25, 27, 29, 32, 33],
    &[25, 27, 31],
    &[31],
    &[29, 33],
    &[33],
    &[31, 33],
    &[32, 33],
    &[32, 33],
    &[32, 33],
    &[33],
    &[],
];

/// Those who stayed with the instructor, member 0; the others went with the president, member 33.
const WITH_INSTRUCTOR: [i64; 17] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 16, 17, 19, 21];

#[derive(Module)]
struct Network {
    first: GraphConvolution,
    second: GraphConvolution,
    optimizer: Adam,
}

impl Network {
    fn logits(&self, club: &Digraph) -> Result<Tensor> {
        let hidden = self.first.call(club)?.tanh()?;
        self.second.call(&club.with_nodes(&hidden)?)
    }

    /// A step towards the sides `known` of these members.
    #[tf_function]
    fn step(&self, club: &Digraph, members: &Tensor, known: &Tensor) -> Result<Tensor> {
        let of = |layer: &GraphConvolution| [layer.kernel.clone(), layer.bias.clone()];
        let params = [of(&self.first), of(&self.second)].concat();
        let loss = SparseCategoricalCrossentropy::new().from_logits();
        let tape = GradientTape::new();
        let (loss, gradients) = tape.value_and_gradient(&params, || {
            loss.call(known, &self.logits(club)?.gather(members, 0)?)
        })?;
        self.optimizer.apply(&gradients, &params)?;
        Ok(loss)
    }
}

fn main() -> Result<()> {
    let ends: Vec<i64> = (0..)
        .zip(FRIENDS)
        .flat_map(|(a, friends)| friends.iter().flat_map(move |b| [a, *b]))
        .collect();
    let n = ends.len() / 2;
    // Nothing is known of the members but who they are.
    let ends = Tensor::from_slice(&ends, &[n, 2])?;
    let club = Digraph::new(ops::eye(34, f32)?, ops::ones([n], f32)?, ends)?.both_ways()?;
    let degrees = club.in_degrees()?;
    println!("The club: {club}");
    println!(
        "friends of the instructor {}, of the president {}, at most of others {}\n",
        degrees.index(0)?,
        degrees.index(33)?,
        degrees.slice([1], [32])?.reduce_max(.., false)?
    );

    let truth: Vec<i64> = (0..34).map(|i| i64::from(!WITH_INSTRUCTOR.contains(&i))).collect();
    let truth = Tensor::from_vec(truth);
    let network = Network {
        first: GraphConvolution::new(34, 8, 1)?,
        second: GraphConvolution::new(8, 2, 2)?,
        optimizer: Adam::new(0.02),
    };
    let (members, known) = (tensor![0i64, 33], tensor![0i64, 1]);
    println!("steps   loss   told right of 32");
    for steps in 0..=100 {
        let loss = network.step(&club, &members, &known)?.item::<f32>()?;
        if [0, 5, 10, 20, 50, 100].contains(&steps) {
            let right = network.logits(&club)?.argmax(1)?.equal(&truth)?.cast(i64)?;
            let right = right.slice([1], [32])?.reduce_sum(.., false)?.item::<i64>()?;
            println!("{steps:>5}   {loss:.3}   {right:>4}");
        }
    }
    let chance = network.logits(&club)?.softmax()?.index((.., 1))?;
    let chance = chance.as_slice::<f32>()?;
    let wrong: Vec<usize> = (0..34)
        .filter(|i| (chance[*i] > 0.5) != (truth.as_slice::<i64>().unwrap_or(&[])[*i] == 1))
        .collect();
    let mut unsure: Vec<usize> = (1..33).collect();
    unsure.sort_by(|a, b| (chance[*a] - 0.5).abs().total_cmp(&(chance[*b] - 0.5).abs()));
    println!("\ntold wrong: {wrong:?}; least sure of: {:?}", &unsure[..4]);
    Ok(())
}
