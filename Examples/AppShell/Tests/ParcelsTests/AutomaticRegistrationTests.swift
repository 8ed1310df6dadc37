import DependencyInjection
import Testing

@testable import Parcels

// Phones don't support exit tests.
#if os(Linux)
    struct AutomaticRegistrationTests {
        // It happens once per process, so this test runs in a process of its own.
        @Test func coreServicesAreRegisteredWithoutADelegate() async {
            await #expect(processExitsWith: .success) {
                let isRegistered = await Task.detached {
                    _ = DIContainer.resolve(Logger.self)
                    return DIContainer.shared.isRegistered(ParcelService.self)
                }.value
                precondition(isRegistered)
                precondition(!DIContainer.shared.isRegistered(LogInModel.self))
            }
        }
    }
#endif
