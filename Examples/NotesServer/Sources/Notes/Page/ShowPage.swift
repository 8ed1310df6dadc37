import DependencyInjectionHummingbird
import Hummingbird

struct ShowPage: RequestHandler {
    let page: Page

    func respond(to request: Request, context: NotesContext) async throws -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8", .contentSecurityPolicy: page.policy],
            body: ResponseBody(byteBuffer: page.html))
    }
}
