extension ResolutionError: CustomStringConvertible {
    /// What went wrong, where, on which path, and how to fix it.
    public var description: String { text(namesakes) }

    /// The description, as a part of a longer text about several types.
    package func text(_ namesakes: Namesakes) -> String {
        let (subject, optional) = (subject(namesakes), registeredOptional)
        let nearest = nearest.filter { $0.key != optional?.key }
        let (problem, fix) = words(namesakes)
        var text = "\(problem)\n  asked for at \(report.site)\(report.core?.whereabouts ?? "")"
        if let expectation = report.expectation { text += "\n  expected at \(expectation.place)" }
        if let registration = report.registration { text += "\n  registered at \(registration.place)" }
        if !report.path.isEmpty { text += "\n  path:\(shownOrigin)\(shownPath(namesakes))\n    → \(subject)" }
        if let optional { text += optional.optionalLine(namesakes) }
        if !nearest.isEmpty { text += "\n  registered are:\(nearest.lines(namesakes))" }
        return "\(text)\n  fix: \(fix)"
    }

    /// What went wrong, on one line.
    package var problem: String { words(namesakes).problem }

    /// What went wrong, on one line, and what to write.
    private func words(_ namesakes: Namesakes) -> (problem: String, fix: String) {
        let subject = subject(namesakes)
        let purpose = Request.isToContainer(report.type) ? "" : " for \(subject)"
        let problem: String
        let fix: String
        switch report.cause {
        case .notRegistered where report.keptDependent != nil:
            let dependent = report.keptDependent.map { namesakes.text($0.label) } ?? ""
            problem = """
                Nothing is registered for \(subject) in the container that keeps \(dependent), and that sees nothing of its \
                children.
                """
            fix = """
                register \(dependent) with `Scoped` or `New`, so that the child builds it, or register \(subject) in the parent.
                """
        case .notRegistered where report.expectation != nil:
            problem = "Nothing is registered for \(subject), which a child has to register."
            fix = "register it in the child that asks, as in `container.makeChild { Shared(\(label.made)) }`."
        case .notRegistered:
            problem = "Nothing is registered for \(subject)."
            fix = registeringFix
        case .cycle:
            let circle = circle.map { "\(namesakes.text($0.label)) → " }.joined()
            problem = "Building \(subject) needs \(subject) itself: \(circle)\(subject)"
            fix = cycleFix
        case .argumentMismatch(let mismatch):
            let types = Namesakes(mismatch.expected)
            let (expected, supplied) = (types.tuple(mismatch.expected), types.tuple(mismatch.supplied))
            problem = "The factory of \(subject) takes \(expected), but was given \(supplied)."
            fix = argumentFix(mismatch)
        case .typeMismatch(let instance) where isFunction(instance):
            problem = "\(subject) is an alias of \(namesakes.name(instance)), which is a function and not its result."
            fix = "have the parameters resolved, with `autowiring:` before the initializer."
        case .typeMismatch(let instance):
            let instance = namesakes.name(instance)
            problem = "\(subject) is an alias of an instance of \(instance), which does not have that type."
            fix = "make \(instance) conform to \(type), or leave \(type) out of `as:`."
        case .mainActorRequired:
            problem = "\(subject) belongs to the main actor, and was asked for elsewhere."
            fix = mainActorFix
        case .factoryFailed(let refusal as RefusedInitializer):
            problem = "\(subject) cannot be built: \(refusal.description)"
            fix = refusal.fix
        case .factoryFailed(let error):
            problem = "The factory of \(subject) failed: \(String(describing: error))"
            fix = "remove the cause that the factory reports; nothing was kept, and the next request runs it again."
        case .asyncRequired:
            problem = "\(subject) is built by an asynchronous factory, which has not been awaited."
            fix = awaitingFix
        case .weakValueType(let instance):
            let instance = namesakes.name(instance)
            problem =
                "\(subject) is registered with Weak, but \(instance) is a value: nobody but the container could hold it."
            fix = """
                register it with `New`, which makes a value anew as the weak scopes of other libraries do, or with `Shared`; or \
                make \(instance) a class or an actor.
                """
        case .sealed(let site):
            problem = "The container was sealed at \(site) and can no longer be changed\(purpose)."
            fix = """
                register before `seal()`, or change a copy: `container.fork { … }`, \
                `DIContainer.withOverrides { … } operation: { … }`.
                """
        case .closed(let call, let isOver):
            problem = """
                The container \(isOver ? "was closed" : "is closing") and can no longer be used\(purpose).
                  closed by \(call)
                """
            fix = "request it before `close()`, or use another container, such as a copy: `container.fork { … }`."
        case .misplacedDecorator(let decorator):
            problem = """
                \(subject) is decorated in a child, but only its parent registers it.
                  decorated at \(decorator.place)
                """
            fix = """
                decorate it in the parent, register the type in the child, too, or use a fork in place of the child: \
                `container.fork { … }`.
                """
        }
        return (problem, fix)
    }

    /// The type and the name asked for, or the container itself.
    func subject(_ namesakes: Namesakes) -> String {
        Request.isToContainer(report.type) ? "the container" : namesakes.text(label)
    }

    /// Where the path begins, unless that is what the text names before.
    private var shownOrigin: String {
        "\(report.origin)" == "\(report.site)" ? "" : "\n    asked for at \(report.origin)"
    }

    /// The steps of the path, or the first and the last ten of many.
    private func shownPath(_ namesakes: Namesakes) -> String {
        var lines = report.path.map { "\n    \($0.step(namesakes))" }
        if lines.count > 30 {
            lines.replaceSubrange(10..<(lines.count - 10), with: ["\n    … \(lines.count - 20) more"])
        }
        return lines.joined()
    }

    /// What leads back to the key asked for.
    var circle: [Registration] {
        report.path.lastIndex(where: isAbout).map { Array(report.path[$0...]) } ?? []
    }

    func isFunction(_ type: any Any.Type) -> Bool { "\(type)".contains(" -> ") }
}

extension ContainerCore {
    /// Where the request was, as far as that is known of a container without a name.
    fileprivate var whereabouts: String {
        if registrations.isEmpty {
            return
                ", in \(isDefault ? "the default container, which is" : "a container that is") without any registration"
        }
        if isDefault { return ", in the default container" }
        guard let parent else { return "" }
        if parent.isDefault { return ", in a child of the default container" }
        let first = parent.registrations.first
        return first.map { ", in a child of the container with what is registered at \($0.site)" } ?? ", in a child"
    }

    /// What requests can find, in order.
    var registrations: [Registration] {
        visibleEntries { !$0.isDecoratorOnly && !$0.registration.isExpectation }.map(\.registration)
    }

    /// Whether requests that name no container come here.
    private var isDefault: Bool { DefaultContainer.isDefault(self) }
}
