// integration tests
mod extract;
