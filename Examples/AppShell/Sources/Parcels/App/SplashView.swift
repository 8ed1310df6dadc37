import SwiftUI

/// The screen that is shown until the app is prepared, or if preparing has failed.
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
