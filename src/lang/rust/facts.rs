//! What sets Rust apart.

use super::item_macros;
use super::resolve;
use crate::lang::language::*;

/// Rust.
pub(crate) static RUST: Language = Language {
    reader: Reader::Tree(TreeReader {
        inner: Some(item_macros::parse),
        shape: Some(&RUST_SHAPE),
        ..TreeReader::new(
            parser!("grammar-rust", tree_sitter_rust::LANGUAGE),
            &super::RUST,
        )
    }),
    version: 10,
    extensions: &["rs"],
    interpreters: &["rust-script"],
    aliases: &["rs"],
    naming: Naming {
        sees_class_body: false,
        modules_are_objects: false,
        loose_names: false,
        passes_imports_on: true,
        specifies_names: true,
        path_roots: &[b"super", b"crate"],
        names_packages: true,
        macro_package: Some("Cargo.toml"),
        traits_extend: true,
        methods_apart: true,
        globals: |name| PRELUDE.contains(&name),
        library_members: |name| LIBRARY_METHODS.binary_search(&name).is_ok(),
        types_are_declared: true,
        collections: COLLECTIONS,
        cases_hold: true,
        unwraps: byte_words!(
            "get_or_init get_or_insert get_or_insert_with into_inner make_mut replace take upgrade"
        ),
        members_are_written: true,
        own_library: byte_words!("std core alloc"),
        heirs_answer: false,
        object_members: |name| OBJECT.contains(&name),
        ..Naming::new()
    },
    liveness: Liveness {
        callers_name: true,
        names_are_fixed: true,
        build_guard: Some(b"#[cfg"),
        // `extern "C" { fn open(); }`.
        called_family: Some(Grammar::C),
        // <https://cxx.rs>, and bridges to Swift that are written like it.
        shown_blocks: &[b"extern \"Rust\""],
        published: Published::Manifest(&[Manifest {
            name: "Cargo.toml",
            is_library: |text, has_file| has(text, "[lib]") || has_file("src/lib.rs"),
        }]),
        own_marks: &["pub("],
        outlet: Outlet::Declared {
            root: b"lib.rs",
            mark: b"pub mod ",
        },
        ..Liveness::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Rust::new(configs))),
    calls: Some(&super::arguments::CALLS),
    versioning: Versioning {
        field: Part::BreakingUnlessHidden,
        variant: Part::Breaking,
        open_mark: Some("non_exhaustive"),
        ..Versioning::new()
    },
    ..Language::new(Grammar::Rust)
};

/// Types and traits that no import names.
const PRELUDE: &[&[u8]] = byte_words!(
    "AsMut AsRef Box Clone Copy Default DoubleEndedIterator Drop Eq ExactSizeIterator Extend Fn FnMut FnOnce From
     FromIterator Into IntoIterator Iterator Option Ord PartialEq PartialOrd Result Send Sized String Sync ToOwned
     ToString TryFrom TryInto Unpin Vec"
);

