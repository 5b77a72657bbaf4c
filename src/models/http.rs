//! HTTP, for whoever configured a server or asked to fetch a model; nobody else comes here.

#[cfg(not(feature = "remote-models"))]
pub use absent::Client;
#[cfg(feature = "remote-models")]
pub use present::Client;

use std::io::Read;
use std::time::Duration;

/// How long a server is waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// As long as it takes: what is asked for can be had nowhere else.
    Long,
    /// Not for long: somebody waits for an answer that can do without.
    Short,
}

impl Patience {
    /// How long a connection may take to come about.
    #[cfg(feature = "remote-models")]
    fn connecting(self) -> Duration {
        match self {
            Self::Long => Duration::from_secs(10),
            Self::Short => Duration::from_secs(1),
        }
    }

    /// How long a server may be silent. A model may have to be loaded before it answers.
    #[cfg(feature = "remote-models")]
    fn silence(self) -> Duration {
        match self {
            Self::Long => Duration::from_secs(120),
            Self::Short => Duration::from_secs(4),
        }
    }

    /// How long a request may take in all, names and all.
    #[cfg(feature = "remote-models")]
    fn whole(self) -> Option<Duration> {
        match self {
            Self::Long => None,
            Self::Short => Some(Duration::from_secs(5)),
        }
    }

    /// How often a request is made before the server is given up.
    pub fn tries(self) -> u32 {
        match self {
            Self::Long => 4,
            Self::Short => 1,
        }
    }
}

/// What a server answered.
pub struct Reply {
    /// The status.
    pub status: u16,
    /// How long to wait before asking again, if it says so.
    pub wait: Option<Duration>,
    /// The body, as it comes.
    pub body: Box<dyn Read>,
}

/// Returns the scheme and host of a URL, without port; `None` if it is not one of HTTP.
pub fn scheme_and_host(url: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = url.split_once("://")?;
    let known = ["http", "https"]
        .into_iter()
        .find(|known| known.eq_ignore_ascii_case(scheme))?;
    let authority = rest.split(['/', '?', '#']).next()?;
    // A name and password in a URL would be shown wherever the URL is.
    if authority.contains('@') {
        return None;
    }
    let host = match authority.strip_prefix('[') {
        Some(address) => address.split_once(']')?.0,
        None => authority.split(':').next()?,
    };
    (!host.is_empty()).then_some((known, host))
}

/// Whether a host is this machine.
pub fn is_loopback(host: &str) -> bool {
    host.eq_ignore_ascii_case("localhost")
        || host
            .parse::<std::net::IpAddr>()
            .is_ok_and(|address| address.is_loopback())
}

#[cfg(feature = "remote-models")]
mod present {
    use super::super::Error;
    use super::{Patience, Reply, is_loopback, scheme_and_host};
    use std::time::Duration;

    /// A client that keeps its connections.
    pub struct Client {
        agent: ureq::Agent,
    }

    impl Client {
        /// Returns a client for `url`, which follows up to `redirects` redirections.
        ///
        /// What begins encrypted stays so. Proxies of the environment are used, but not for this
        /// machine.
        pub fn new(url: &str, redirects: u32, patience: Patience) -> Result<Self, Error> {
            let at = scheme_and_host(url);
            let mut config = ureq::Agent::config_builder()
                .http_status_as_error(false)
                .https_only(at.is_some_and(|(scheme, _)| scheme == "https"))
                .max_redirects(redirects)
                .timeout_global(patience.whole())
                .timeout_connect(Some(patience.connecting()))
                .timeout_recv_response(Some(patience.silence()))
                .timeout_per_read(Some(patience.silence()))
                .timeout_per_write(Some(patience.silence()))
                .user_agent(concat!("git-sverklo/", env!("CARGO_PKG_VERSION")));
            if at.is_some_and(|(_, host)| is_loopback(host)) {
                config = config.proxy(None);
            }
            Ok(Self {
                agent: config.build().new_agent(),
            })
        }

        /// Fetches a page; an error is that of the connection.
        pub fn get(&self, url: &str) -> Result<Reply, String> {
            let reply = self.agent.get(url).call();
            reply.map(read).map_err(said)
        }

        /// Sends JSON, with a key if there is one; an error is that of the connection.
        pub fn post(&self, url: &str, key: Option<&str>, json: &[u8]) -> Result<Reply, String> {
            let mut request = self
                .agent
                .post(url)
                .header("content-type", "application/json");
            if let Some(key) = key {
                request = request.header("authorization", format!("Bearer {key}"));
            }
            let reply = request.send(json);
            reply.map(read).map_err(said)
        }
    }

    /// Says why there is no reply, without a word for the layer that found out.
    fn said(err: ureq::Error) -> String {
        match err {
            ureq::Error::Io(err) => err.to_string(),
            err => err.to_string(),
        }
    }

    fn read(reply: ureq::http::Response<ureq::Body>) -> Reply {
        // The other form of the header, a date, is not worth a calendar.
        let wait = reply.headers().get("retry-after");
        let wait = wait.and_then(|value| value.to_str().ok()?.trim().parse().ok());
        Reply {
            status: reply.status().as_u16(),
            wait: wait.map(Duration::from_secs),
            body: Box::new(reply.into_body().into_reader()),
        }
    }
}

#[cfg(not(feature = "remote-models"))]
mod absent {
    use super::super::Error;
    use super::{Patience, Reply};

    /// There is none in this program.
    pub enum Client {}

    impl Client {
        /// Says so.
        pub fn new(_: &str, _: u32, _: Patience) -> Result<Self, Error> {
            Err(Error::NotBuilt {
                what: "an HTTP client",
                feature: "remote-models",
            })
        }

        /// Never called.
        pub fn get(&self, _: &str) -> Result<Reply, String> {
            match *self {}
        }

        /// Never called.
        pub fn post(&self, _: &str, _: Option<&str>, _: &[u8]) -> Result<Reply, String> {
            match *self {}
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn without_the_feature_it_says_so() {
            let err = Client::new("http://127.0.0.1:1", 0, Patience::Long)
                .err()
                .unwrap();
            assert!(err.to_string().contains("remote-models"), "{err}");
        }
    }
}

#[cfg(test)]
pub(super) mod tests;
