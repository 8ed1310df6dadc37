extension ResolutionError: CustomStringConvertible {
    /// What went wrong, where, on which path, and how to fix it.
    public var description: String { text(Namesakes([])) }

    /// The description, as a part of a longer text about several types.
    package func text(_ namesakes: Namesakes) -> String {
        let (subject, registered) = (subject(namesakes), registered)
        let nearest = registered.nearest(to: report.type)
        let whereabouts = report.core?.whereabouts(isEmpty: registered.isEmpty) ?? ""
        var text = "\(problem(of: subject))\n  asked for at \(report.site)\(whereabouts)"
        if let expectation = report.expectation { text += "\n  expected at \(expectation.place)" }
        if let registration = report.registration { text += "\n  registered at \(registration.place)" }
        if !report.path.isEmpty { text += "\n  path:\(shownOrigin)\(shownPath)\n    → \(subject)" }
        if !nearest.isEmpty { text += "\n  registered are:\(nearest.lines(beside: report.type))" }
        return "\(text)\n  fix: \(fix(of: subject, nearest, isEmpty: registered.isEmpty))"
    }

    /// What went wrong, on one line.
    package var problem: String { problem(of: subject(Namesakes([]))) }

    private func problem(of subject: String) -> String {
        switch report.cause {
        case .notRegistered where report.keptDependent != nil:
            """
            Nothing is registered for \(subject) in the container that keeps \(keptDependent), and that sees nothing of its children.
            """
        case .notRegistered where report.expectation != nil:
            "Nothing is registered for \(subject), which a child has to register."
        case .notRegistered: "Nothing is registered for \(subject)."
        case .cycle:
            "Building \(subject) needs \(subject) itself: \(circleText(subject))"
        case .argumentMismatch(let mismatch):
            """
            The factory of \(subject) takes \(TypeName.tuple(mismatch.expected)), but was given \
            \(TypeName.tuple(mismatch.supplied, beside: mismatch.expected)).
            """
        case .typeMismatch(let instance) where isFunction(instance):
            "\(subject) is an alias of \(name(of: instance)), which is a function and not its result."
        case .typeMismatch(let instance):
            "\(subject) is an alias of an instance of \(name(of: instance)), which does not have that type."
        case .mainActorRequired: "\(subject) belongs to the main actor, and was asked for elsewhere."
        case .factoryFailed(let refusal as RefusedInitializer): "\(subject) cannot be built: \(refusal.description)"
        case .factoryFailed(let error): "The factory of \(subject) failed: \(String(describing: error))"
        case .asyncRequired: "\(subject) is built by an asynchronous factory, which has not been awaited."
        case .weakValueType(let instance):
            """
            \(subject) is registered with Weak, but \(name(of: instance)) is a value: nobody but the container could \
            hold it.
            """
        case .sealed(let site) where Request.isToContainer(report.type):
            "The container was sealed at \(site) and can no longer be changed."
        case .sealed(let site):
            "The container was sealed at \(site) and can no longer be changed for \(subject)."
        case .closed(let site, let isOver):
            """
            The container \(isOver ? "was closed" : "is closing"), by `close()` at \(site), and can no longer \
            be used\(Request.isToContainer(report.type) ? "" : " for \(subject)").
            """
        }
    }

    /// The type and the name asked for, or the container itself.
    func subject(_ namesakes: Namesakes) -> String {
        Request.isToContainer(report.type) ? "the container" : namesakes.text(label)
    }

    /// What the container keeps that needs it.
    var keptDependent: String { report.keptDependent?.label.text(beside: report.type) ?? "" }

    /// Where the path begins, unless that is what the text names before.
    private var shownOrigin: String {
        report.origin == report.site ? "" : "\n    asked for at \(report.origin)"
    }

    /// The steps of the path, or the first and the last ten of many.
    private var shownPath: String {
        var lines = report.path.map { "\n    \($0.step(beside: report.type))" }
        if lines.count > 30 {
            lines.replaceSubrange(10..<(lines.count - 10), with: ["\n    … \(lines.count - 20) more"])
        }
        return lines.joined()
    }

    /// What leads back to the key asked for, and that key again.
    private func circleText(_ subject: String) -> String {
        (circle.map { $0.label.text(beside: report.type) } + [subject]).joined(separator: " → ")
    }

    /// What leads back to the key asked for.
    var circle: [Registration] {
        report.path.lastIndex(where: isAbout).map { Array(report.path[$0...]) } ?? []
    }

    func isFunction(_ type: any Any.Type) -> Bool { "\(type)".contains(" -> ") }
}

extension ContainerCore {
    /// Where the request was, as far as that is known of a container without a name.
    fileprivate func whereabouts(isEmpty: Bool) -> String {
        if isEmpty {
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
    private var isDefault: Bool { ThreadRecord.reading { DefaultContainer.core.load() == Borrowed(self) } }
}
