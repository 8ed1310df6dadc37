/// Leads to other places in the app. Screens know it, and no coordinator.
protocol Router: AnyObject {
    /// Opens a link, or keeps it until somebody has logged in.
    func open(_ link: DeepLink)

    func logIn(user: String, code: String) async throws
    func logOut() async
}
