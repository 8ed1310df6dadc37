import DependencyInjection
import DependencyInjectionDiagnostics

extension TypeNames {
    /// An expression of a type, or the factory of one that takes arguments: `{ (_, _: Int) in … as any Router }`.
    func made(_ type: any Any.Type, with arguments: [any Any.Type]) -> String {
        if arguments.isEmpty { return made(type) }
        let parameters = arguments.map { argument in
            "_: \(FunctionType(argument) == nil ? "" : "@escaping ")\(self[argument])"
        }
        return "{ (_, \(parameters.joined(separator: ", "))) in … as \(self[type]) }"
    }
}
