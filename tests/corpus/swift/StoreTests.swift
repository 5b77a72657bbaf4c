import XCTest
import Testing
@testable import Shop

final class StoreTests: XCTestCase {
    var store: Store<String>!

    override func setUp() { store = Store(client: .mock) }

    func testFinds() async throws {
        XCTAssertEqual(store.items.count, 0)
    }

    private func helper() {}
}

@Suite struct LevelTests {
    @Test("labels") func labels() { #expect(Level.low.label == "low") }
}
