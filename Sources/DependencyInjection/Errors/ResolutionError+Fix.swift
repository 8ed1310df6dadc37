extension ResolutionError {
    /// What to write.
    func fix(of subject: String, _ nearest: [Registration]) -> String {
        switch report.cause {
        case .notRegistered where report.keptDependent != nil:
            """
            register \(keptDependent) with `Scoped` or `New`, so that the child builds it, or register \(subject) in the parent.
            """
        case .notRegistered where report.expectation != nil:
            """
            register it in the child that asks, as in \
            `container.makeChild { Shared(\(label.made)) }`.
            """
        case .notRegistered: registeringFix(nearest)
        case .cycle: cycleFix
        case .argumentMismatch(let mismatch): argumentFix(mismatch)
        case .typeMismatch(let instance) where isFunction(instance):
            "have the parameters resolved, with `autowiring:` before the initializer."
        case .typeMismatch(let instance):
            "make \(TypeName.of(instance, beside: report.type)) conform to \(type), or leave \(type) out of `as:`."
        case .mainActorRequired:
            "ask on the main actor: mark the caller `@MainActor`, or go there with `await MainActor.run { … }`."
        case .factoryFailed(let refusal as RefusedInitializer): refusal.fix
        case .factoryFailed:
            "remove the cause that the factory reports; nothing was kept, and the next request runs it again."
        case .asyncRequired: awaitingFix
        case .weakValueType(let instance):
            "register it with `Shared`, or make \(TypeName.of(instance, beside: report.type)) a class or an actor."
        case .sealed:
            """
            register before `seal()`, or change a copy: `container.fork { … }`, \
            `DIContainer.withOverrides { … } operation: { … }`.
            """
        case .closed:
            """
            ask before `close()`, and let no work outlive its container; for more, make another container, or a copy: \
            `container.fork { … }`.
            """
        }
    }

    // MARK: Fixes that depend on more than the cause

    private func registeringFix(_ nearest: [Registration]) -> String {
        if report.type == _OptionalNilComparisonType.self {
            return "the compiler compares with nil here; resolve first: `let type: P.Type = resolve()`."
        }
        if report.type == DIContainer.self || report.type == Resolver.self {
            return """
                in a factory both are at hand, as in `Shared { resolve in … }`: hand on `resolve`, \
                or `DIContainer.current` for the container itself.
                """
        }
        let new = label.made
        let registerFirst = "register it first, as in `DIContainer.register { Shared(\(new)) }`."
        // Whatever has a name like Any is near by chance.
        if report.type == Any.self, nearest.first?.type != Any.self {
            return """
                no type was stated, so that the compiler took `Any`; state one, as in `resolve(Router.self)` or \
                `let router: Router = resolve()`. If `Any` is meant, \(registerFirst)
                """
        }
        guard let nearest = nearest.first else { return registerFirst }
        if "\(nearest.type)".hasSuffix(" -> \(report.type)"), !isFunction(report.type) {
            let factory = "\(nearest.type)".contains(") async ") ? "async: { _ in … }" : "autowiring: …"
            return "what is registered is a function; have its result registered: `\(form(of: nearest))(\(factory))`."
        }
        if isArray(of: nearest.type) {
            return "ask for all, with `resolve.all(\(TypeName.metatype(nearest.type)))`."
        }
        if nearest.type == report.type {
            return nearest.name == nil
                ? "ask without a name, or register another: `Shared(\(TypeName.made(report.type)), name: …)`."
                : "ask for it by its name, as in `resolve(\(nearest.label.arguments()))`."
        }
        // An instance does not answer for its metatype, nor the reverse.
        if isMetatype(nearest.type) != isMetatype(report.type) { return registerFirst }
        // Its name alone is near.
        if !isExistential(nearest.type), isKind(nearest.type, of: report.type) == false { return registerFirst }
        let alias = nearest.name == report.name ? ", or add `as: \(TypeName.metatype(report.type))` to it." : "."
        let register = "register it as that type, as in `\(form(of: nearest))(\(new))`\(alias)"
        guard isImplementation(of: nearest.type) else { return register }
        return """
            ask for what is registered, as in `resolve(\(nearest.label.arguments(beside: report.type)))`; \
            or \(register)
            """
    }

    /// The form that registers with the same lifetime, such as `Scoped`.
    private func form(of registration: Registration) -> String { (registration.lifetime ?? .shared).title }

    /// Whether what was asked for implements a protocol; taken for granted where that cannot be found out.
    private func isImplementation(of type: any Any.Type) -> Bool {
        !isExistential(report.type) && isExistential(type) && isKind(report.type, of: type) != false
    }

    /// Whether an array of a type was asked for.
    private func isArray(of type: any Any.Type) -> Bool {
        func array<T>(_ type: T.Type) -> any Any.Type { [T].self }
        return report.type == _openExistential(type, do: array)
    }

    private var cycleFix: String {
        if let last = report.path.last, isAbout(last), last.permittedRepetitions(false) > 0 {
            return """
                end the recursion: a factory with arguments may ask for its own type, but no more than 64 levels deep.
                """
        }
        if circle.count == 1 {
            return """
                wrap what is registered with `Decorate(\(asked)) { base, resolve in … }`, \
                or register the inner one under a name.
                """
        }
        return "let one of them ask later, with `@LazyInject` or `Provider<\(type)>`."
    }

    private func argumentFix(_ mismatch: ArgumentMismatch) -> String {
        if mismatch.expected.isEmpty {
            return "ask without arguments, or let the factory take them: `New { _, argument in … }`."
        }
        if report.registration?.isAsync == true {
            return "ask with arguments of these types, as in `try await resolve.async(\(asked), arguments: …)`."
        }
        let fix = """
            ask with arguments of these types, by a `Provider<\(type), \(TypeName.list(mismatch.expected))>` or as in \
            `resolve(\(asked), arguments: …)`
            """
        guard mismatch.expected.contains(where: isFunction) else { return "\(fix)." }
        return "\(fix); pass a closure `f` as `resolve(f)` or `arguments: { f }`, since `arguments: f` calls it."
    }

    private var awaitingFix: String {
        if report.registration?.lifetime == .new || report.registration?.takesArguments == true {
            return "ask with `try await resolve.async(\(asked))`, and with its arguments if it takes any."
        }
        if report.registration?.lifetime == .scoped, pending?.core.preparesScoped == false {
            return "await it first, with `try await resolve.async(\(asked))`, or ask a child that is prepared."
        }
        return "await it first, with `try await container.prepare()` or `try await resolve.async(\(asked))`."
    }

    private var type: String { TypeName.short(report.type) }

    /// What is asked for, as code writes it: `(any Router).self, name: "main"`.
    private var asked: String { label.arguments() }

    private func isMetatype(_ type: any Any.Type) -> Bool { "\(type)".hasSuffix(".Type") }
}
