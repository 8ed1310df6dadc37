extension ResolutionError: CustomStringConvertible {
    /// The reason, the call site and the path of the request, similar registrations, and the fix.
    public var description: String { text(typeNames) }

    /// Returns the description, as a part of a longer text about several types.
    package func text(_ typeNames: TypeNameFormatter) -> String {
        let explanation = explanation(typeNames)
        let suggestions = suggestedRegistrations
        var fixes = explanation.fixes
        var text = "\(explanation.problem)\n  requested at \(report.site)\(report.core?.containerDescription ?? "")"
        // Only the error of a missing registration has the container.
        if report.core != nil, OtherCopy.exists {
            fixes = ["link the library once: see \"Two copies of the library\" in Troubleshooting", fixes[0]]
            text += "\n  the process contains two copies of the library, each with its own default container"
        }
        if let declaration = report.declaration { text += "\n  declared at \(declaration.place)" }
        if let registration = report.registration { text += "\n  registered at \(registration.place)" }
        if !report.path.isEmpty {
            // The text has already named the place of an outermost request.
            let origin = "\(report.origin)" == "\(report.site)" ? "" : "\n    requested at \(report.origin)"
            text += "\n  path:\(origin)\(report.path.lines(typeNames))\n    → \(subject(typeNames))"
        }
        if !suggestions.isEmpty { text += "\n  similar registrations:\(suggestions.lines(typeNames))" }
        return "\(text)\n  fix: \(fixes.alternatives)"
    }

    /// The reason on one line.
    package var problem: String { explanation(typeNames).problem }

    /// The requested type and name, or the container itself.
    func subject(_ typeNames: TypeNameFormatter) -> String {
        report.isAboutContainer ? "the container" : typeNames.text(dependency)
    }

    /// The keys of a cycle: `Hen → Egg → Hen`.
    func cycleText(_ typeNames: TypeNameFormatter) -> String {
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
}

extension ContainerCore {
    /// The container of the request, which has no name.
    fileprivate var containerDescription: String {
        let isDefault = DefaultContainer.isDefault(self)
        if registrations.isEmpty {
            return
                ", in \(isDefault ? "the default container, which is" : "a container that is") without any registration"
        }
        if isDefault { return ", in the default container" }
        guard let parent else { return "" }
        if DefaultContainer.isDefault(parent) { return ", in a child of the default container" }
        let first = parent.registrations.first
        return first.map { ", in a child of the container with the registration at \($0.site)" } ?? ", in a child"
    }
}