/// Methods of what the standard library has most of: iterators, slices, strings, options, results, maps, locks,
/// and what is compared, formatted or read. Sorted.
const LIBRARY_METHODS: &[&[u8]] = byte_words!(
    "abs add add_assign advance_by all and and_then any append array_chunks array_windows as_bytes as_deref
     as_deref_mut as_mut as_mut_ptr as_mut_slice as_os_str as_path as_ptr as_ref as_slice as_str back back_mut
     binary_search binary_search_by binary_search_by_key bitand bitor borrow borrow_mut by_ref bytes capacity
     ceil chain char_indices chars checked_add checked_div checked_mul checked_sub chunk_by chunks chunks_exact
     chunks_exact_mut chunks_mut clamp clear clone clone_from cloned cmp cmp_by collect collect_into
     compare_exchange components concat connect contains contains_key copied copy_from_slice count count_ones
     cycle dedup dedup_by dedup_by_key deref deref_mut difference display div div_assign downcast downcast_mut
     downcast_ref drain drop ends_with entry enumerate eq eq_by eq_ignore_ascii_case err exists exit expect
     expect_err extend extend_from_slice extension fetch_add fetch_sub file_name file_stem fill fill_with filter
     filter_map find find_map finish first first_chunk first_mut flat_map flatten floor flush fmt fold for_each
     from front front_mut fuse ge get get_mut get_or_init get_or_insert get_or_insert_with get_unchecked
     get_unchecked_mut gt hash index index_mut insert insert_str inspect intersection intersperse into
     into_boxed_slice into_bytes into_inner into_iter into_keys into_sorted_vec into_string into_values into_vec
     is_alphabetic is_alphanumeric is_ascii is_char_boundary is_digit is_dir is_empty is_err is_err_and is_file
     is_finite is_nan is_negative is_none is_none_or is_numeric is_ok is_ok_and is_partitioned is_positive
     is_some is_some_and is_sorted is_sorted_by is_sorted_by_key is_subset is_superset is_whitespace iter
     iter_mut join keys kind last last_mut le leading_zeros len lines load lock lt map map_err map_or map_or_else
     map_while map_windows match_indices matches max max_by max_by_key metadata min min_by min_by_key mul
     mul_assign ne neg next next_back next_chunk not nth nth_back ok ok_or ok_or_else open or or_default or_else
     or_insert or_insert_with parent parse partial_cmp partial_cmp_by partition partition_in_place
     partition_point path peek peek_mut peekable poll pop pop_back pop_front position pow powf powi product
     ptr_eq push push_back push_front push_str range raw_os_error rchunks rchunks_exact rchunks_mut read
     read_exact read_line read_to_end read_to_string recv reduce rem remove remove_entry repeat replace
     replace_with replacen reserve resize resize_with retain retain_mut rev reverse rfind rfold rotate_left
     rotate_right round rposition rsplit rsplit_once rsplitn saturating_add saturating_sub scan seek
     select_nth_unstable send set set_len shrink_to_fit size_hint skip skip_while sort sort_by sort_by_cached_key
     sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key source spawn splice split
     split_ascii_whitespace split_at split_at_checked split_at_mut split_first split_first_mut split_inclusive
     split_last split_last_mut split_off split_once split_terminator split_whitespace splitn sqrt starts_with
     step_by store strip_prefix strip_suffix sub sub_assign sum swap swap_remove swap_with_slice
     symmetric_difference take take_while then then_some to_ascii_lowercase to_ascii_uppercase to_be_bytes
     to_bits to_bytes to_le_bytes to_lowercase to_owned to_path_buf to_str to_string to_string_lossy to_uppercase
     to_vec trailing_zeros transpose trim trim_end trim_end_matches trim_matches trim_start trim_start_matches
     truncate try_borrow try_borrow_mut try_collect try_find try_fold try_for_each try_from try_into try_lock
     try_reduce type_id union unwrap unwrap_err unwrap_or unwrap_or_default unwrap_or_else unzip update values
     values_mut wait wake windows with with_capacity with_context wrapping_add wrapping_mul wrapping_sub write
     write_all write_char write_fmt write_str zip"
);

/// What members of the standard library's collections and iterators give.
const COLLECTIONS: CollectionMembers = CollectionMembers {
    element: byte_words!(
        "back back_mut find first first_mut front front_mut get get_mut last last_mut max_by max_by_key min_by min_by_key next
         next_back nth or_default or_insert or_insert_with peek pop pop_back pop_first pop_front pop_last remove swap_remove"
    ),
    same: byte_words!(
        "by_ref chain cloned collect copied cycle drain entry filter fuse inspect into_iter into_values iter iter_mut peekable
         rev skip skip_while step_by take take_while to_vec values values_mut"
    ),
    other: &[],
    are_read: false,
    outside_stays: false,
    ..CollectionMembers::NONE
};

/// Methods that are there for all types, or that may be derived, besides those of the library.
const OBJECT: &[&[u8]] = byte_words!(
    "as_any borrow borrow_mut clone clone_from clone_into clone_to_uninit cmp default drop eq fmt from hash into
     into_any max min ne provide then to_owned to_string try_from try_into type_id"
);

/// How declarations are told apart.
const RUST_SHAPE: Shape = Shape {
    nested: true,
    ..Shape::BRACES
};
