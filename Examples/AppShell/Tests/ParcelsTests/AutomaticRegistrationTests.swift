import DependencyInjection
import Testing

@testable import Parcels

// A phone has no exit tests.
#if os(Linux)
    struct AutomaticRegistrationTests {
        // It happens once in a process, which is therefore one of its own here.
        @Test func aProgramWithoutADelegateHasTheCoreServices() async {
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
