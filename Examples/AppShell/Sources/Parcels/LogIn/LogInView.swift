import DependencyInjection
import SwiftUI

struct LogInView: View {
    @State private var model: LogInModel = DIContainer.resolve()

    var body: some View {
        List {
            TextField("Name", text: $model.user)
            TextField("Code", text: $model.code)
            if model.isWaiting {
                ProgressView("Logging in")
            } else {
                Button("Log in") { Task { await model.logIn() } }
            }
            Text(model.message)
        }
        .navigationTitle("Log in")
    }
}
