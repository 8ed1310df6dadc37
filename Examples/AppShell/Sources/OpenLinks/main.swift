import Foundation

let usage = """
    Usage: OpenLinks <link> ...

    Starts the app with the first link, logs in, opens the other links one after the other, opens the settings, and
    logs out. Prints what is on the screen after each step.

      parcels://parcels      all parcels
      parcels://parcel/42    one of them
      parcels://settings     the settings
    """

let links = CommandLine.arguments.dropFirst().compactMap(URL.init(string:))
guard let first = links.first, links.count == CommandLine.arguments.count - 1 else {
    print(usage)
    exit(EXIT_FAILURE)
}

let phone = Phone()
phone.start(with: first)
phone.show("The app starts with \(first).")
await phone.wait()
phone.show("It is prepared.")

phone.type("ada", into: "Name")
phone.type("1843", into: "Code")
phone.tap("Log in")
await phone.wait()
phone.show("Ada has logged in.")

for link in links.dropFirst() {
    phone.open(link)
    await phone.wait()
    phone.show("\(link) is opened.")
}

URL(string: "parcels://settings").map(phone.open)
await phone.wait()
phone.tap("Log out")
await phone.wait()
phone.show("Ada has logged out.")
