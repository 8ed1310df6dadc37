import DependencyInjection
import DependencyInjectionDiagnostics
import Foundation

let arguments = CommandLine.arguments.dropFirst()
if arguments.contains("--help") {
    Terminal.show(Deeplink.usage)
    exit(EXIT_SUCCESS)
}

let delegate = AppDelegate()
if arguments.first == "--graph" {
    let graph = DIContainer.shared.graph
    switch arguments.dropFirst().first {
    case "mermaid": Terminal.show(graph.mermaid())
    case "dot": Terminal.show(graph.dot())
    default: Terminal.show("\(graph)")
    }
    exit(EXIT_SUCCESS)
}
do {
    try delegate.launch()
} catch {
    // The `ResolutionError` names the registration that failed and contains the error that its factory threw.
    Terminal.showError("\(error)")
    exit(EXIT_FAILURE)
}

let succeeded = arguments.isEmpty ? delegate.openLinksFromStandardInput() : delegate.open(arguments)
exit(succeeded ? EXIT_SUCCESS : EXIT_FAILURE)
