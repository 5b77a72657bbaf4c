//! The symbol graph of a view: what imports lead to, what names mean, who uses what.
//!
//! A document says what stands in its bytes; which definition a name means depends on the other
//! files of the tree, so it is found here, for one view, and never stored with the documents. In
//! five steps:
//!
//! 1. [`documents`] decodes the view's documents and numbers their [`names`] across segments;
//!    [`table`] numbers their definitions.
//! 2. [`modules`] resolves imports: which files a specifier stands for.
//! 3. [`resolve`] finds for every occurrence the definitions it means, as the language would: local
//!    names, enclosing scopes, imports (followed through re-exports), the package, members of the
//!    object whose type is known ([`values`]); where nothing connects them, the only definition of
//!    the name, or all of them. [`rule`] says which of these it was, and how sure that makes us.
//!    What was followed once (`memo`) is not followed again, within a fixed number of steps (`hops`).
//! 4. `compiled` puts what compilers said in place of what was found, where somebody asked one.
//! 5. [`edges`] keeps the result in columns, both directions from one list, so that what X uses and
//!    who uses Y cannot disagree, with the calls of members that their objects do not have ([`lacking`]); [`saved`] keeps
//!    it on disk.
//!
//! After an edit the third step is done for a few files only: [`digests`] says what changed as seen from
//! other files, `changed` who names it, and [`reuse`] whose edges still hold. Documents that stayed are not decoded
//! again. What files say of types and values is saved with the graph, so that this holds for the first edit of a process, too.
//! Where files define what they did (an edit of a body), all that follows from definitions alone is shared with the tree before,
//! `rounds` shares values, and `splice` puts the edges of these files in place of those that they had.
//!
//! [`csr`], [`rank`], [`cycles`] and [`feedback`] are algorithms over plain numbers: linear
//! or nearly so, and without recursion, since a chain of imports may be as long as there are files.
//!
//! Guarantees: the graph is a pure function of the view's paths and contents, whatever segments the
//! documents lie in and however many threads are used. An edge is never invented (what is external,
//! local or literal gives none) and never dropped (what is ambiguous keeps all its candidates).
//! Deliberately absent: control flow beyond checks of local names (`narrowing`), and types beyond what a receiver needs.

pub mod accessors;
mod arguments;
mod assemble;
mod beside;
mod bindings;
pub mod build;
mod callbacks;
mod changed;
mod collections;
mod compiled;
pub mod csr;
pub mod cycles;
mod decorated;
mod defined;
mod depends;
pub mod digests;
mod discriminants;
pub mod documents;
pub mod edges;
mod exports;
pub mod extensions;
mod families;
pub mod feedback;
mod full_names;
mod generics;
mod globals;
mod groups;
mod guess;
mod heirs;
mod hops;
mod imports;
mod includes;
mod itself;
pub mod lacking;
mod lambdas;
mod listing;
mod locals;
mod macros;
mod members;
mod memo;
pub mod modules;
mod moves;
pub mod names;
mod namesakes;
mod narrowing;
mod numbers;
mod objects;
mod overloads;
mod owners;
mod parallel;
pub mod rank;
pub mod resolve;
mod results;
pub mod reuse;
mod rounds;
pub mod rule;
pub mod saved;
pub mod semantics;
mod shapes;
mod splice;
pub mod table;
mod trail;
mod traits;
mod type_arguments;
mod value;
mod values;
mod within;
mod yields;
