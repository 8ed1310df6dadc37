public import Hummingbird

/// The connections between the parts of the program. ``App`` uses a container, and ``HandWiring`` is written by hand.
public protocol Wiring: Sendable {
    /// The current settings.
    var settings: Settings { get throws }
    /// The users of the server.
    var accounts: Accounts { get throws }

    /// Adds all routes. Each request has a unit of work of its own.
    func addRoutes(to router: Router<NotesContext>)
}
