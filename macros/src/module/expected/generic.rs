#[automatically_derived]
impl<A, B: Module> ::extype::Module for Pair<A, B>
where
    A: 'static,
    B: 'static,
    A: ::extype::__private::ModuleState,
    B: ::extype::__private::ModuleState,
{
    fn visit(&self, visitor: &mut dyn ::extype::__private::ModuleVisitor) {
        ::extype::__private::visit_state("0", &self.0, visitor);
        ::extype::__private::visit_state("1", &self.1, visitor);
    }
    fn copied(
        &self,
        copies: &::extype::__private::VariableCopies,
    ) -> ::extype::Result<Self> {
        ::core::result::Result::Ok(Self {
            0: ::extype::__private::copied_state(&self.0, copies)?,
            1: ::extype::__private::copied_state(&self.1, copies)?,
            2: ::core::marker::PhantomData,
        })
    }
}
::extype::__module_argument!(
    [A, B : Module,] Pair < A, B >, [A : 'static, B : 'static, A :
    ::extype::__private::ModuleState, B : ::extype::__private::ModuleState,]
);
const _: () = {
    #[allow(dead_code, unused_imports)]
    fn check<A, B: Module>()
    where
        A: 'static,
        B: 'static,
        A: ::extype::__private::ModuleState,
        B: ::extype::__private::ModuleState,
        A: ::core::clone::Clone,
        B: ::core::clone::Clone,
    {
        use ::extype::__private::NotClone as _;
        ::extype::__private::may_share::<
            Pair<A, B>,
            _,
        >(<::extype::__private::Clones<Pair<A, B>>>::found());
    }
};
