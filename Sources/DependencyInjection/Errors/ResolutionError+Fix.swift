// What to write so that a request succeeds.

extension ResolutionError {
    /// The type that was asked for.
    var type: String { TypeName.short(report.type) }

    // MARK: Nothing is registered

    var registeringFix: String {
        if report.type == _OptionalNilComparisonType.self {
            return "the compiler compares with nil here; resolve first: `let type: P.Type = resolve()`."
        }
        if report.type == DIContainer.self || report.type == Resolver.self {
            return """
                in a factory both are at hand, as in `Shared { resolve in … }`: hand on `resolve`, \
                or `DIContainer.current` for the container itself.
                """
        }
        if let value = lazilyInjectedType(in: report.type) {
            let name = TypeName.short(value)
            return """
                a lazy wrapper is made where it is declared: take a `Provider<\(name)>`, or have a closure make it, as in \
                `Shared { resolve in … }`.
                """
        }
        if registeredOptional != nil { return Registration.fixOfOptional }
        let registerFirst = "register it first, as in `DIContainer.register { Shared(\(label.made)) }`."
        let nearest = nearest.first
        // Whatever has a name like Any is near by chance.
        if report.type == Any.self, nearest?.type != Any.self {
            return """
                no type was stated, so that the compiler took `Any`; state one, as in `resolve(Router.self)` or \
                `let router: Router = resolve()`. If `Any` is meant, \(registerFirst)
                """
        }
        if report.core?.registrations.isEmpty ?? true {
            return """
                ask the container that has it, as in `app.resolve(\(label.arguments))`, `@Inject(from: app)` or \
                `DIContainer.withContainer(app) { … }`; or \(registerFirst)
                """
        }
        let shown = nearest.map { fix($0, else: registerFirst) } ?? registerFirst
        return shown + (report.path.last?.fixOfDefault(for: report.type) ?? "")
    }

    /// What to write where something like what was asked for is registered.
    private func fix(_ nearest: Registration, else registerFirst: String) -> String {
        if "\(nearest.type)".hasSuffix(" -> \(report.type)"), !isFunction(report.type) {
            let factory = "\(nearest.type)".contains(") async ") ? "async: { _ in … }" : "autowiring: …"
            return "what is registered is a function; have its result registered: `\(nearest.form)(\(factory))`."
        }
        if isArray(of: nearest.type) { return "ask for all, with `resolve.all(\(TypeName.metatype(nearest.type)))`." }
        if nearest.type == report.type {
            return nearest.name == nil
                ? "ask without a name, or register another: `Shared(\(label.made))`."
                : "ask for it by its name, as in `resolve(\(nearest.label.arguments))`."
        }
        // An instance does not answer for its metatype, nor the reverse.
        if isMetatype(nearest.type) != isMetatype(report.type) { return registerFirst }
        let isImplementation = !isExistential(report.type) && isExistential(nearest.type)
        let (related, other) = isImplementation ? (report.type, nearest.type) : (nearest.type, report.type)
        // Its name alone is near.
        if !isExistential(related), isKind(related, of: other) == false { return registerFirst }
        let (form, isForBoth) = (nearest.form, nearest.name == report.name)
        if isImplementation {
            let aliased = isForBoth ? ", as: \(TypeName.metatype(nearest.type))" : ""
            return """
                ask for what is registered, as in `resolve(\(nearest.label.arguments))`; \
                or register the implementation, as in `\(form)(\(label.made)\(aliased))`.
                """
        }
        let alias = ", or add `as: \(TypeName.metatype(report.type))` to what is registered at \(nearest.site)"
        return "register it as that type, as in `\(form)(\(label.made))`\(isForBoth ? alias : "")."
    }

    /// Whether an array of a type was asked for.
    private func isArray(of type: any Any.Type) -> Bool {
        func array<T>(_ type: T.Type) -> any Any.Type { [T].self }
        return report.type == _openExistential(type, do: array)
    }

    // MARK: Other reasons

    var cycleFix: String {
        if let last = report.path.last, isAbout(last), last.permittedRepetitions(false) > 0 {
            return """
                end the recursion: a factory with arguments may ask for its own type, but no more than 64 levels deep.
                """
        }
        if circle.count == 1 {
            return """
                wrap what is registered with `Decorate(\(label.arguments)) { base, resolve in … }`, \
                or register the inner one under a name.
                """
        }
        return circle.fixOfCycle
    }

