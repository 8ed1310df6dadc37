public import DependencyInjection

// Owners of injected properties, for the audit. None of them is ever created.

public protocol Router: Sendable {}
public protocol Session: Sendable {}
public protocol API: Sendable {}
public protocol Unknown: Sendable {}
public struct Detail: Sendable { public init() {} }
public struct Cache<Element: Sendable>: Sendable { public init() {} }

public struct Screen {
    @Inject public var router: any Router
    @LazyInject var session: any Session
    @MutableInject var api: any API
    @MutableLazyInject var detail: Detail
    let title = ""
}

public class Controller {
    @Inject private var router: any Router
    @LazyInject private var unknown: any Unknown
}

public actor Worker {
    @Inject private var unknown: any Unknown
    private var count = 0
}

private struct PrivateOwner {
    @Inject private var router: any Router
    @MutableLazyInject var unknown: any Unknown
}

public enum Namespace {
    case one(Detail)

    public struct Inner {
        @Inject var router: any Router
    }
}

extension Namespace.Inner {
    public final class Innermost {
        @LazyInject var unknown: any Unknown
    }
}

extension String {
    struct Part {
        @Inject var router: any Router
    }
}

/// Requests types that need no registration of their own.
struct Compounds {
    @Inject var optional: (any Unknown)?
    @Inject var provider: Provider<any Router, Int, String>
    @Inject var unknownProvider: Provider<any Unknown, Int>
    @LazyInject var all: All<any Session>
    @LazyInject var closure: @Sendable (Int) -> String
    @Inject var metatype: any Session.Type
    @Inject var tuple: (Int, String)
    @MutableInject var generic: Cache<Detail>
    @MutableInject var unknownGeneric: Cache<[Detail]>
    @Inject var composition: any Router & Session
}

/// Has names in backticks and names with underscores.
public struct `Raw names` {
    @Inject public var `my router`: any Router
    @LazyInject public var `_my session`: any Session
    @Inject public var `3`: any Router
    @Inject public var `class`: any Router
    @Inject public var _router2: any Router
}

struct Names {
    @Inject(name: "staging") var staging: Int
    @Inject(name: "staging") var provider: Provider<Int>
    @Inject(name: "nobody's") var nowhere: UInt8
}

struct Generic<Element> {
    @LazyInject var element: Element

    struct Inner {
        @Inject var unknown: any Unknown
    }
}

final class Derived: Controller {
    @Inject var unknown: any Unknown
}

struct Copyless: ~Copyable {
    @Inject var unknown: any Unknown
}

func local() {
    struct Local {
        @Inject var unknown: any Unknown
    }
    _ = Local.self
}

/// Has properties that resemble injected properties without being any.
struct Others {
    @propertyWrapper struct Inject { var wrappedValue = 0 }

    var _router: Int
    @Inject var value: Int
}
