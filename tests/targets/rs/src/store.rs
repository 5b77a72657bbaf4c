use std::collections::HashMap;

pub struct Store {
    items: HashMap<String, String>,
}

impl Store {
    pub fn new() -> Self {
        Self {
            items: HashMap::new(),
        }
    }

    pub fn insert_item(&mut self, key: &str) {
        self.items.insert(key.to_owned(), checked(key));
    }
}

fn checked(key: &str) -> String {
    key.trim().to_owned()
}
