/// What is built anew at every request.
protocol Product {
    var total: Int { get }
}

final class PlainProduct: Product {
    let total = 1
}

/// The type that a registration made for ``AliasedProductImpl`` answers as well.
protocol AliasedProduct {
    var total: Int { get }
}

final class AliasedProductImpl: AliasedProduct {
    let total = 2
}

/// Resolved with one argument.
protocol NumberedProduct {
    var number: Int { get }
}

final class NumberedProductImpl: NumberedProduct {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }
}

/// Resolved with three arguments. None of them needs memory of its own.
protocol DetailedProduct {
    var title: String { get }
}

final class DetailedProductImpl: DetailedProduct {
    let title: String
    let number: Int
    let isNew: Bool

    init(_ title: String, _ number: Int, _ isNew: Bool) {
        self.title = title
        self.number = number
        self.isNew = isNew
    }
}
