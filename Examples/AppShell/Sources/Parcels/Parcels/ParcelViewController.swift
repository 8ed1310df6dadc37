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

    override func viewDidLoad() {
        super.viewDidLoad()
        label.numberOfLines = 0
        label.text = "Loading …"
        view.addSubview(label)
        Task { label.text = await model.text() }
    }
}
