import Foundation

class Half {
    func before() -> Int { 1 }

    func typing(name: String) {
        let x = name.
    }

    func after() -> Int { before() }

    func open(a: Int, {

    func last() { after() }
}

class Next {
    var field: =
    func still() { Half().after( }
}
