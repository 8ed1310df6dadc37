extension ResolutionError: CustomStringConvertible {
    /// What went wrong, where, on which path, and how to fix it.
    public var description: String { message.description }

    /// The description, which may be part of a longer text.
    package var message: Message {
        let nearest = nearest
        let text = text(nearest: nearest.first)
        var message: Message = "\(text.problem)\n  asked for at \(report.site.description)"
        if let expectation = report.expectation { message += "\n  expected at \(expectation.place)" }
        if let registration = report.registration { message += "\n  registered at \(registration.place)" }
        if !report.path.isEmpty { message += "\n  path:\(shownOrigin)\(shownPath)\n    → \(label)" }
        if !nearest.isEmpty { message += "\n  registered are:\(Self.lines(nearest[...]))" }
        return "\(message)\n  fix: \(text.fix)"
    }

    /// Where the path begins, unless that is what the text names before.
    private var shownOrigin: String {
        "\(report.origin)" == "\(report.site)" ? "" : "\n    asked for at \(report.origin)"
    }

    /// The steps of the path, or the first and the last ten of many.
    private var shownPath: Message {
        let path = report.path
        let hidden = path.count - 20
        guard hidden > 10 else { return Self.lines(path[...]) }
        return "\(Self.lines(path.prefix(10)))\n    … \(hidden) more\(Self.lines(path.suffix(10)))"
    }

    /// What went wrong, on one line.
    package var summary: Message { text().problem }

    static func lines(_ registrations: ArraySlice<Registration>) -> Message {
        registrations.map { "\n    \(step: $0)" as Message }.joined()
    }

    /// What went wrong, and what to write.
    struct Text {
        let problem: Message
        let fix: Message
    }

    /// The text, with a fix that knows which registration comes nearest to what was asked for.
    func text(nearest: Registration? = nil) -> Text {
        let type = report.type
        switch report.cause {
        case .notRegistered where report.keeper != nil || report.expectation != nil:
            return textAboutChildren
        case .notRegistered:
            return Text(problem: "Nothing is registered for \(label).", fix: registeringFix(nearest))
        case .cycle:
            return Text(
                problem: "Building \(label) needs \(label) itself: \(circle.map(\.message).joined(separator: " → "))",
                fix: cycleFix)
        case .tooDeep:
            return Text(
                problem: """
                    Building \(label) is nested too deep for the stack of this thread, in \(report.path.count) factories.
                    """,
                fix: """
                    break the recursion if it never ends; else let one of them ask later, with `@LazyInject` or a \
                    `Provider`, or ask first on a thread with a larger stack.
                    """)
        case .argumentMismatch(let mismatch):
            return Text(
                problem: """
                    The factory of \(label) takes \(mismatch.expectedTuple), but was given \(mismatch.suppliedTuple).
                    """,
                fix: argumentFix(mismatch))
        case .typeMismatch(let instance) where isFunction(instance):
            return Text(
                problem: "\(label) is an alias of \(instance), which is a function and not its result.",
                fix: "have the parameters resolved, with `autowiring:` before the initializer.")
        case .typeMismatch(let instance):
            return Text(
                problem: "\(label) is an alias of an instance of \(instance), which does not have that type.",
                fix: "make \(instance) conform to \(type), or leave \(type) out of `as:`.")
        case .mainActorRequired:
            return Text(
                problem: "\(label) belongs to the main actor, and was asked for elsewhere.",
                fix: """
                    ask on the main actor: mark the caller `@MainActor`, or go there with \
                    `await MainActor.run { … }`.
                    """)
        case .factoryFailed(let refusal as RefusedInitializer):
            return Text(problem: "\(label) cannot be built: \(refusal.description)", fix: refusal.fix)
        case .factoryFailed(let error):
            return Text(
                problem: "The factory of \(label) failed: \(String(describing: error))",
                fix: """
                    remove the cause that the factory reports; nothing was kept, and the next request runs it again.
                    """)
        case .asyncRequired:
            return Text(
                problem: "\(label) is built by an asynchronous factory, which has not been awaited.", fix: awaitingFix)
        case .weakValueType(let instance):
            return Text(
                problem: """
                    \(label) is registered with Weak, but \(instance) is a value: nobody but the container could hold it.
                    """,
                fix: "register it with `Shared`, or make \(instance) a class or an actor.")
        case .sealed(let site):
            let change: Message = report.type == ContainerCore.self ? "changed" : "changed for \(label)"
            return Text(
                problem: "The container was sealed at \(site.description) and can no longer be \(change).",
                fix: """
                    register before `seal()`, or change a copy: `container.fork { … }`, \
                    `DIContainer.withOverrides { … } operation: { … }`.
                    """)
        }
    }

    // MARK: Fixes that depend on more than the cause

    /// What to write where only children have what is missing.
    private var textAboutChildren: Text {
        if let keeper = report.keeper {
            return Text(
                problem: """
                    Nothing is registered for \(label) in the container that keeps \(keeper.label), and that sees nothing \
                    of its children.
                    """,
                fix: """
                    register \(keeper.label) with `Scoped` or `New`, so that the child builds it, or register \(label) \
                    in the parent.
                    """)
        }
        return Text(
            problem: "Nothing is registered for \(label), which a child has to register.",
            fix: """
                register it in the child that asks, as in \
                `container.makeChild { Shared(… as \(report.type)\(nameArgument)) }`.
                """)
    }

    /// The name asked for, as an argument after another.
    private var nameArgument: String { report.name.map { ", name: \"\($0.rawValue)\"" } ?? "" }

    private func registeringFix(_ nearest: Registration?) -> Message {
        let type = report.type
        let name = nameArgument
        if report.type == _OptionalNilComparisonType.self {
            return "the compiler compares with nil here; resolve first: `let type: P.Type = resolve()`."
        }
        let registerFirst: Message = "register it first, as in `DIContainer.register { Shared(… as \(type)\(name)) }`."
        // Whatever has a name like Any is near by chance.
        if report.type == Any.self, nearest?.type != Any.self {
            return """
                no type was stated, so that the compiler took `Any`; state one, as in `resolve(Router.self)` or \
                `let router: Router = resolve()`. If `Any` is meant, \(registerFirst)
                """
        }
        guard let nearest else { return registerFirst }
        let form = nearest.lifetime == .new ? "New" : "Shared"
        let nearestType = nearest.type
        if isFunction(nearestType), !isFunction(type) {
            let factory = "\(nearestType)".contains(") async ") ? "async: { _ in … }" : "autowiring: …"
            return "what is registered is a function; have its result registered: `\(form)(\(factory))`."
        }
        if isArray(of: nearestType) {
            return "ask for all, with `resolve.all(\(metatype: nearestType))`."
        }
        if nearest.type != report.type {
            let alias: Message = nearest.name == report.name ? ", or add `as: \(metatype: type)` to it." : "."
            let register: Message = "register it as that type, as in `\(form)(… as \(type)\(name))`\(alias)"
            guard isImplementation(of: nearest.type) else { return register }
            let nearestName = nearest.name.map { ", name: \"\($0.rawValue)\"" } ?? ""
            return "ask for what is registered, as in `resolve(\(metatype: nearestType)\(nearestName))`; or \(register)"
        }
        guard let otherName = nearest.name else {
            return "ask without a name, or register another: `Shared(… as \(type), name: …)`."
        }
        return "ask for it by its name, as in `resolve(\(metatype: type), name: \"\(otherName.rawValue)\")`."
    }

    /// Whether what was asked for implements a protocol; taken for granted where that cannot be found out.
    private func isImplementation(of type: any Any.Type) -> Bool {
        !isExistential(report.type) && isExistential(type) && conforms(report.type, to: type) != false
    }

    /// Whether an array of a type was asked for.
    private func isArray(of type: any Any.Type) -> Bool {
        func array<T>(_ type: T.Type) -> any Any.Type { [T].self }
        return report.type == _openExistential(type, do: array)
    }

    private var cycleFix: Message {
        let type = report.type
        if let last = report.path.last, isAbout(last), last.permittedRepetitions(false) > 0 {
            return """
                end the recursion: a factory with arguments may ask for its own type, but no more than 256 levels deep.
                """
        }
        if circle.count == 2 {
            return """
                wrap what is registered with `Decorate(\(metatype: type)) { base, resolve in … }`, \
                or register the inner one under a name.
                """
        }
        return "let one of them ask later, with `@LazyInject` or `Provider<\(type)>`."
    }

    private func argumentFix(_ mismatch: ArgumentMismatch) -> Message {
        if mismatch.expected.isEmpty {
            return "ask without arguments, or let the factory take them: `New { _, argument in … }`."
        }
        let type = report.type
        let fix: Message = """
            ask with arguments of these types, by a `Provider<\(type), \(Message(mismatch.expected))>` or as in \
            `resolve(\(metatype: type), arguments: …)`
            """
        guard mismatch.expected.contains(where: isFunction) else { return "\(fix)." }
        return "\(fix); pass a closure `f` as `resolve(f)` or `arguments: { f }`, since `arguments: f` calls it."
    }

    private var awaitingFix: Message {
        let type = report.type
        if report.registration?.lifetime == .new || report.registration?.takesArguments == true {
            return "ask with `try await resolve.async(\(metatype: type))`, and with its arguments if it takes any."
        }
        return """
            await it first, with `try await container.prepare()` or `try await resolve.async(\(metatype: type))`.
            """
    }

    /// What needs itself: the steps that lead back to the key asked for.
    private var circle: [Label] {
        let begin = report.path.lastIndex(where: isAbout) ?? report.path.endIndex
        return report.path[begin...].map(\.label) + [label]
    }

    private func isFunction(_ type: any Any.Type) -> Bool { "\(type)".contains(" -> ") }
}
