extension Program {
    /// The program, with a line for each statement and step.
    var text: String {
        let made = containers.enumerated().flatMap { index, container in
            let parent = container.parent.map { ", a child of c\($0)" } ?? ""
            return ["c\(index)\(parent):"] + container.statements.map { "    \($0.text)" }
        }
        let done = steps.enumerated().map { "step \($0): \($1.text)" }
        let tasks = startsTasks ? ["factories begin tasks"] : []
        let ending = holdsResults ? ["all results are held until the end"] : []
        return (made + done + tasks + ending).joined(separator: "\n")
    }
}

extension Program.Key {
    fileprivate var text: String { reportedTypes[type].name + (isNamed ? " named n" : "") }
}

extension Program.Dependency {
    fileprivate var text: String {
        switch form {
        case .plain: key.text
        case .optional: "optional \(key.text)"
        case .provider: "provider of \(key.text)"
        case .optionalProvider: "optional provider of \(key.text)"
        case .all: "all \(key.text)"
        }
    }
}

extension Program.Statement {
    fileprivate var text: String {
        switch self {
        case .expect(let key): "expects \(key.text)"
        case .decorate(let decorator):
            "d\(decorator.number): \(decorator.isMainActor ? "main-actor " : "")decorator of \(decorator.key.text)"
                + dependencies(decorator.dependencies)
        case .register(let recipe): "r\(recipe.number): \(text(of: recipe))"
        }
    }

    private func dependencies(_ dependencies: [Program.Dependency]) -> String {
        dependencies.isEmpty ? "" : ", needs " + dependencies.map(\.text).joined(separator: " and ")
    }

    private func text(of recipe: Program.Recipe) -> String {
        var text = "\(recipe.manner) \(recipe.lifetime) \(recipe.key.text)"
        if let alias = recipe.alias { text += " as \(reportedTypes[alias].name)" }
        if let collection = recipe.collection { text += " into \(reportedTypes[collection].name)" }
        if recipe.isAutowired { text += ", autowired" }
        if recipe.takesArgument { text += ", takes an argument" }
        text += dependencies(recipe.dependencies)
        if recipe.failures > 0 { text += ", fails \(recipe.failures) times" }
        for end in recipe.ends { text += ", onClose \(end.form)\(end.fails ? " that fails" : "")" }
        return text
    }
}

extension Program.Step {
    fileprivate var text: String {
        switch self {
        case .request(let requestStep): "resolve \(Self.text(of: requestStep))"
        case .add(let statement, let container): "add to c\(container) \(statement.text)"
        case .unregister(let key, let container): "unregister \(key.text) in c\(container)"
        case .reset(let container): "reset c\(container)"
        case .resetInstances(let container): "reset the instances of c\(container)"
        case .close(let container, let fails): "close c\(container)\(fails ? " after a failure" : "")"
        case .requestInChild(let requestStep, let fails):
            "resolve in a child of \(Self.text(of: requestStep))\(fails ? ", and fail" : ""), and close it"
        case .drop(let container): "drop c\(container)"
        }
    }

    private static func text(of requestStep: Program.RequestStep) -> String {
        let argument = requestStep.argument.map { " with \($0)" } ?? ""
        return
            "c\(requestStep.container) for \(requestStep.key.text)\(argument)\(requestStep.isOnMain ? " on the main actor" : "")"
    }
}
