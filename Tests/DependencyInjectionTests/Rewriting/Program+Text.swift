import Foundation

extension Program {
    /// The program as code.
    var text: String {
        var lines: [String] = []
        for (index, container) in containers.enumerated() {
            let maker = container.parent.map { "c\($0).makeChild" } ?? "DIContainer"
            lines.append("let c\(index) = \(maker) {")
            lines += container.statements.map { "    \(Self.code($0))" }
            lines.append("}")
        }
        lines += steps.enumerated().map { "\(code($1))  // step \($0)" }
        return lines.joined(separator: "\n")
    }

    private static func type(_ key: Key) -> String { programTypes[key.type].name }
    private static func name(_ key: Key) -> String { key.isNamed ? ", name: \"n\"" : "" }

    private static func code(_ needs: [Need]) -> [String] {
        needs.map { need in
            let type = type(need.key)
            return switch need.form {
            case .plain: "try resolve.orThrow(\(type).self\(name(need.key)))"
            case .optional: "try resolve.orThrow(\(type)?.self\(name(need.key)))"
            case .provider: "try resolve.orThrow(Provider<\(type)>.self\(name(need.key))).orThrow()"
            }
        }
    }

    static func code(_ statement: Statement) -> String {
        switch statement {
        case .expect(let key): return "Expected(\(type(key)).self\(name(key)))"
        case .decorate(let decorator):
            let label = decorator.isMainActor ? "mainActor: " : ""
            let parts = ["of: base"] + code(decorator.needs)
            return "Decorate(\(type(decorator.key)).self\(name(decorator.key)), \(label){ base, resolve in "
                + "Product(\(parts.joined(separator: ", "))) as \(type(decorator.key)) })  // d\(decorator.number)"
        case .register(let recipe):
            let lifetime = "\(recipe.lifetime)".capitalized
            let type = type(recipe.key)
            let alias = recipe.alias.map { ", as: \(programTypes[$0].name).self" } ?? ""
            let made = recipe.key.type < firstProtocolType ? type : "Product"
            let parts = (recipe.takesArgument ? ["argument"] : []) + Self.code(recipe.needs)
            var code = "\(made)(\(parts.joined(separator: ", "))) as \(type)"
            if recipe.failures > 0 { code = "try failing(\(recipe.failures)); return " + code }
            let parameters = recipe.takesArgument ? "resolve, argument: Int" : "resolve"
            let label = recipe.isAutowired ? "autowiring: " : recipe.manner == .plain ? "" : "\(recipe.manner): "
            return "\(lifetime)(\(label){ \(parameters) in \(code) }\(name(recipe.key))\(alias))  // r\(recipe.number)"
        }
    }

    private func code(_ step: Step) -> String {
        switch step {
        case .ask(let asking):
            let argument = asking.argument.map { ", arguments: \($0)" } ?? ""
            let ask =
                "c\(asking.container).resolve.orThrow(\(Self.type(asking.key)).self\(Self.name(asking.key))\(argument))"
            if isAsync { return "try await " + ask.replacing("orThrow", with: "async") }
            return asking.isOnMain ? "try await MainActor.run { try \(ask) }" : "try \(ask)"
        case .add(let statement, let container): return "c\(container).register { \(Self.code(statement)) }"
        case .unregister(let key, let container):
            return "c\(container).unregister(\(Self.type(key)).self\(Self.name(key)))"
        case .reset(let container): return "c\(container).reset()"
        case .resetInstances(let container): return "c\(container).resetInstances()"
        case .close(let container): return "try await c\(container).close()"
        case .drop(let container): return "c\(container) = nil"
        }
    }
}
