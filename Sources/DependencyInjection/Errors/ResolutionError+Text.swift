extension ResolutionError: CustomStringConvertible {
    /// What went wrong, where, on which path, and how to fix it.
    public var description: String { text.description }

    /// The description, which may be part of a longer text.
    package var text: Text { Text(of: self, nearest: nearest) }

    /// Writes what an error says.
    package struct Text {
        private let error: ResolutionError
        /// The registrations that come nearest to what was asked for, best first.
        let nearest: [Registration]
        /// The names of the types in this text, or in a longer one that it is part of.
        private(set) var names: TypeNames = .short

        package init(of error: ResolutionError, nearest: [Registration]) {
            self.error = error
            self.nearest = nearest
            names = TypeNames(types)
        }

        /// The text as a part of a longer one.
        package func named(by names: TypeNames) -> Self {
            var text = self
            text.names = names
            return text
        }

        /// The types that are mentioned.
        package var types: [any Any.Type] { problemTypes + (error.report.path + nearest).map { $0.type } }

        /// The types that the problem mentions.
        package var problemTypes: [any Any.Type] {
            let type = error.report.type
            switch error.report.cause {
            case .cycle: return circle.map { $0.type } + [type]
            case .argumentMismatch(let mismatch): return [type] + mismatch.expected + mismatch.supplied
            case .typeMismatch(let instance), .weakValueType(let instance): return [type, instance]
            default: return [type]
            }
        }
    }
}

extension ResolutionError.Text: CustomStringConvertible {
    package var description: String {
        var text = "\(problem)\n  asked for at \(report.site)"
        if let expectation = report.expectation { text += "\n  expected at \(expectation.place)" }
        if let registration = report.registration { text += "\n  registered at \(registration.place)" }
        if !report.path.isEmpty { text += "\n  path:\(shownOrigin)\(shownPath)\n    → \(label)" }
        if !nearest.isEmpty { text += "\n  registered are:\(names.lines(nearest))" }
        return "\(text)\n  fix: \(fix)"
    }

    private var report: ResolutionError.Report { error.report }
    /// The type and the name asked for.
    var label: String {
        Request.isToContainer(report.type) ? "the container" : names.label(report.type, report.name)
    }
    /// What the container keeps that needs it.
    private var keptDependent: String { report.keptDependent.map { names.label($0) } ?? "" }
    private var type: String { names[report.type] }
    private var metatype: String { names.metatype(report.type) }

    /// Where the path begins, unless that is what the text names before.
    private var shownOrigin: String {
        report.origin == report.site ? "" : "\n    asked for at \(report.origin)"
    }

    /// The steps of the path, or the first and the last ten of many.
    private var shownPath: String {
        let path = report.path
        let hidden = path.count - 20
        guard hidden > 10 else { return names.lines(path) }
        return "\(names.lines(Array(path.prefix(10))))\n    … \(hidden) more\(names.lines(Array(path.suffix(10))))"
    }

    /// What went wrong, on one line.
    package var problem: String {
        let label = label
        return switch report.cause {
        case .notRegistered where report.keptDependent != nil:
            """
            Nothing is registered for \(label) in the container that keeps \(keptDependent), and that sees nothing of its children.
            """
        case .notRegistered where report.expectation != nil:
            "Nothing is registered for \(label), which a child has to register."
        case .notRegistered: "Nothing is registered for \(label)."
        case .cycle:
            "Building \(label) needs \(label) itself: \((circle.map(names.label) + [label]).joined(separator: " → "))"
        case .argumentMismatch(let mismatch):
            """
            The factory of \(label) takes \(names.tuple(mismatch.expected)), but was given \
            \(names.tuple(mismatch.supplied)).
            """
        case .typeMismatch(let instance) where isFunction(instance):
            "\(label) is an alias of \(names[instance]), which is a function and not its result."
        case .typeMismatch(let instance):
            "\(label) is an alias of an instance of \(names[instance]), which does not have that type."
        case .mainActorRequired: "\(label) belongs to the main actor, and was asked for elsewhere."
        case .factoryFailed(let refusal as RefusedInitializer): "\(label) cannot be built: \(refusal.description)"
        case .factoryFailed(let error): "The factory of \(label) failed: \(String(describing: error))"
        case .asyncRequired: "\(label) is built by an asynchronous factory, which has not been awaited."
        case .weakValueType(let instance):
            """
            \(label) is registered with Weak, but \(names[instance]) is a value: nobody but the container could \
            hold it.
            """
        case .sealed(let site) where Request.isToContainer(report.type):
            "The container was sealed at \(site) and can no longer be changed."
        case .sealed(let site):
            "The container was sealed at \(site) and can no longer be changed for \(label)."
        case .closed(let site, let isOver):
            """
            The container \(isOver ? "was closed" : "is closing"), by `close()` at \(site), and can no longer \
            be used\(Request.isToContainer(report.type) ? "" : " for \(label)").
            """
        }
    }

