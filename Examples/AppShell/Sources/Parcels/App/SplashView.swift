import SwiftUI

/// What is on the screen until the app is prepared, or if that has failed.
struct SplashView: View {
    var retry: (() -> Void)?

    var body: some View {
        if let retry {
            Text("The service does not answer.")
            Button("Try again") { retry() }
        } else {
            ProgressView("Loading")
        }
    }
}
