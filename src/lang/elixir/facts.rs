//! What sets Elixir apart.

use super::resolve;
use crate::lang::language::*;
use crate::lang::liveness::Contract;

/// Elixir.
pub(crate) static ELIXIR: Language = Language {
    reader: Reader::tree(
        parser!("grammar-elixir", tree_sitter_elixir::LANGUAGE),
        &super::ELIXIR,
    ),
    version: 2,
    types_are_hints: true,
    extensions: &["ex", "exs"],
    interpreters: &["elixir"],
    naming: Naming {
        overloads: true,
        imports_types: true,
        in_full: InFull::Modules,
        ..Naming::new()
    },
    liveness: Liveness {
        example_prompts: &[b"iex", b"...>"],
        constants_are_read: true,
        behaviours: BEHAVIOURS,
        ..Liveness::new()
    },
    roles: Roles {
        settings: &["mix.exs"],
        ..Roles::new()
    },
    declares_modules: true,
    resolver: Some(|configs| Box::new(resolve::Beam::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Elixir)
};

/// What the language, OTP and usual libraries call: <https://hexdocs.pm>.
const BEHAVIOURS: &[Contract] = &[
    Contract::of("Oban.Worker", words!("perform backoff new timeout")),
    Contract::of(
        "GenServer",
        words!(
            "init handle_call handle_cast handle_info handle_continue terminate code_change format_status"
        ),
    ),
    Contract::of("Supervisor", &["init"]),
    Contract::of("DynamicSupervisor", &["init"]),
    Contract::of(
        "Application",
        words!("start stop prep_stop start_phase config_change"),
    ),
    Contract::of(
        "GenStage",
        words!("init handle_demand handle_events handle_subscribe handle_cancel"),
    ),
    Contract::of(
        "Broadway",
        words!("handle_message handle_batch handle_failed prepare_messages"),
    ),
    Contract::of("Plug", &["init", "call"]),
    Contract::of("Plug.Builder", &["init", "call"]),
    Contract::of("Plug.Router", &["init", "call"]),
    Contract::of("Plug.ErrorHandler", &["handle_errors"]),
    Contract::of(
        "Phoenix.LiveView",
        words!(
            "mount render handle_event handle_params handle_info handle_call handle_cast handle_async terminate"
        ),
    ),
    Contract::of(
        "Phoenix.LiveComponent",
        words!("mount update update_many render handle_event handle_async"),
    ),
    Contract::of(
        "Phoenix.Channel",
        words!("join handle_in handle_out handle_info terminate"),
    ),
    Contract::of("Phoenix.Socket", &["connect", "id"]),
    Contract::of("Mix.Task", &["run"]),
    Contract::of(
        "Ecto.Type",
        words!("type cast load dump equal? embed_as autogenerate"),
    ),
    Contract::of(
        "Ecto.ParameterizedType",
        words!("init type cast load dump equal? embed_as autogenerate"),
    ),
    Contract::of("Ecto.Repo", words!("init default_options prepare_query")),
    Contract::of(
        "Ecto.Migration",
        words!("change up down after_begin before_commit"),
    ),
    Contract::of("Absinthe.Schema", words!("context plugins middleware")),
];
