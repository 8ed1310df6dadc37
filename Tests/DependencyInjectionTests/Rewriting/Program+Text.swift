import Foundation

extension Program {
    /// The program as a file of Swift code that compiles.
    var text: String {
        var lines: [String] = [Self.preamble]
        for (index, container) in containers.enumerated() {
            let maker = container.parent.map { "c\($0)!.makeChild" } ?? "DIContainer"
            lines.append("var c\(index): DIContainer? = \(maker) {")
            lines += container.statements.map { "    \(Self.code($0))" }
            lines.append("}")
        }
        lines += steps.enumerated().map { "\(code($1))  // step \($0)" }
        return lines.joined(separator: "\n")
    }

    /// What stands for the types of these tests.
    private static let preamble = """
        import DependencyInjection

        protocol Red: Sendable {}
        protocol Blue: Sendable {}
        class Product: Red, Blue, @unchecked Sendable {
            let parts: [Any?]
            init(_ parts: Any?...) { self.parts = parts }
        }
        final class Apple: Product, @unchecked Sendable {}
        final class Berry: Product, @unchecked Sendable {}
        final class Cherry: Product, @unchecked Sendable {}
        final class Failing: Error, @unchecked Sendable {
            var rest: Int
            init(_ rest: Int) { self.rest = rest }
            func fail() throws {
                rest -= 1
                if rest >= 0 { throw self }
            }
        }
        var held: [any Sendable] = []
        @MainActor func show(_ container: DIContainer?, _ ask: @escaping @Sendable (Resolver) async throws -> any Sendable) async {
            guard let resolve = container?.resolve else { return }
            do { held.append(try await Task.detached { try await ask(resolve) }.value) } catch { print(error) }
        }

        """

    private static func type(_ key: Key) -> String { programTypes[key.type].name }
    private static func name(_ key: Key) -> String { key.isNamed ? ", name: \"n\"" : "" }

    private static func type(_ need: Need) -> String {
        switch need.form {
        case .plain: type(need.key)
        case .optional: "\(type(need.key))?"
        case .provider: "Provider<\(type(need.key))>"
        }
    }

    /// What a closure makes of its needs.
    private static func code(_ needs: [Need], isAsync: Bool = false) -> [String] {
        needs.map { need in
            if isAsync, need.form == .provider {
                return "try await resolve.async(\(type(need.key)).self\(name(need.key)))"
            }
            let ask = isAsync ? "try await resolve.async" : "try resolve.orThrow"
            return "\(ask)(\(type(need)).self\(name(need.key)))" + (need.form == .provider ? ".orThrow()" : "")
        }
    }

    static func code(_ statement: Statement) -> String {
        switch statement {
        case .expect(let key): return "Expected(\(type(key)).self\(name(key)))"
        case .decorate(let decorator):
            let label = decorator.isMainActor ? "mainActor: " : ""
            let made = decorator.key.type < firstProtocolType ? type(decorator.key) : "Product"
            let parts = ["base"] + code(decorator.needs)
            return "Decorate(\(type(decorator.key)).self\(name(decorator.key)), \(label){ base, resolve in "
                + "\(made)(\(parts.joined(separator: ", "))) as \(type(decorator.key)) })  // d\(decorator.number)"
        case .register(let recipe):
            return "\(code(recipe))  // r\(recipe.number)"
        }
    }

    private static func code(_ recipe: Recipe) -> String {
        let type = type(recipe.key)
        let label: String
        let parameters: String
        var parts: [String]
        if recipe.isAutowired, !recipe.needs.isEmpty {
            label = "autowiring: "
            parameters =
                "(" + recipe.needs.enumerated().map { "p\($0): \(Self.type($1))" }.joined(separator: ", ") + ")"
            parts = recipe.needs.enumerated().map { $1.form == .provider ? "try p\($0).orThrow()" : "p\($0)" }
        } else {
            label = recipe.manner == .plain ? "" : "\(recipe.manner): "
            parameters = recipe.takesArgument ? "(resolve, argument: Int)" : "resolve"
            parts = (recipe.takesArgument ? ["argument"] : []) + code(recipe.needs, isAsync: recipe.manner == .async)
        }
        let made = recipe.key.type < firstProtocolType ? type : "Product"
        var code = "\(made)(\(parts.joined(separator: ", "))) as \(type)"
        if recipe.failures > 0 { code = "try failing.fail(); return " + code }
        let captured = recipe.failures > 0 ? "[failing = Failing(\(recipe.failures))] " : ""
        let alias = recipe.alias.map { ", as: \(programTypes[$0].name).self" } ?? ""
        return "\("\(recipe.lifetime)".capitalized)(\(label){ \(captured)\(parameters) in \(code) }"
            + "\(name(recipe.key))\(alias))" + recipe.ends.map { Self.code($0) }.joined()
    }

    private static func code(_ end: End) -> String {
        let does = end.fails ? "throw Failing(0)" : "print(\"closes\", product)"
        return switch end.form {
        case .plain: ".onClose { product in \(does) }"
        case .withFailure: ".onClose { product, failure in \(does) }"
        case .mainActor: ".onClose(mainActor: { product in \(does) })"
        }
    }

    private func code(_ step: Step) -> String {
        switch step {
        case .ask(let asking):
            let argument = asking.argument.map { ", arguments: \($0)" } ?? ""
            let what = "(\(Self.type(asking.key)).self\(Self.name(asking.key))\(argument))"
            let call = isAsync ? "try await $0.async" : "try $0.orThrow"
            let isolation = asking.isOnMain ? "@MainActor in " : ""
            let forgets = holdsResults ? "" : "; held = []"
            return "await show(c\(asking.container)) { \(isolation)\(call)\(what) }\(forgets)"
        case .add(let statement, let container):
            return "c\(container)?.register { \(Self.code(statement))\n}"
        case .unregister(let key, let container):
            return "c\(container)?.unregister(\(Self.type(key)).self\(Self.name(key)))"
        case .reset(let container): return "c\(container)?.reset()"
        case .resetInstances(let container): return "c\(container)?.resetInstances()"
        case .close(let container, let fails):
            return "do { try await c\(container)?.close(\(fails ? "after: Failing(0)" : "")) } catch { print(error) }"
        case .askChild(let asking, let fails):
            let argument = asking.argument.map { ", arguments: \($0)" } ?? ""
            let call = isAsync ? "try await child.resolve.async" : "try child.resolve.orThrow"
            let ask = "\(call)(\(Self.type(asking.key)).self\(Self.name(asking.key))\(argument))"
            let end = fails ? "; throw Failing(0)" : ""
            return
                "do { try await c\(asking.container)?.withChild { child in print(\(ask))\(end) } } catch { print(error) }"
        case .drop(let container): return "c\(container) = nil"
        }
    }
}
