extension ResolutionError: CustomStringConvertible {
    /// The reason, the call site and the path of the request, similar registrations, and the fix.
    public var description: String { text(typeNames) }

    /// Returns the description, as a part of a longer text about several types.
    package func text(_ typeNames: TypeNameFormatter) -> String {
        let (subject, optional) = (subject(typeNames), registeredOptional)
        let suggestions = suggestedRegistrations.filter { $0.key != optional?.key }
        let words = words(typeNames)
        var fix = words.fix
        var text = "\(words.problem)\n  requested at \(report.site)\(report.core?.containerDescription ?? "")"
        // Only the error of a missing registration has the container.
        if report.core != nil, OtherCopy.exists {
            fix = .alternatives("link the library once: see \"Two copies of the library\" in Troubleshooting", fix)
            text += "\n  the process contains two copies of the library, each with its own default container"
        }
        if let declaration = report.declaration { text += "\n  declared at \(declaration.place)" }
        if let registration = report.registration { text += "\n  registered at \(registration.place)" }
        if !report.path.isEmpty { text += "\n  path:\(shownOrigin)\(shownPath(typeNames))\n    → \(subject)" }
        if let optional { text += optional.optionalLine(typeNames) }
        if !suggestions.isEmpty { text += "\n  similar registrations:\(suggestions.lines(typeNames))" }
        return "\(text)\n  fix: \(fix)"
    }

    /// The reason on one line.
    package var problem: String { words(typeNames).problem }

    private struct Words {
        let problem: String
        let fix: String
    }

    /// Returns the reason on one line, and the fix.
    private func words(_ typeNames: TypeNameFormatter) -> Words {
        let subject = subject(typeNames)
        let purpose = Request.isToContainer(report.type) ? "" : " for \(subject)"
        let problem: String
        let fix: String
        switch report.cause {
        case .notRegistered where report.captiveDependent != nil:
            let dependent = report.captiveDependent.map { typeNames.text($0.id) } ?? ""
            problem = """
                Nothing is registered for \(subject) in the container that caches \(dependent), and a parent does not see its \
                children's registrations.
                """
            fix = .alternatives(
                "register \(dependent) with `Scoped` or `New`, so that the child builds it",
                "register \(subject) in the parent")
        case .notRegistered where report.declaration != nil:
            problem = "Nothing is registered for \(subject), which a child has to register."
            fix = """
                register it in a child, and resolve from that child: `container.makeChild { Shared(\(dependency.registrationArguments())) }`
                """
        case .notRegistered:
            problem = "Nothing is registered for \(subject)."
            fix = registeringFix
        case .cycle:
            problem = "Circular dependency: \(cycleText(typeNames))"
            fix = cycleFix
        case .argumentMismatch(let mismatch):
            let types = TypeNameFormatter(disambiguating: mismatch.expected)
            let (expected, supplied) = (types.tuple(mismatch.expected), types.tuple(mismatch.supplied))
            problem = "The factory of \(subject) takes \(expected), but the request supplied \(supplied)."
            fix = argumentFix(mismatch)
        case .typeMismatch(let instance) where isFunction(instance):
            problem =
                "\(subject) is an alias of the function \(typeNames.name(instance)) instead of the function's result."
            fix = "write `autowiring:` before the initializer, so that its parameters are resolved"
        case .typeMismatch(let instance) where report.path.last?.isContribution == true:
            let instance = typeNames.name(instance)
            problem = "\(instance) is contributed to the collection of \(subject), to which it does not conform."
            fix = .alternatives("make \(instance) conform to \(type)", String.removingContribution(to: report.type))
        case .typeMismatch(let instance):
            let instance = typeNames.name(instance)
            problem = "\(subject) is an alias of an instance of \(instance), which does not conform to it."
            fix = .alternatives("make \(instance) conform to \(type)", "remove \(type) from `as:`")
        case .mainActorRequired:
            problem = "\(subject) is isolated to the main actor but was requested off it."
            fix = mainActorFix
        case .factoryFailed(let refusal as RefusedInitializer):
            problem = "\(subject) cannot be built: \(refusal.description)"
            fix = refusal.fix
        case .factoryFailed(let error):
            problem = "The factory of \(subject) failed: \(String(describing: error))"
            fix = "remove the cause of that error. Nothing was cached, and the next request runs the factory again"
        case .asyncRequired:
            problem = "\(subject) is built by an asynchronous factory, which has not been awaited."
            fix = awaitingFix
        case .weakValueType(let instance):
            let instance = typeNames.name(instance)
            problem =
                "\(subject) is registered with Weak, but \(instance) is a value type, which cannot be held weakly."
            fix = .alternatives(
                "register it with `New`, which builds a value for each request", "register it with `Shared`",
                "make \(instance) a class or an actor")
        case .sealed(let site):
            problem = "The container was sealed at \(site) and can no longer be changed\(purpose)."
            fix = .alternatives(
                "register before `seal()`",
                "change a copy: `container.fork { … }` or `DIContainer.withOverrides { … } operation: { … }`")
        case .closed(let call, let isOver):
            problem = """
                The container \(isOver ? "was closed" : "is closing") and can no longer be used\(purpose).
                  closed by \(call)
                """
            fix = .alternatives(
                "request it before `close()`", "use another container, such as a copy: `container.fork { … }`")
        case .misplacedDecorator(let decorator):
            problem = """
                \(subject) is decorated in a child, but only its parent registers it.
                  decorated at \(decorator.place)
                """
            fix = .misplacedDecorator
        }
        return Words(problem: problem, fix: fix)
    }

