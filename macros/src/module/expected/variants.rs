#[automatically_derived]
impl<A> ::extype::Module for Layer<A>
where
    A: 'static,
    A: ::extype::__private::ModuleState,
{
    fn visit(&self, visitor: &mut dyn ::extype::__private::ModuleVisitor) {
        #[allow(unused_imports)]
        use ::extype::__private::{
            NoPlain as _, NoState as _, VisitPlain as _, VisitState as _,
        };
        match self {
            Self::Dense { w: field0, units: field1 } => {
                ::extype::__private::visit_plain("variant", &"Dense", visitor);
                ::extype::__private::visit_state("w", field0, visitor);
                ::extype::__private::visit_plain("units", field1, visitor);
            }
            Self::Other { 0: field0, 1: field1 } => {
                ::extype::__private::visit_plain("variant", &"Other", visitor);
                ::extype::__private::visit_state("0", field0, visitor);
                (&&::extype::__private::Part(field1)).state("1", visitor);
            }
            Self::Nothing {} => {
                ::extype::__private::visit_plain("variant", &"Nothing", visitor);
            }
        }
    }
    fn copied(
        &self,
        copies: &::extype::__private::VariableCopies,
    ) -> ::extype::Result<Self> {
        #[allow(unused_imports)]
        use ::extype::__private::{
            NoPlain as _, NoState as _, VisitPlain as _, VisitState as _,
        };
        match self {
            Self::Dense { w: field0, units: field1 } => {
                ::core::result::Result::Ok(Self::Dense {
                    w: ::extype::__private::copied_state(field0, copies)?,
                    units: ::extype::__private::copied_plain(field1, copies)?,
                })
            }
            Self::Other { 0: field0, 1: field1 } => {
                ::core::result::Result::Ok(Self::Other {
                    0: ::extype::__private::copied_state(field0, copies)?,
                    1: (&&::extype::__private::Part(field1)).copied_state(copies)?,
                })
            }
            Self::Nothing {} => ::core::result::Result::Ok(Self::Nothing {}),
        }
    }
}
::extype::__module_argument!(
    [A,] Layer < A >, [A : 'static, A : ::extype::__private::ModuleState,]
);
const _: () = {
    let () = <Variable as ::extype::__private::State>::CHECK;
    let () = <usize as ::extype::__private::PlainField>::CHECK;
    let () = <Mode as ::extype::__private::State>::CHECK;
};