    /// What to write.
    private var fix: String {
        switch report.cause {
        case .notRegistered where report.keptDependent != nil:
            """
            register \(keptDependent) with `Scoped` or `New`, so that the child builds it, or register \(label) in the parent.
            """
        case .notRegistered where report.expectation != nil:
            """
            register it in the child that asks, as in \
            `container.makeChild { Shared(\(names.made(report.type))\(report.name.asArgument)) }`.
            """
        case .notRegistered: registeringFix
        case .cycle: cycleFix
        case .argumentMismatch(let mismatch): argumentFix(mismatch)
        case .typeMismatch(let instance) where isFunction(instance):
            "have the parameters resolved, with `autowiring:` before the initializer."
        case .typeMismatch(let instance):
            "make \(names[instance]) conform to \(type), or leave \(type) out of `as:`."
        case .mainActorRequired:
            "ask on the main actor: mark the caller `@MainActor`, or go there with `await MainActor.run { … }`."
        case .factoryFailed(let refusal as RefusedInitializer): refusal.fix
        case .factoryFailed:
            "remove the cause that the factory reports; nothing was kept, and the next request runs it again."
        case .asyncRequired: awaitingFix
        case .weakValueType(let instance):
            "register it with `Shared`, or make \(names[instance]) a class or an actor."
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

    private var registeringFix: String {
        if report.type == _OptionalNilComparisonType.self {
            return "the compiler compares with nil here; resolve first: `let type: P.Type = resolve()`."
        }
        if report.type == DIContainer.self || report.type == Resolver.self {
            return """
                in a factory both are at hand, as in `Shared { resolve in … }`: hand on `resolve`, \
                or `DIContainer.current` for the container itself.
                """
        }
        let new = "\(names.made(report.type))\(report.name.asArgument)"
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
        let nearestMetatype = names.metatype(nearest.type)
        if isArray(of: nearest.type) {
            return "ask for all, with `resolve.all(\(nearestMetatype))`."
        }
        if nearest.type == report.type {
            return nearest.name == nil
                ? "ask without a name, or register another: `Shared(\(names.made(report.type)), name: …)`."
                : "ask for it by its name, as in `resolve(\(names.argument(report.type, nearest.name)))`."
        }
        // An instance does not answer for its metatype, nor the reverse.
        if isMetatype(nearest.type) != isMetatype(report.type) { return registerFirst }
        // Its name alone is near.
        if !isExistential(nearest.type), isKind(nearest.type, of: report.type) == false { return registerFirst }
        let alias = nearest.name == report.name ? ", or add `as: \(metatype)` to it." : "."
        let register = "register it as that type, as in `\(form(of: nearest))(\(new))`\(alias)"
        guard isImplementation(of: nearest.type) else { return register }
        return """
            ask for what is registered, as in `resolve(\(names.argument(nearest.type, nearest.name)))`; \
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
        if let last = report.path.last, error.isAbout(last), last.permittedRepetitions(false) > 0 {
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
            ask with arguments of these types, by a `Provider<\(type), \(names.list(mismatch.expected))>` or as in \
            `resolve(\(asked), arguments: …)`
            """
        guard mismatch.expected.contains(where: isFunction) else { return "\(fix)." }
        return "\(fix); pass a closure `f` as `resolve(f)` or `arguments: { f }`, since `arguments: f` calls it."
    }

    private var awaitingFix: String {
        if report.registration?.lifetime == .new || report.registration?.takesArguments == true {
            return "ask with `try await resolve.async(\(asked))`, and with its arguments if it takes any."
        }
        if report.registration?.lifetime == .scoped, error.pending?.core.preparesScoped == false {
            return "await it first, with `try await resolve.async(\(asked))`, or ask a child that is prepared."
        }
        return "await it first, with `try await container.prepare()` or `try await resolve.async(\(asked))`."
    }

    /// What is asked for, as code writes it: `(any Router).self, name: "main"`.
    private var asked: String { names.argument(report.type, report.name) }

    /// What leads back to the key asked for.
    private var circle: [Registration] {
        report.path.lastIndex(where: error.isAbout).map { Array(report.path[$0...]) } ?? []
    }

    private func isFunction(_ type: any Any.Type) -> Bool { "\(type)".contains(" -> ") }

    private func isMetatype(_ type: any Any.Type) -> Bool { "\(type)".hasSuffix(".Type") }
}
