import DependencyInjectionDiagnostics
import Logging
import Notes

// The plugin runs this tool, so that a missing registration stops the build.
let logger = Logger(label: "CheckWiring")
await WiringCheck.run(
    App(database: "", logger: logger).container, App(database: "", settings: "", logger: logger).container)
