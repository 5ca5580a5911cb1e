//! The types that a function is traced for: those of a call, fitted to the signature, or generalized.

use std::sync::Arc;

use super::FunctionState;
use super::concrete::traced_for;
use super::options::FunctionOptions;
use crate::spec::{AnySpec, first_difference};
use crate::trace::CallKey;
use crate::types::{Result, bail};

impl FunctionState {
    /// An error if the type of an argument breaks the laws that the cache relies on; `again` are the types when asked
    /// once more.
    pub(super) fn check_laws(&self, specs: &[AnySpec], again: &[AnySpec]) -> Result<()> {
        for (i, (spec, again)) in specs.iter().zip(again).enumerate() {
            let broken = match () {
                () if spec != again => "does not equal itself when asked again",
                () if !spec.is_subtype_of(again) => "is no subtype of itself",
                () => continue,
            };
            let (name, parameter) = (self.options.name, self.parameter(i));
            bail!("`{name}`: the type of argument `{parameter}` {broken}: {spec}")
        }
        Ok(())
    }

    /// The name of a parameter, for messages.
    fn parameter(&self, i: usize) -> &'static str {
        self.options.parameters.get(i).copied().unwrap_or("?")
    }

    /// The request narrowed to the signature, which may know more about shapes. It also returns the types to trace for
    /// according to the signature, if there is one. The Rust types of arguments may be signatures too: `stated` is what
    /// they say.
    pub(super) fn fit(
        &self,
        request: &CallKey,
        stated: &[AnySpec],
    ) -> Result<(CallKey, Option<CallKey>)> {
        let signature = self.options.signature.map_or_else(Vec::new, |signature| signature());
        if signature.is_empty() && stated == &request.any[..] {
            return Ok((request.clone(), None));
        }
        let (mut fitted, mut wanted) = (request.any.to_vec(), stated.to_vec());
        for (i, restricted) in signature.into_iter().enumerate() {
            let Some(spec) = restricted else { continue };
            if let Some(stated) = stated.get(i)
                && *stated != request.any[i]
                && !spec.is_subtype_of(stated)
            {
                let (name, parameter) = (self.options.name, self.parameter(i));
                bail!(
                    "`{name}`: the signature says that `{parameter}` is {spec}, and its type says {stated}"
                );
            }
            let Some(given) = request.any.get(i) else {
                bail!("`{}`: the signature has too many entries", self.options.name);
            };
            let Some(narrowed) = given.narrowed_to(&spec) else {
                return self.misfit(i, given, &spec);
            };
            fitted[i] = narrowed;
            wanted[i] = spec;
        }
        let key = |any: Vec<AnySpec>| CallKey { context: request.context, any: any.into() };
        let same = fitted[..] == request.any[..];
        let fitted = if same { request.clone() } else { key(fitted) };
        Ok((fitted, Some(key(wanted))))
    }

    #[cold]
    pub(super) fn misfit<T>(&self, i: usize, given: &AnySpec, spec: &AnySpec) -> Result<T> {
        let (name, parameter) = (self.options.name, self.parameter(i));
        let mut path = String::new();
        let fits = |a: &AnySpec, b: &AnySpec| a.narrowed_to(b).is_some();
        let (given, wanted) = first_difference(given, spec, &fits, &mut path);
        bail!("`{name}`: argument `{parameter}{path}` is {given}, but the signature wants {wanted}")
    }

    /// The types to trace for: those of the request. With `reduce_retracing` they are widened by the earlier traces that
    /// have a common supertype with the request.
    pub(super) fn generalize(&self, request: &CallKey) -> Result<CallKey> {
        let mut wanted = request.clone();
        if !self.options.reduce_retracing {
            return Ok(wanted);
        }
        let traces = self.traces().table.traces();
        for traced in traces.iter().filter(|t| t.key.context == request.context) {
            let (a, b) = (&traced.key.any, &wanted.any);
            let joined = a.iter().zip(&**b).map(|(a, b)| a.most_specific_common_supertype(b));
            if let Some(joined) = joined.collect::<Option<Arc<[_]>>>()
                && joined.len() == b.len()
            {
                self.check_joined(&joined, a, b)?;
                wanted.any = joined;
            }
        }
        Ok(wanted)
    }

    /// An error if what a type says of common supertypes is wrong.
    fn check_joined(&self, joined: &[AnySpec], a: &[AnySpec], b: &[AnySpec]) -> Result<()> {
        for (all, one) in joined.iter().zip(a).chain(joined.iter().zip(b)) {
            if !one.is_subtype_of(all) {
                let name = self.options.name;
                bail!(
                    "`{name}`: {all} is said to be a common supertype, and {one} is no subtype of it"
                );
            }
        }
        Ok(())
    }

    pub(super) fn describe(&self, specs: &[AnySpec]) -> String {
        let FunctionOptions { name, parameters, .. } = self.options;
        let parameters = parameters.iter().copied().chain(std::iter::repeat("args"));
        traced_for(name, parameters.zip(specs))
    }
}
