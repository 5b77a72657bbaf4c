//! Items in macro arguments.

cfg_feature! {
    use crate::pool::{Pool, Task as Job};

    /// Starts a job.
    ///
    /// Twice deprecated words do not count.
    pub fn spawn(job: Job) -> Handle {
        Pool::current().push(job)
    }

    #[derive(Clone)]
    pub struct Handle {
        pub id: u64,
        state: State,
    }

    impl Handle {
        pub fn join(&self) -> Result<(), JoinError> {
            self.state.wait(self.id)
        }

        cfg_deep! {
            /// Nested in an impl.
            pub fn abort(&self) { self.state.stop(); }
        }
    }

    cfg_other! {
        pub(crate) enum State { Idle, Busy(u8) }
    }

    #[cfg(test)]
    mod tests {
        cfg_feature! {
            #[test]
            fn joins() { super::spawn(job()).join(); }
        }
    }
}

pub trait Listen {
    cfg_feature! {
        fn accept(&self) -> Handle;
    }
}

doc! {macro_rules! choose {
    ($a:expr) => { spawn($a) };
}}

lazy! { static ref TABLE: Table = Table::new(); }

// None of these are items.
routes! {
    get "/users" => list_users,
    post "/users" => create_user(body),
}
values! { one, two(three), four }
empty! {}
fn_like!(pub fn not_items() {});

fn body() {
    select! {
        value = receive() => handle(value),
    }
    local! { fn stays_tokens() {} }
}

half! {
    pub fn kept() {}
    pub fn broken( {
