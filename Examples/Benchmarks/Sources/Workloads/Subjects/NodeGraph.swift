package import DependencyInjection

/// A graph of 100 shared objects of different types.
///
/// 49 nodes and 50 leaves are a binary tree. Each of them also depends on the settings, as most objects of an application
/// do.
package enum NodeGraph {
    package typealias Root = Node<Tree63<Left<()>>, Node<Tree31<Left<Right<()>>>, Tree3<Right<Right<()>>>>>

    /// Dependencies resolved in closures.
    static let closures = Module {
        Shared { _ in Settings() }
        Root.closures
    }

    /// Dependencies resolved by the types of parameters.
    static let autowired = Module {
        Shared(autowiring: Settings.init)
        Root.autowired
    }

    /// Builds the same graph by hand.
    package static func build() -> Root { Root.build(Settings()) }

    // The name has the number of objects. The place makes the types of two trees different.
    package typealias Tree3<Place> = Node<Leaf<Left<Place>>, Leaf<Right<Place>>>
    package typealias Tree7<Place> = Node<Tree3<Left<Place>>, Tree3<Right<Place>>>
    package typealias Tree15<Place> = Node<Tree7<Left<Place>>, Tree7<Right<Place>>>
    package typealias Tree31<Place> = Node<Tree15<Left<Place>>, Tree15<Right<Place>>>
    package typealias Tree63<Place> = Node<Tree31<Left<Place>>, Tree31<Right<Place>>>

    package enum Left<Place> {}
    package enum Right<Place> {}

    package final class Settings: Sendable {}

    package protocol Tree: Sendable {
        static var closures: Module { get }
        static var autowired: Module { get }
        static func build(_ settings: Settings) -> Self
    }

    package final class Leaf<Place>: Tree {
        let settings: Settings

        init(_ settings: Settings) {
            self.settings = settings
        }

        package static var closures: Module { Module(Shared { resolve in Leaf(resolve()) }) }
        package static var autowired: Module { Module(Shared(autowiring: Leaf.init)) }
        package static func build(_ settings: Settings) -> Self { Self(settings) }
    }

    package final class Node<First: Tree, Second: Tree>: Tree {
        let first: First
        let second: Second
        let settings: Settings

        init(_ first: First, _ second: Second, _ settings: Settings) {
            self.first = first
            self.second = second
            self.settings = settings
        }

        package static var closures: Module {
            Module {
                Shared { resolve in Node(resolve(), resolve(), resolve()) }
                First.closures
                Second.closures
            }
        }

        package static var autowired: Module {
            Module {
                Shared(autowiring: Node.init)
                First.autowired
                Second.autowired
            }
        }

        package static func build(_ settings: Settings) -> Self {
            Self(First.build(settings), Second.build(settings), settings)
        }
    }
}
