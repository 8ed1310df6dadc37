import DependencyInjection
import SwiftUI

struct SettingsView: View {
    @State var model: SettingsModel

    var body: some View {
        List {
            Text(model.lines.joined(separator: "\n"))
            Button("Log out") { Task { await model.logOut() } }
        }
        .navigationTitle("Settings")
    }
}
