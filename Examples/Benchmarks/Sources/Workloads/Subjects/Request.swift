import DependencyInjection

/// The objects that a server creates for each request: a ``Handler`` that uses a session and a cart, which live as long
/// as the request, and a database, which all requests share. The session depends on the request's user and the
/// database, the cart on the session.
enum Request {
    /// Dependencies resolved in closures.
    static let closures = Module {
        Shared(DatabaseImpl() as any Database)
        Scoped { resolve in SessionImpl(user: resolve(), database: resolve()) as any Session }
        Scoped { resolve in CartImpl(session: resolve()) as any Cart }
        New { resolve in HandlerImpl(session: resolve(), cart: resolve(), database: resolve()) as any Handler }
    }

    /// The same registrations, autowired.
    static let autowired = Module {
        Shared(DatabaseImpl() as any Database)
        Scoped(autowiring: makeSession)
        Scoped(autowiring: makeCart)
        New(autowiring: makeHandler)
    }

    /// The same protocols as aliases of autowired classes.
    static let aliases = Module {
        Shared(DatabaseImpl() as any Database)
        Scoped(autowiring: SessionImpl.init, as: (any Session).self)
        Scoped(autowiring: CartImpl.init, as: (any Cart).self)
        New(autowiring: HandlerImpl.init, as: (any Handler).self)
    }

    /// The same registrations as ``closures``, with an `onClose` handler for one of the objects.
    static let closing = Module {
        closures
        Scoped { resolve in SessionImpl(user: resolve(), database: resolve()) as any Session }.onClose { _ in }
    }

    private static func makeSession(user: any User, database: any Database) -> any Session {
        SessionImpl(user: user, database: database)
    }

    private static func makeCart(session: any Session) -> any Cart { CartImpl(session: session) }

    private static func makeHandler(session: any Session, cart: any Cart, database: any Database) -> any Handler {
        HandlerImpl(session: session, cart: cart, database: database)
    }

    static func handle(in app: DIContainer) -> any Handler {
        let request = app.makeChild { Shared(UserImpl() as any User) }
        return request.resolve((any Handler).self)
    }

    /// Handles a request and closes its container.
    static func handleAndClose(in app: DIContainer) async throws -> any Handler {
        try await app.withChild {
            Shared(UserImpl() as any User)
        } operation: { request in
            request.resolve((any Handler).self)
        }
    }

    /// Wires the same objects without a container.
    static func handle(with database: any Database) -> any Handler {
        let user: any User = UserImpl()
        let session: any Session = SessionImpl(user: user, database: database)
        let cart: any Cart = CartImpl(session: session)
        return HandlerImpl(session: session, cart: cart, database: database)
    }
}

protocol User: Sendable {
    var number: Int { get }
}

final class UserImpl: User {
    let number = 1
}

protocol Database: Sendable {
    var number: Int { get }
}

final class DatabaseImpl: Database {
    let number = 2
}

protocol Session: Sendable {
    var user: any User { get }
}

final class SessionImpl: Session {
    let user: any User
    let database: any Database

    init(user: any User, database: any Database) {
        self.user = user
        self.database = database
    }
}

protocol Cart: Sendable {
    var session: any Session { get }
}

final class CartImpl: Cart {
    let session: any Session

    init(session: any Session) {
        self.session = session
    }
}

protocol Handler {
    var session: any Session { get }
}

final class HandlerImpl: Handler {
    let session: any Session
    let cart: any Cart
    let database: any Database

    init(session: any Session, cart: any Cart, database: any Database) {
        self.session = session
        self.cart = cart
        self.database = database
    }
}
