#[automatically_derived]
impl<A, B: Module> ::extype::Module for Pair<A, B>
where
    A: ::extype::__private::ModuleState,
    B: ::extype::__private::ModuleState,
{
    fn visit(&self, visitor: &mut dyn ::extype::__private::ModuleVisitor) {
        ::extype::__private::ModuleState::visit_as(&self.0, "0", visitor);
        ::extype::__private::ModuleState::visit_as(&self.1, "1", visitor);
    }
}
::extype::__module_argument!(
    [A, B : Module,] Pair < A, B >, [A : ::extype::__private::ModuleState, B :
    ::extype::__private::ModuleState,]
);
