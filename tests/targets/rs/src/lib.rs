pub mod store;

pub use store::Store;

pub fn open() -> Store {
    Store::new()
}
