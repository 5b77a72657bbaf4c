//! A cache.

extern crate alloc as heap;

mod shard;
pub mod policy {
    pub use super::Limits as Bounds;
    use crate::{shard::{self, Shard as Part, *}, Cache};

    pub(crate) fn widest(cache: &Cache) -> super::Limits {
        self::shard::open();
        super::inner::deep(cache)
    }
}

use std::{
    collections::{BTreeMap, HashMap},
    io::{self, Read as _},
    sync::{Arc, Mutex, RwLock},
};

pub type Result<T> = std::result::Result<T, Error>;

pub const LIMIT: Limits = Limits { hard: 10, soft: 5 };
static mut COUNTER: usize = 0;
static SHARED: RwLock<Option<Cache>> = RwLock::new(None);

#[derive(Clone, Debug)]
pub struct Limits {
    pub hard: usize,
    soft: usize,
}

pub union Bits {
    whole: u64,
    halves: [u32; 2],
}

pub enum Event<'a> {
    Hit { key: &'a str, shard: Shard },
    Miss(Limits, usize),
    Done,
}

/// A cache.
pub struct Cache<K = String, V: Value = Vec<u8>> {
    shards: Vec<Arc<Mutex<Shard>>>,
    by_name: HashMap<String, Box<dyn Policy + Send>>,
    limits: Limits,
    default: Option<&'static Shard>,
    hook: fn(&Shard) -> bool,
    marker: std::marker::PhantomData<(K, V)>,
}

pub struct Shard(usize, pub Limits);

pub trait Value: Sized {
    const SIZE: usize = 1;
    type Owned: Clone;
    fn load(from: &Shard) -> io::Result<Self>;
    fn key(&self) -> &str {
        "none"
    }
}

pub trait Policy: Value + Send {
    fn pick(&mut self, shard: &Shard) -> Option<Event<'_>>;
}

impl Value for Shard {
    const SIZE: usize = 2;
    type Owned = Shard;
    fn load(from: &Shard) -> io::Result<Self> {
        Ok(Self(from.0, from.1.clone()))
    }
}

impl<V: Value> Cache<String, V> {
    pub fn new(limits: Limits) -> Self {
        let first = Arc::new(Mutex::new(Shard(1, limits.clone())));
        first.lock().unwrap().key();
        Self {
            shards: vec![first],
            by_name: HashMap::new(),
            limits,
            ..Default::default()
        }
    }

    pub async fn get<Q>(self: Arc<Self>, key: &Q, mut retries: usize) -> Result<V>
    where
        Q: AsRef<str> + ?Sized,
        V: Clone,
    {
        let shard = self.pick(key.as_ref()).await?;
        let Some(found) = shard.load().ok() else {
            retries += 1;
            return Err(Error::Missing);
        };
        let (mut left, right): (Shard, Limits) = found.split();
        left.key();
        right.clone().soft;
        if let Some(part) = self.default && let Ok(text) = part.read() {
            text.trim();
            part.key();
        } else if let Some(Event::Miss(limits, ..)) = self.last() {
            limits.check();
        }
        while let Some(ref next) = self.queue.pop() {
            next.key();
        }
        let limits = Limits { hard: retries, ..self.limits };
        for (i, shard) in self.shards.iter().enumerate() {
            shard.lock().unwrap().key();
            let shard = &self.shards[i];
            shard.key();
        }
        for shard in open_all(i)? {
            shard.key();
        }
        let mut pick = |shard: &Shard, n, &(a, b)| shard.key().len() + n + a + b;
        pick(&found, 1, &(1, 2));
        self.shards.iter().map(|s| s.key()).collect::<Vec<_>>();
        Shard::load(&left)?.key();
        <Shard as Value>::load(&left)?.key();
        let boxed: Box<dyn Policy> = make();
        (boxed as Box<dyn Value>).key();
        unsafe { COUNTER += 1 };
        limits.check()
    }
}

fn describe(event: Event<'_>, Limits { hard, soft: low }: Limits) -> String {
    const MAX: usize = 3;
    match event {
        Event::Hit { key, shard: Shard(_, inner) } if hard > MAX => inner.check(key),
        Event::Miss(ref limits, n @ 1..=9) => limits.check(n),
        Event::Miss(..) | Event::Done => low.to_string(),
        other => other.name(),
    }
}

impl<T> From<Vec<T>> for Cache
where
    T: Into<Shard>,
{
    fn from(items: Vec<T>) -> Self {
        use policy::widest;
        let limits = widest(&items);
        let made = Self::new(limits);
        println!("{} {limits:?} {}", made.limits.soft, self::policy::widest(&made).hard);
        made
    }
}

unsafe extern "C" {
    fn cache_open(path: *const u8) -> *mut Shard;
    static cache_version: u32;
}

macro_rules! count {
    ($($name:ident),* $(,)?) => { [$(stringify!($name)),*].len() };
}

trait Store {
    type Part: Send + Value + Clone;
    type Fault;
}

fn parts<S: Store<Part = Shard, Fault: Clone> + Value>(store: S) -> <S as Store>::Part {
    store.parts().enumerate().for_each(|(_, part)| part.key());
}