    /// The requested type and name, or the container itself.
    func subject(_ typeNames: TypeNameFormatter) -> String {
        Request.isToContainer(report.type) ? "the container" : typeNames.text(dependency)
    }

    /// The call site of the outermost request, unless the text has already named it.
    private var shownOrigin: String {
        "\(report.origin)" == "\(report.site)" ? "" : "\n    requested at \(report.origin)"
    }

    /// The steps of the path. A long path is reduced to its first and last ten steps.
    private func shownPath(_ typeNames: TypeNameFormatter) -> String {
        var lines = report.path.map { "\n    \($0.textWithPlace(typeNames))" }
        if lines.count > 30 {
            lines.replaceSubrange(10..<(lines.count - 10), with: ["\n    … \(lines.count - 20) more"])
        }
        return lines.joined()
    }

    /// The keys of a cycle: `Hen → Egg → Hen`.
    private func cycleText(_ typeNames: TypeNameFormatter) -> String {
        let subject = subject(typeNames)
        if cycle.isEmpty, let last = report.path.last {
            // Another task builds the requested type and waits for this one.
            return "\(subject) → … → \(typeNames.text(last.id)) → \(subject)"
        }
        return cycle.map { "\(typeNames.text($0.id)) → " }.joined() + subject
    }

    /// The registrations on the path from the requested key back to itself.
    var cycle: [Registration] {
        report.path.lastIndex(where: isAbout).map { Array(report.path[$0...]) } ?? []
    }

    func isFunction(_ type: any Any.Type) -> Bool { "\(type)".contains(" -> ") }
}

extension ContainerCore {
    /// The container of the request, which has no name.
    fileprivate var containerDescription: String {
        if registrations.isEmpty {
            return
                ", in \(isDefault ? "the default container, which is" : "a container that is") without any registration"
        }
        if isDefault { return ", in the default container" }
        guard let parent else { return "" }
        if parent.isDefault { return ", in a child of the default container" }
        let first = parent.registrations.first
        return first.map { ", in a child of the container with the registration at \($0.site)" } ?? ", in a child"
    }

    /// The registrations that requests can find, in order.
    var registrations: [Registration] {
        visibleEntries { !$0.isDecoratorOnly && !$0.registration.isProvidedByChild }.map(\.registration)
    }

    /// Whether this is the default container.
    var isDefault: Bool { DefaultContainer.isDefault(self) }
}

extension ResolutionError {
    /// The facts of an error, from which its texts are generated on demand. Like a ``Resolver``, it retains
    /// registrations but no instances. It doesn't retain the arguments.
    final class Report: Sendable {
        let cause: Cause
        let type: any Any.Type
        let key: Key
        let site: CallSite
        /// The types of the arguments that the request supplied.
        let arguments: [any Any.Type]
        /// The call site of the outermost request that led to this one.
        let origin: CallSite
        let path: [Registration]
        let registration: Registration?
        /// The registration that a parent caches and that depends on a type only children register.
        let captiveDependent: Registration?
        /// The container in which the lookup failed. `nil` for other reasons than `notRegistered`.
        let core: ContainerCore?
        /// Whether another container, usually a child, takes part in the request.
        let isInParent: Bool
        /// The container that created the error. `nil` if the text doesn't depend on it.
        let container: ContainerCore?

        init(
            _ request: Request, _ cause: Cause, in core: ContainerCore?, by registration: Registration?
        ) {
            self.cause = cause
            type = request.type
            key = request.key
            site = request.site
            arguments = request.arguments.map { Swift.type(of: $0) }
            origin = ThreadRecord.current.origin ?? site
            let requests = ThreadRecord.current.requests
            path = requests.compactMap(\.registration)
            self.registration = registration ?? core?.match(for: request.key)?.entry.registration
            container = core
            let missingIn = if case .notRegistered = cause { core } else { nil as ContainerCore? }
            captiveDependent = missingIn?.captiveDependent(on: request, among: requests)
            self.core = missingIn
            isInParent = missingIn.map { core in requests.contains { $0.core !== core } } ?? false
        }

        /// The declaration that children register the missing type.
        var declaration: Registration? { core?.declaration(of: type, key.name) }
    }
}

extension ContainerCore {
    /// Returns the innermost registration that this container builds and caches. Returns `nil` unless a child that
    /// takes part in the request registers the missing type, or this container declares that children register it.
    fileprivate func captiveDependent(
        on request: Request, among requests: [ThreadRecord.RequestInProgress]
    ) -> Registration? {
        let end = requests.lastIndex { $0.core !== self } ?? -1
        guard
            let dependent = requests[(end + 1)...].last(where: {
                $0.registration?.lifetime?.isCachedByOwner == true
            })
        else { return nil }
        let key = request.key
        let isKnown = requests[...end].contains { requester in
            requester.core?.isRegistered(key) == true
                && requester.core?.selfAndParents.contains { $0 === self } == true
        }
        let declaration = Key(declarationOf: request.type, key.name)
        let isDeclared = ThreadRecord.reading { slot(declaration)?.entry != nil }
        return isDeclared || isKnown ? dependent.registration : nil
    }
}
