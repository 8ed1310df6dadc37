import Foundation
import UIKit

final class ParcelViewController: UIViewController {
    private let model: ParcelModel
    private let label = UILabel()

    init(model: ParcelModel) {
        self.model = model
        super.init(nibName: nil, bundle: nil)
        title = model.title
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func loadView() {
        label.numberOfLines = 0
        label.backgroundColor = .systemBackground
        label.text = "Loading …"
        view = label
    }

    override func viewDidLoad() {
        super.viewDidLoad()
        Task { label.text = await model.text() }
    }
}
