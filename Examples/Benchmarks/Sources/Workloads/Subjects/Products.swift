/// A type that is rebuilt for each request.
protocol Product {
    var total: Int { get }
}

final class PlainProduct: Product {
    let total = 1
}

/// An alias of the registration for ``AliasedProductImpl``.
protocol AliasedProduct {
    var total: Int { get }
}

final class AliasedProductImpl: AliasedProduct {
    let total = 2
}

/// A type resolved with one argument.
protocol NumberedProduct {
    var number: Int { get }
}

final class NumberedProductImpl: NumberedProduct {
    let number: Int

    init(_ number: Int) {
        self.number = number
    }
}

/// A type resolved with three arguments, none of which allocates memory.
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
