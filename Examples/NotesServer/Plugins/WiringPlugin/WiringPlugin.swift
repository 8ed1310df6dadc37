import Foundation
import PackagePlugin

@main struct WiringPlugin: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        let stamp = context.pluginWorkDirectoryURL.appending(path: "WiringStamp.swift")
        let modules = target.recursiveTargetDependencies.compactMap { $0 as? any SourceModuleTarget }
        let sources = modules.flatMap { module in module.sourceFiles.map { "\(module.moduleName)=\($0.url.path)" } }
        return [
            .buildCommand(
                displayName: "Checking the wiring", executable: try context.tool(named: "CheckWiring").url,
                arguments: ["--stamp", stamp.path] + sources, outputFiles: [stamp])
        ]
    }
}
