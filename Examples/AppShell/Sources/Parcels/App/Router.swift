/// Navigation to other places in the app. Screens depend on this protocol instead of a coordinator.
protocol Router: AnyObject {
    /// Opens a link, or stores it until a user has logged in.
    func open(_ link: DeepLink)

    func logIn(user: String, code: String) async throws
    func logOut() async
}
