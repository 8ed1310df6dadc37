// Parts of the fixes that are shared by errors and findings.

extension String {
    /// Joins the alternatives of a fix, one per line.
    package static func alternatives(_ fixes: [String?]) -> String {
        fixes.compactMap { $0 }.joined(separator: "\n   or: ")
    }

    /// Joins the alternatives of a fix, one per line.
    package static func alternatives(_ fixes: String?...) -> String { alternatives(fixes) }

    /// The fix for a decorator in a container that doesn't register the type.
    package static var misplacedDecorator: String {
        alternatives(
            "decorate it in the parent", "also register it in the child",
            "use a fork instead of the child: `container.fork { … }`")
    }
}

extension String {
    /// The fix for a contribution whose instance isn't of the collected type.
    package static func removingContribution(to type: any Any.Type) -> String {
        "remove `.into(\(TypeName.metatype(type)))`"
    }
}

extension DependencyID {
    /// The fix for a missing array: the contribution of its elements. `nil` for other types, and for arrays of plain
    /// values.
    package var fixOfMissingCollection: String? {
        guard name == nil, let derivation = Derivation(of: type), derivation.kind == .array,
            !isDeclaredBySystem(derivation.type)
        else { return nil }
        return "contribute its elements: `\(DependencyID(derivation.type, nil).contributionExample)`"
    }

    /// The simplest contribution of the type: `Shared(… as any Plugin).into((any Plugin).self)`.
    private var contributionExample: String { "\(registrationExample()).into(\(TypeName.metatype(type)))" }
}

/// Whether a type is declared in the standard library or Foundation.
private func isDeclaredBySystem(_ type: any Any.Type) -> Bool {
    ["Swift.", "Foundation."].contains { String(reflecting: type).hasPrefix($0) }
}

extension Registration {
    /// The name of the registration type with the same lifetime, such as `Scoped`.
    package var form: String { (lifetime ?? .shared).title }

    /// The function that requests an instance, in code.
    package var request: String { isAsync ? "try await resolve.async" : "resolve" }

    /// Returns a registration of a type in the style of this one, such as `Scoped(mainActor: … as any Engine)`.
    package func example(of id: DependencyID, as alias: String = "") -> String {
        if isAsync {
            let parameters = ["_"] + argumentTypes.map { "_: \(TypeName.short($0))" }
            let head = argumentTypes.isEmpty ? "_" : "(\(parameters.joined(separator: ", ")))"
            return "\(form)(async: { \(head) in … as \(TypeName.short(id.type)) }\(id.name.asArgument)\(alias))"
        }
        return "\(form)(\(isMainActor ? "mainActor: " : "")\(id.registrationArguments(with: argumentTypes))\(alias))"
    }

    // MARK: Autowired initializers

    /// Returns whether an autowired initializer has a parameter of this type.
    package func isAutowired(with type: any Any.Type) -> Bool { dependencies.contains { $0 == type } }

    /// Returns the fix for an autowired parameter whose type is registered with a name only: a closure that requests
    /// the type by its name.
    package func fixOfNamedDependency(_ id: DependencyID) -> String {
        let supplied = argumentTypes.parameterNames
        let parameters = (["resolve"] + supplied).joined(separator: ", ")
        let values = dependencies.map { type in
            type == id.type ? "resolve(\(String(id.name.asArgument.dropFirst(2))))" : "resolve()"
        }
        let labels = argumentTypes.isEmpty ? "`autowiring:`" : "`autowiring:` and `arguments:`"
        return "pass a closure in place of \(labels): `{ \(parameters) in \(call(with: supplied + values)) }`"
    }

    /// The fix for an autowired initializer that runs off the main actor: a main-actor closure with the same
    /// parameters.
    package var fixOfIsolation: String {
        guard !dependencies.isEmpty else {
            return "register \(TypeName.short(type)) with `mainActor:`: `\(form)(mainActor: { resolve in … })`"
        }
        let types = argumentTypes + dependencies
        let names = types.parameterNames
        let parameters = zip(names, types).map { "\($0): \(TypeName.short($1))" }.joined(separator: ", ")
        return """
            register \(TypeName.short(type)) on the main actor: \
            `\(form)(autowiring: { @MainActor (\(parameters)) in \(call(with: names)) }\(argumentTypes.asArgument))`
            """
    }

    /// Returns a call of the initializer, whose labels are unknown: `Car(…: engine)`.
    private func call(with values: [String]) -> String {
        let callee = isExistential(type) ? "…" : TypeName.short(type)
        return "\(callee)(\(values.map { "…: \($0)" }.joined(separator: ", ")))"
    }

    /// Returns the fix for a missing type of the standard library or Foundation, whose parameter may have a default.
    /// Returns `nil` for any other type.
    package func fixOfDefault(for type: any Any.Type) -> String? {
        guard isDeclaredBySystem(type), isAutowired(with: type) else { return nil }
        let callee = TypeName.short(self.type)
        return "omit the parameter in a closure, if it has a default: `\(form) { resolve in \(callee)(…) }`"
    }
}

extension [any Any.Type] {
    /// The types as the argument `arguments:` of a registration, or empty without types.
    fileprivate var asArgument: String {
        isEmpty ? "" : ", arguments: " + map(TypeName.metatype).joined(separator: ", ")
    }

    /// A name for a parameter of each type, such as `noteStore` for `any NoteStore`.
    fileprivate var parameterNames: [String] {
        var names: [String] = []
        for type in self {
            let name = parameterName(for: type)
            let others = names.count { $0.prefix { !$0.isNumber } == name }
            names.append(others == 0 ? name : "\(name)\(others + 1)")
        }
        return names
    }

    private func parameterName(for type: any Any.Type) -> String {
        let path = TypeName.short(type).replacing("any ", with: "")
        guard path.allSatisfy({ $0.isLetter || $0 == "." }), let last = path.split(separator: ".").last else {
            return "value"
        }
        // The initial capitals belong to one word: `urlSession`, `api`.
        let capitals = last.prefix { $0.isUppercase }
        let end = capitals.count > 1 && capitals.count < last.count ? capitals.count - 1 : capitals.count
        return last.prefix(end).lowercased() + last.dropFirst(end)
    }
}

extension [Registration] {
    /// The fix for a cycle of registrations.
    package var fixOfCycle: String {
        if contains(where: { $0.lifetime?.cacheLocation == .graph }) {
            return """
                connect the instances in one factory, because a lazy wrapper would resolve another instance: \
                `Graph { resolve in let c = C(d: resolve()); c.d.c = c; return c }`
                """
        }
        guard let first else { return "request one of them later, with a `Provider`" }
        // A provider doesn't await, so it never resolves an asynchronous instance that isn't cached.
        if first.isAsync, first.lifetime?.cacheLocation == .uncached {
            let supplied = first.takesArguments ? ", arguments: …" : ""
            return
                "store the resolver, and call `try await resolve.async(\(first.id.arguments)\(supplied))` after the initializer"
        }
        let types = [first.type] + first.argumentTypes
        return .alternatives(
            "inject a `Provider<\(TypeNameFormatter().list(types))>`, and call it after the initializer",
            first.argumentTypes.isEmpty
                ? "inject \(TypeName.short(first.type)) with `@LazyInject`, unless its owner has to be `Sendable`" : nil
        )
    }
}
