import DependencyInjection
import DependencyInjectionDiagnostics

extension Label {
    /// What is registered, or the factory of what takes arguments: `{ (_, _: Int) in … as any Router }`.
    func made(with arguments: [any Any.Type]) -> String {
        if arguments.isEmpty { return made }
        let parameters = arguments.map { argument in
            "_: \(FunctionType(argument) == nil ? "" : "@escaping ")\(Namesakes([type]).name(argument))"
        }
        return "{ (_, \(parameters.joined(separator: ", "))) in … as \(TypeName.short(type)) }\(name.asArgument)"
    }
}
