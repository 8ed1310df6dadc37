import DependencyInjectionDiagnostics
import NotesWiring

// The plugin runs this tool, so that a missing registration stops the build.
await WiringCheck.run(App(database: "").container, allowing: [.unpreparedDependency])
