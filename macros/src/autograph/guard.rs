//! What stands after a statement that may have left: it runs if nobody has.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::Stmt;

use super::branch::around;
use super::lower::{Lower, Place, block_of};
use super::names::{Code, written};
use super::scope::{ConstructKind, joined, joined_value, name};
use super::slots::Seen;

impl Lower {
    /// The rest of a block.
    pub(super) fn guard(
        &mut self,
        mut rest: Vec<Stmt>,
        place: Place,
        tokens: &[Ident],
    ) -> TokenStream {
        let site = Span::mixed_site();
        let p = self.p.clone();
        let n = self.scope.number();
        let (driver, kind, value) = (name("rest", n), name("left", n), name("value", n));
        let (late, local) = self.late_in(&rest);
        let slots = self.slots(&written([Code::Stmts(&rest)]), &quote!(&#kind), Seen::Later);
        let start = {
            let joined = joined_value(&p, tokens);
            quote_spanned! {site=>
                let #kind = #joined;
                let mut #driver = flow.rest();
            }
        };
        let inner = match place {
            Place::Inner | Place::Lent => Place::Value,
            other => other,
        };
        let (body, construct) = self.within(ConstructKind::Guard(tokens.to_vec()), |s| {
            s.region(&late, &local, |s| {
                s.stmts(&mut rest, inner);
                block_of(&rest, site)
            })
        });
        self.assigned(&late);
        let mut leaving = tokens.to_vec();
        leaving.extend(construct.into_iter().flat_map(|c| c.kinds));
        let [enter, leave, take] = around(&p, &driver, &quote!(&#kind), &slots);
        let ty = self.arm_type(place);
        let taken = self.take_arm(&late, true, &joined(&p, &leaving), &quote!(#value));
        quote_spanned! {site=> {
            #start
            #enter
            let #value #ty = #body;
            #leave
            let #value = #driver.end(&#kind, #value);
            #take
            #taken
        }}
    }
}
