import Foundation
import class UIKit.UIView
@testable import struct Shop.Item
@_exported import Core

/// Bytes by key.
public typealias Blob = [String: Data]

let limit = 10
private var counter: Int = 0
var (width, height) = (1, 2)

infix operator <=>: ComparisonPrecedence

public protocol Shelf: AnyObject, Sequence where Element: Hashable {
    associatedtype Key: Hashable = String
    var count: Int { get }
    static var shared: Self { get set }
    func find(_ key: Key) throws -> Element?
    init(name: String)
    subscript(index: Int) -> Element { get }
}

@propertyWrapper
struct Clamped<Value: Comparable> {
    var wrappedValue: Value { didSet { wrappedValue = min(wrappedValue, upper) } }
    let upper: Value
}

enum Level: Int, CaseIterable {
    case low = 1, high
    case custom(name: String, weight: Double)
    indirect case nested(Level)

    var label: String {
        switch self {
        case .low: return "low"
        case .custom(let name, _): return name
        case let .nested(inner) where inner != .low: return inner.label
        default: return String(describing: self)
        }
    }
}

/// Keeps things.
///
/// In order.
@MainActor
@available(*, deprecated, message: "use Shop")
open class Store<T: Codable>: Base<T>, Shelf, Api.Inner {
    static let shared = Store<String>(client: .default)
    private let client: HTTPClient
    public private(set) var items: [T] = []
    @Clamped(upper: 10) var level: Int = 1
    lazy var cache: [String: T] = { Dictionary() }()
    weak var delegate: StoreDelegate?
    var owner: Owner {
        get { _owner ?? Owner() }
        set { _owner = newValue }
    }
    var name: String = "" {
        willSet { print(newValue) }
        didSet { reload(from: oldValue) }
    }

    init(client: HTTPClient, parent: Store<T>? = nil) {
        self.client = client
        super.init()
        client.prepare()
    }

    convenience required public init?(name: String) { self.init(client: HTTPClient(name: name)) }

    deinit { client.close() }

    subscript(index: Int) -> T {
        get { items[index] }
        set(value) { items[index] = value }
    }

    @discardableResult
    public func find<K>(_ key: K, in scope: Scope = .all) async throws -> T? where K: Hashable {
        guard let hit = cache[key.description], !items.isEmpty else { return nil }
        for (index, item) in items.enumerated() where index > 0 {
            if case .custom(let weight, _) = item.level { log("weight \(weight) of \(item.name)") }
        }
        func local(n: Int) -> Int { n + 1 }
        let mapped = items.map { $0.id }.filter { (id: Int) -> Bool in id > local(n: 2) }
        do {
            let data = try await client.fetch(mapped, retries: 3)
            return try JSONDecoder().decode(T.self, from: data)
        } catch let error as StoreError {
            delegate?.store(self, didFail: error)
        } catch {
            throw error
        }
        defer { counter += 1 }
        var copy = hit as? Store, other = copy!
        UIView.animate(withDuration: 0.3) { [weak self] in
            self?.items.removeAll()
        } completion: { _ in other.close() }
        #if DEBUG
        debugDump(copy)
        #endif
        return \Store.items == nil ? hit : nil
    }

    static func <=> (left: Store, right: Store) -> Bool { left.items.count < right.items.count }

    override class func make() -> Self { fatalError() }

    struct Cursor: IteratorProtocol { var at = 0; mutating func next() -> T? { at += 1; return nil } }
}

extension Store: CustomStringConvertible where T: Equatable {
    public var description: String { "Store" }
    fileprivate func compact() -> [T] { items.compactMap { $0 } }
}

extension Array where Element == Store<String> {
    func names() -> [String] { map(\.name) }
}

actor Counter {
    private var value = 0
    func increment() -> Int { value += 1; return value }
    nonisolated let id = UUID()
}

@objc protocol StoreDelegate { @objc optional func store(_ store: Store<String>, didFail error: Error) }

func main<S: Sequence>(_ items: S) -> some View where S.Element == Int { Text("hi") }

main([1, 2])