    func argumentFix(_ mismatch: ArgumentMismatch) -> String {
        if mismatch.expected.isEmpty {
            guard mismatch.supplied.count == 1, isMetatype(mismatch.supplied[0]) else {
                return "ask without arguments, or let the factory take them: `New { _, argument in … }`."
            }
            return """
                leave out the `!`, or write `resolve() as \(type)`: where another type is wanted, a type is an argument.
                """
        }
        if report.registration?.isAsync == true {
            return
                "ask with arguments of these types, as in `try await resolve.async(\(label.arguments), arguments: …)`."
        }
        let fix = """
            ask with arguments of these types, by a `Provider<\(type), \(Namesakes(mismatch.expected).list(mismatch.expected))>` or as in \
            `resolve(\(label.arguments), arguments: …)`
            """
        guard mismatch.expected.contains(where: isFunction) else { return "\(fix)." }
        return "\(fix); pass a closure `f` as `resolve(f)` or `arguments: { f }`, since `arguments: f` calls it."
    }

    var mainActorFix: String {
        let fix = "ask on the main actor: mark the caller `@MainActor`, or go there with `await MainActor.run { … }`"
        // Swift Testing makes a suite elsewhere, unless its initializer belongs to the main actor.
        guard report.container?.isTestContainer == true else { return "\(fix)." }
        return "\(fix); a suite that has it injected needs a `@MainActor init() {}`, or `@LazyInject`."
    }

    var awaitingFix: String {
        let asking = "`try await resolve.async(\(label.arguments))`"
        if report.registration?.lifetime == .new || report.registration?.takesArguments == true {
            return "ask with \(asking), and with its arguments if it takes any."
        }
        guard report.registration?.lifetime == .scoped else {
            return "await it first, with `try await container.prepare()` or \(asking)."
        }
        if report.container?.isChildOrFork == false {
            return "await it first, with \(asking), or ask a child that is prepared."
        }
        return """
            each child builds its own: await it in the child that asks, with `try await child.prepare()` or \(asking), as the first \
            step of `withChild { … } operation: { child in … }`.
            """
    }

    // MARK: What fixes mention

    private func isMetatype(_ type: any Any.Type) -> Bool {
        // The type of a protocol is one, too.
        ["Type", "Protocol"].contains { "\(type)".hasSuffix(".\($0)") }
    }
}

/// What a lazy wrapper injects; nil for any other type.
package func lazilyInjectedType(in type: any Any.Type) -> (any Any.Type)? {
    func value<Wrapper: _InjectionWrapper>(of wrapper: Wrapper.Type) -> any Any.Type { Wrapper.Value.self }
    return (type as? any _InjectionWrapper.Type).map { value(of: $0) }
}

extension Registration {
    /// The form that registers with the same lifetime, such as `Scoped`.
    fileprivate var form: String { (lifetime ?? .shared).title }

    /// What else to write where an initializer that is autowired lacks a plain value: its parameter may have a default.
    package func fixOfDefault(for type: any Any.Type) -> String? {
        let isPlain = ["Swift.", "Foundation."].contains { String(reflecting: type).hasPrefix($0) }
        guard isPlain, dependencies.contains(where: { $0 == type }) else { return nil }
        return """
             If the parameter has a default, leave it out in a closure: `\(form) { resolve in \(TypeName.short(self.type))(…) }`.
            """
    }
}

extension [Registration] {
    /// What to write where each of these needs the next one, and the last one the first.
    package var fixOfCycle: String {
        if contains(where: { $0.lifetime == .graph }) {
            return """
                connect them in one factory, since a lazy wrapper would give another object than the one in the graph: \
                `Graph { resolve in let c = C(d: resolve()); resolve(D.self).c = c; return c }`.
                """
        }
        let first = first.map { TypeName.short($0.type) } ?? ""
        return """
            let one of them ask later, with a `Provider<\(first)>` or, unless its class has to be `Sendable`, with `@LazyInject`.
            """
    }
}
