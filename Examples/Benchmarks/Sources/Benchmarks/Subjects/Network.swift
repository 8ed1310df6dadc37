import DependencyInjection

/// A graph of 20 objects: a hub, 16 stations, and 3 lines that the stations share.
enum Network {
    final class Line<Color>: Sendable {}

    final class Station<Name, Color>: Sendable {
        let line: Line<Color>
        init(_ line: Line<Color>) { self.line = line }
    }

    final class Hub: Sendable {
        let stations: [any AnyObject & Sendable]
        init(_ stations: (any AnyObject & Sendable)...) { self.stations = stations }
    }

    enum Red {}
    enum Green {}
    enum Blue {}
    enum Name0 {}
    enum Name1 {}
    enum Name2 {}
    enum Name3 {}
    enum Name4 {}
    enum Name5 {}
    enum Name6 {}
    enum Name7 {}
    enum Name8 {}
    enum Name9 {}
    enum Name10 {}
    enum Name11 {}
    enum Name12 {}
    enum Name13 {}
    enum Name14 {}
    enum Name15 {}

    static let stations = Module {
        Shared { resolve in
            Hub(
                resolve(Station<Name0, Red>.self),
                resolve(Station<Name1, Green>.self),
                resolve(Station<Name2, Blue>.self),
                resolve(Station<Name3, Red>.self),
                resolve(Station<Name4, Green>.self),
                resolve(Station<Name5, Blue>.self),
                resolve(Station<Name6, Red>.self),
                resolve(Station<Name7, Green>.self),
                resolve(Station<Name8, Blue>.self),
                resolve(Station<Name9, Red>.self),
                resolve(Station<Name10, Green>.self),
                resolve(Station<Name11, Blue>.self),
                resolve(Station<Name12, Red>.self),
                resolve(Station<Name13, Green>.self),
                resolve(Station<Name14, Blue>.self),
                resolve(Station<Name15, Red>.self))
        }
        Shared { resolve in Station<Name0, Red>(resolve()) }
        Shared { resolve in Station<Name1, Green>(resolve()) }
        Shared { resolve in Station<Name2, Blue>(resolve()) }
        Shared { resolve in Station<Name3, Red>(resolve()) }
        Shared { resolve in Station<Name4, Green>(resolve()) }
        Shared { resolve in Station<Name5, Blue>(resolve()) }
        Shared { resolve in Station<Name6, Red>(resolve()) }
        Shared { resolve in Station<Name7, Green>(resolve()) }
        Shared { resolve in Station<Name8, Blue>(resolve()) }
        Shared { resolve in Station<Name9, Red>(resolve()) }
        Shared { resolve in Station<Name10, Green>(resolve()) }
        Shared { resolve in Station<Name11, Blue>(resolve()) }
        Shared { resolve in Station<Name12, Red>(resolve()) }
        Shared { resolve in Station<Name13, Green>(resolve()) }
        Shared { resolve in Station<Name14, Blue>(resolve()) }
        Shared { resolve in Station<Name15, Red>(resolve()) }
    }

    static let graphLines = Module {
        Graph(Line<Red>())
        Graph(Line<Green>())
        Graph(Line<Blue>())
    }

    static let newLines = Module {
        New(Line<Red>())
        New(Line<Green>())
        New(Line<Blue>())
    }
}
