package import HTTPServer

package struct ShowPage: Handler {
    let page: Page

    package init(page: Page) {
        self.page = page
    }

    package func answer() async throws -> HTTPResponse {
        HTTPResponse(
            200, headers: ["Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": page.policy],
            body: page.html)
    }
}
