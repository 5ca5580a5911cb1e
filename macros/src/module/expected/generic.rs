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
}
::extype::__module_argument!(
    [A, B : Module,] Pair < A, B >, [A : 'static, B : 'static, A :
    ::extype::__private::ModuleState, B : ::extype::__private::ModuleState,]
);
