//! What sets Ruby apart.

use super::library::METHODS;
use super::resolve;
use crate::lang::language::*;

/// Ruby.
pub(crate) static RUBY: Language = Language {
    reader: Reader::shaped(
        parser!("grammar-ruby", tree_sitter_ruby::LANGUAGE),
        &super::RUBY,
        &RUBY_SHAPE,
    ),
    version: 7,
    types_are_hints: true,
    extensions: &[
        "rb", "rake", "gemspec", "ru", "rbw", "jbuilder", "podspec", "thor",
    ],
    file_names: words!(
        "Rakefile Gemfile Vagrantfile Guardfile Capfile Brewfile Podfile Fastfile Dangerfile
         Appraisals Thorfile Berksfile .irbrc .pryrc"
    ),
    interpreters: &["ruby", "jruby", "rake", "macruby"],
    naming: Naming {
        types_need_paths: true,
        setter_ending: b"=",
        implicit_members: true,
        names_are_calls: true,
        lists_are_guesses: true,
        unwraps: &[b"freeze", b"dup", b"clone", b"tap", b"itself"],
        common_bases: &[b"Kernel", b"Object", b"BasicObject"],
        globals: |name| KERNEL.contains(&name),
        bases_of_tests: &[["Minitest", "Spec"], ["ActiveSupport", "TestCase"]],
        type_parts: TypeParts::Anywhere,
        extensions: Extensions::Opened,
        opened_types: is_of_library,
        library_members: |name| METHODS.binary_search(&name).is_ok(),
        members_are_written: true,
        paths_are_written: true,
        object_members: is_of_objects,
        ..Naming::new()
    },
    liveness: Liveness {
        base_call: Some(b"super"),
        types_are_values: true,
        // Hooks, conversions, and what `Marshal`, `YAML` and `JSON` ask a value for.
        called_methods: words!(
            "_dump _load coerce const_missing each encode_with extended hash included inherited init_with initialize
             initialize_clone initialize_copy initialize_dup inspect marshal_dump marshal_load method_added
             method_missing method_removed prepended respond_to_missing? singleton_method_added to_a to_ary to_h
             to_hash to_int to_json to_path to_proc to_s to_str"
        ),
        subclass_hooks: words!("inherited descendants subclasses"),
        ..Liveness::new()
    },
    roles: Roles {
        settings: &["brewfile", "gemfile", "podfile", "rakefile"],
        ..Roles::new()
    },
    resolver: Some(|configs| Box::new(resolve::Ruby::new(configs))),
    calls: Some(&super::arguments::CALLS),
    ..Language::new(Grammar::Ruby)
};

/// Methods that every object has, and those that every class has, which stand in the bodies of classes.
const KERNEL: &[&[u8]] = byte_words!(
    "abort alias_method at_exit attr attr_accessor attr_reader attr_writer autoload binding block_given? caller
     caller_locations catch class_eval class_exec class_variable_get class_variable_set clone const_get const_set
     define_method define_singleton_method deprecate_constant dup enum_for eval exec exit exit! extend fail fork
     format freeze frozen? gets include instance_eval instance_exec instance_of? instance_variable_defined?
     instance_variable_get instance_variable_set instance_variables is_a? itself kind_of? lambda load loop method
     method_defined? module_eval module_exec module_function nil? object_id open p pp prepend print printf private
     private_class_method private_constant proc protected public public_class_method public_constant public_method
     public_send putc puts raise rand readline readlines refine remove_const remove_method require require_relative
     respond_to? ruby2_keywords select send set_trace_func singleton_class sleep spawn sprintf srand syscall system
     tap test then throw to_enum trap undef_method using warn Array Complex Float Hash Integer Rational String
     __dir__ __method__"
);

/// Classes and modules of the language that programs add methods to.
const CORE: &[&[u8]] = byte_words!(
    "Array BasicObject Class Comparable Complex Date DateTime Dir Encoding Enumerable Enumerator Exception FalseClass Fiber
     File FileUtils Float Forwardable GC Hash IO Integer Kernel Logger Marshal MatchData Math Method Module Mutex NilClass Numeric
     Object ObjectSpace OpenStruct Pathname Proc Process Queue Random Range Rational Regexp SecureRandom Set Shellwords Signal
     StandardError String StringIO Struct Symbol Tempfile Thread Time Timeout TrueClass"
);

/// Modules of the standard library and of usual frameworks whose classes programs add methods to.
const LIBRARIES: &[&[u8]] = byte_words!(
    "ActionCable ActionController ActionDispatch ActionMailer ActionText ActionView ActiveJob ActiveModel
     ActiveRecord ActiveStorage ActiveSupport CGI ERB Faraday JSON Mail Net Nokogiri OpenSSL Psych Rack Rails
     Sidekiq URI YAML"
);

/// Whether a class of this name, with those of the modules that it lies in, is one of the language or of a usual library.
fn is_of_library(name: &[u8]) -> bool {
    let root = name.iter().position(|b| *b == b':').map(|end| &name[..end]);
    match root {
        None => CORE.contains(&name),
        Some(root) => LIBRARIES.contains(&root),
    }
}

/// Methods that usual libraries give to all objects, or to doubles of all classes in tests.
const OBJECT: &[&[u8]] = byte_words!(
    "acts_like? any_instance as_json blank? byebug class_attribute debugger deep_dup delegate duplicable? expects html_safe?
     in? instance_values mattr_accessor must_be_nil new presence presence_in present? pretty_inspect pretty_print
     should should_not should_receive stub stubs superclass_delegating_accessor suppress to_json to_param to_query
     to_yaml try try! unstub with_options"
);

/// Whether every object may have a method of this name: also those of the expectations of minitest.
fn is_of_objects(name: &[u8]) -> bool {
    KERNEL.contains(&name)
        || OBJECT.contains(&name)
        || name.starts_with(b"must_")
        || name.starts_with(b"wont_")
}

/// How declarations are told apart.
const RUBY_SHAPE: Shape = Shape {
    comment: b"#",
    blocks: false,
    chars: false,
    terminated: false,
    opens: b"",
    ..Shape::BRACES
};
