//! A type whose spec is written by hand.

use super::*;
use extype::spec::AnySpec;

/// A number of fruit: apples and oranges are fruit.
#[derive(Clone, Debug)]
pub(crate) struct Fruit {
    kind: &'static str,
    count: Tensor,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct FruitSpec {
    pub(crate) kind: &'static str,
    pub(crate) count: TensorSpec,
}

impl Structure for Fruit {
    type Spec = FruitSpec;

    fn spec_in(&self, context: &mut SpecContext) -> FruitSpec {
        FruitSpec { kind: self.kind, count: self.count.spec_in(context) }
    }

    fn has_spec(&self, spec: &FruitSpec, context: &mut SpecContext) -> bool {
        self.kind == spec.kind && self.count.has_spec(&spec.count, context)
    }

    fn leaves<'a>(&'a self, out: &mut Leaves<'a>) {
        out.push(&self.count);
    }

    fn into_leaves(self, out: &mut Vec<Tensor>) {
        out.push(self.count);
    }

    fn from_leaves(spec: &FruitSpec, leaves: &mut LeafIter) -> Result<Self> {
        Ok(Self { kind: spec.kind, count: Tensor::from_leaves(&spec.count, leaves)? })
    }
}

impl TypeSpec for FruitSpec {
    type Value = Fruit;

    fn to_any(&self) -> AnySpec {
        let kind = AnySpec::Literal(Literal::Str(self.kind.into()));
        Composite::of::<Fruit>([("kind", kind), ("count", self.count.to_any())])
    }

    fn from_any(any: &AnySpec) -> Result<Self> {
        let c = any.as_composite(TypeId::of::<Fruit>(), "Fruit")?;
        let kind = match c.field("kind") {
            Some(AnySpec::Literal(Literal::Str(s))) => {
                ["apple", "orange", "fruit"].into_iter().find(|k| **k == **s)
            }
            _ => None,
        };
        let count = c.field("count").ok_or_else(|| Error::invalid("no count"))?;
        let kind = kind.ok_or_else(|| Error::invalid("no such fruit"))?;
        Ok(Self { kind, count: TensorSpec::from_any(count)? })
    }

    fn is_subtype_of(&self, other: &Self) -> bool {
        (self.kind == other.kind || other.kind == "fruit") && self.count.is_subtype_of(&other.count)
    }

    fn most_specific_common_supertype(&self, other: &Self) -> Option<Self> {
        Some(Self {
            kind: if self.kind == other.kind { self.kind } else { "fruit" },
            count: self.count.most_specific_common_supertype(&other.count)?,
        })
    }

    fn is_compatible_with(&self, other: &Self) -> bool {
        (self.kind == other.kind || self.kind == "fruit" || other.kind == "fruit")
            && self.count.is_compatible_with(&other.count)
    }
}

impl ExtensionType for Fruit {
    fn class() -> Arc<Class> {
        static CLASS: OnceLock<Arc<Class>> = OnceLock::new();
        let class = || Class {
            name: "design.Fruit".into(),
            short_name: "Fruit".into(),
            type_id: Some(TypeId::of::<Fruit>()),
            hooks: Hooks::of::<FruitSpec>(),
        };
        CLASS.get_or_init(|| Arc::new(class())).clone()
    }
}

fn fruit(kind: &'static str, n: i64) -> Fruit {
    Fruit { kind, count: scalar(n) }
}

#[tf_function(reduce_retracing)]
fn all_fruit(basket: &[Fruit]) -> Result<Fruit> {
    let mut all = basket[0].clone();
    for f in &basket[1..] {
        all.count = ops::add(&all.count, &f.count)?;
    }
    Ok(all)
}

#[test]
fn a_spec_by_hand_has_laws_of_its_own_wherever_it_stands() -> Result<()> {
    let (apple, orange) = (fruit("apple", 2), fruit("orange", 3));
    let general = FruitSpec { kind: "fruit", ..apple.type_spec() };
    let (a, o, any) = (apple.type_spec().to_any(), orange.type_spec().to_any(), general.to_any());
    assert!(a.is_subtype_of(&any) && !any.is_subtype_of(&a) && !a.is_compatible_with(&o));
    assert_eq!(a.most_specific_common_supertype(&o), Some(any.clone()));
    let list = |s: &AnySpec| AnySpec::List([AnySpec::Optional(Some(s.clone().into()))].into());
    assert!(list(&a).is_subtype_of(&list(&any)));
    assert_eq!(list(&a).most_specific_common_supertype(&list(&o)), Some(list(&any)));

    // A trace for all fruit serves apples.
    let count = function(|f: &Fruit| ops::mul(&f.count, if f.kind == "fruit" { 1 } else { 100 }));
    count.concrete(&general)?;
    assert_eq!(count.call(&apple)?.item::<i64>()?, 2);
    assert_eq!(count.call(&orange)?.item::<i64>()?, 3);
    assert_eq!(count.trace_count(), 1);
    let fresh = function(|f: &Fruit| ops::mul(&f.count, if f.kind == "fruit" { 1 } else { 100 }));
    assert_eq!(fresh.call(&apple)?.item::<i64>()?, 200);

    // Traces generalize from apples and oranges to fruit.
    let basket = |kinds: [&'static str; 2]| kinds.map(|k| fruit(k, 1)).to_vec();
    assert_eq!(all_fruit(&basket(["apple", "apple"]))?.kind, "apple");
    assert_eq!(all_fruit(&basket(["orange", "apple"]))?.kind, "fruit");
    assert_eq!(all_fruit(&basket(["orange", "apple"]))?.count.item::<i64>()?, 2);
    assert_eq!(all_fruit::trace_count(), 2);
    Ok(())
}

#[test]
fn the_prelude_hides_no_method_of_strings() {
    assert_eq!("a,b,c".matches(',').count(), 2);
    assert_eq!(String::from("a,b").matches("b").count(), 1);
}
