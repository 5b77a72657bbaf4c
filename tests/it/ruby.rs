//! What variables, blocks and results of Ruby say of the objects that members are called on.

use crate::harness::TestRepo;
use crate::typed::uses_in;

const SERVER: &str = "\
class Server
  attr_reader :log
  def initialize
    @log = nil
    @log = Log.new
    yield self
  end
  def self.build
    new
  end
  def stop; end
  def drain
    yield Job.new, 1
  end
  def jobs
    made = Job.new
    return made
  rescue IOError
    nil
  end
end
class Client < Server
  def stop; end
end
class Log
  attr_reader :state
  def stop; end
end
class Job
  def stop; end
  def state; end
end
";

fn program(code: &str) -> TestRepo {
    let repo = TestRepo::init();
    repo.write("server.rb", SERVER).write("use.rb", code);
    repo.commit("server");
    repo
}

#[test]
fn a_variable_of_a_block_is_seen_there_alone() {
    let repo = program(
        "describe Server do\n  it 'a' do\n    it = Server.new\n    it.stop\n  end\n  it 'b' do\n    it = Job.new\n    it.stop\n  end\n\
         \x20 it 'c' do\n    it = nil\n    [1].each { it = Log.new }\n    it.stop\n  end\nend\n",
    );
    assert_eq!(uses_in(&repo, "use.rb", "Server.stop"), ["4 resolved"]);
    assert_eq!(uses_in(&repo, "use.rb", "Job.stop"), ["8 resolved"]);
    assert_eq!(uses_in(&repo, "use.rb", "Log.stop"), ["13 resolved"]);
}

#[test]
fn variables_of_an_object_are_of_a_class_or_a_group_of_tests() {
    let repo = program(
        "describe Server do\n  before { @it = Server.new }\n  it('a') { @it.stop }\n  it 'b' do\n    @it = Job.new\n    @it.stop\n  end\n\
         \x20 it('c') { @it.stop }\n  describe 'd' do\n    before { @it = Log.new }\n    it('e') { @it.stop }\n  end\nend\n",
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Server.stop"),
        ["3 resolved", "8 resolved"]
    );
    assert_eq!(uses_in(&repo, "use.rb", "Job.stop"), ["6 resolved"]);
    assert_eq!(uses_in(&repo, "use.rb", "Log.stop"), ["11 resolved"]);
}

#[test]
fn results_are_followed_through_return_and_new() {
    let repo = program(
        "server = Server.build\nserver.stop\nserver.jobs.stop\nserver.log.stop\nClient.build.stop\na, b = Job.new, Log.new\na.stop\nb.stop\n",
    );
    assert_eq!(uses_in(&repo, "use.rb", "Server.stop"), ["2 resolved"]);
    assert_eq!(uses_in(&repo, "use.rb", "Client.stop"), ["5 resolved"]);
    assert_eq!(
        uses_in(&repo, "use.rb", "Job.stop"),
        ["3 resolved", "7 resolved"]
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Log.stop"),
        ["4 resolved", "8 resolved"]
    );
}

#[test]
fn a_block_is_given_what_the_method_yields() {
    let repo = program(
        "Server.new do |server|\n  server.stop\n  server.drain { |job, other| job.stop; other.stop }\nend\n",
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Server.stop"),
        ["2 resolved", "3 ambiguous"]
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Job.stop"),
        ["3 resolved", "3 ambiguous"]
    );
}

#[test]
fn what_an_accessor_makes_is_a_method_too() {
    let repo = program("def use(it)\n  it.state\nend\n");
    assert_eq!(uses_in(&repo, "use.rb", "Log.state"), ["2 ambiguous"]);
    assert_eq!(uses_in(&repo, "use.rb", "Job.state"), ["2 ambiguous"]);
}

#[test]
fn what_is_guessed_may_be_of_a_class_that_overrides() {
    let repo = program(
        "def use(it)\n  it.itself_or_none.stop\nend\nclass Server\n  def itself_or_none\n    self\n  end\nend\n",
    );
    assert_eq!(uses_in(&repo, "use.rb", "Server.stop"), ["2 ambiguous"]);
    assert_eq!(uses_in(&repo, "use.rb", "Client.stop"), ["2 ambiguous"]);
}

#[test]
fn a_group_of_tests_has_what_is_added_to_its_base() {
    let repo = program(
        "describe Server do\n  def own; end\n  it 'a' do\n    stop\n    own\n    later\n  end\nend\nstop\n",
    );
    repo.write(
        "helper.rb",
        "module Later\n  def later; end\nend\nclass Minitest::Spec\n  include Later\n  def stop; end\nend\n",
    )
    .write("other.rb", "class Other\n  def later; end\n  def own; end\nend\n");
    repo.commit("helper");
    assert_eq!(
        uses_in(&repo, "use.rb", "Minitest::Spec.stop"),
        ["4 resolved", "9 ambiguous"]
    );
    assert_eq!(uses_in(&repo, "use.rb", "Later.later"), ["6 resolved"]);
    assert_eq!(uses_in(&repo, "use.rb", "Other.own"), [""; 0]);
}

#[test]
fn a_parameter_may_be_called_new() {
    let repo = program(
        "class Other\n  def self.a(old, new)\n    it = new\n    it.stop\n  end\n  def self.b\n    it = new\n    it.stop\n  end\n\
         \x20 def self.c(new)\n    new\n  end\n  def stop; end\nend\nOther.c(1).stop\n",
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Other.stop"),
        ["8 resolved", "4 ambiguous", "15 ambiguous"]
    );
}

#[test]
fn places_behind_a_splat_are_not_counted() {
    let repo = program(
        "a, b = *list, Job.new\nb.stop\nc, # first\n  d = Job.new, # second\n  Log.new\nc.stop\nd.stop\n",
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Job.stop"),
        ["6 resolved", "2 ambiguous"]
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Log.stop"),
        ["7 resolved", "2 ambiguous"]
    );
}

#[test]
fn a_block_may_be_given_what_is_not_known() {
    let many = "    yield Job.new\n".repeat(17);
    let repo = program(&format!(
        "class Giver\n  def sum(x)\n    yield Job.new\n    yield x + 1\n  end\n  def part(x)\n    yield Job.new\n    yield(x[0])\n  end\n\
         \x20 def none\n    yield Job.new\n    yield nil\n    yield\n  end\n  def many\n{many}  end\nend\n\
         def use\n  it = Giver.new\n  it.sum {{ |job| job.stop }}\n  it.part {{ |job| job.stop }}\n  it.none {{ |job| job.stop }}\n\
         \x20 it.many {{ |job| job.stop }}\nend\n",
    ));
    assert_eq!(
        uses_in(&repo, "use.rb", "Job.stop"),
        [
            "39 resolved",
            "37 ambiguous",
            "38 ambiguous",
            "40 ambiguous"
        ]
    );
}

#[test]
fn a_method_may_give_back_what_its_rescue_does() {
    let repo = program(
        "class Giver\n  def a\n    Job.new\n  rescue IOError\n    Log.new\n  end\n  def b\n    Job.new\n  rescue IOError\n    raise\n  \
         ensure\n    1\n  end\n  def c\n    Job.new\n  rescue IOError\n    raise 'no'\n  else\n    Log.new\n  end\nend\n\
         it = Giver.new\nit.a.stop\nit.b.stop\nit.c.stop\n",
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Job.stop"),
        ["24 resolved", "23 ambiguous", "25 ambiguous"]
    );
}

/// `class Admin::Tags` is the class of a module, and not the one of that name that lies in none.
#[test]
fn a_class_that_is_written_with_its_module_is_not_its_namesake() {
    let repo = TestRepo::init();
    repo.write(
        "app/admin/tags.rb",
        "class Admin::Tags < Admin::Base\n  def run\n    list\n    both\n  end\n\n  def list; end\nend\n",
    )
    .write(
        "app/tags.rb",
        "class Tags < Base\n  def index\n    list\n    both\n  end\n\n  def list; end\nend\n",
    )
    .write(
        "app/more.rb",
        "module Admin\n  class Tags\n    def more\n      list\n    end\n  end\nend\n",
    );
    repo.commit("tags");
    assert_eq!(
        uses_in(&repo, "app/tags.rb", "app/tags.rb::Tags.list#method"),
        ["3 resolved"]
    );
    let inner = "app/admin/tags.rb::Admin.Tags.list#method";
    assert_eq!(uses_in(&repo, "app/admin/tags.rb", inner), ["3 resolved"]);
    assert_eq!(uses_in(&repo, "app/tags.rb", inner), Vec::<String>::new());
    // Both ways to write it are one class.
    assert_eq!(uses_in(&repo, "app/more.rb", inner), ["4 resolved"]);
}

#[test]
fn a_class_in_brackets_gives_one_of_its_own() {
    let repo = program(
        "class Pair\n  def self.[](a, b)\n    Job.new\n  end\nend\nclass Names < Hash\n  def stop; end\nend\nALL = [Job.new]\n\
         Pair[1, 2].stop\nNames['a' => 1].stop\nALL[0].stop\n",
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Job.stop"),
        ["10 resolved", "12 inferred"]
    );
    assert_eq!(uses_in(&repo, "use.rb", "Names.stop"), ["11 inferred"]);
}

#[test]
fn a_module_calls_what_those_have_that_mix_it_in() {
    let repo = TestRepo::init();
    repo.write(
        "functional.rb",
        "module Functional\n  def runs\n    rakefile\n    self.failure\n    made.stop\n    puts 1\n  end\nend\n",
    )
    .write(
        "base.rb",
        "class Base\n  def rakefile; end\n  def made\n    Job.new\n  end\nend\nclass Job\n  def stop; end\nend\n\
         class Log\n  def stop; end\nend\nclass Other\n  def rakefile; end\n  def failure; end\n  def puts(x); end\nend\n",
    )
    .write(
        "all.rb",
        "class All < Base\n  include Functional\n  attr_accessor :failure\nend\n\
         class Some < All\n  def failure\n    made.stop\n  end\nend\nclass Last < All\n  def made\n    Log.new\n  end\nend\n",
    );
    repo.commit("mixed in");
    let of = |target: &str| uses_in(&repo, "functional.rb", target);
    assert_eq!(of("Base.rakefile"), ["3 inferred"]);
    assert!(of("Other.rakefile").is_empty() && of("Other.failure").is_empty());
    assert_eq!(of("All.failure"), ["4 inferred"]);
    assert_eq!(of("Some.failure"), ["4 inferred"]);
    // Every object has it.
    assert!(of("Other.puts").is_empty());
    // What a type below gives in its place is told, too; where none does, one thing is meant.
    assert_eq!(uses_in(&repo, "all.rb", "Job.stop"), ["7 resolved"]);
}

#[test]
fn a_call_of_the_object_itself_may_be_answered_by_a_class_below() {
    let repo = TestRepo::init();
    repo.write(
        "base.rb",
        "class Base\n  def made\n    Job.new\n  end\n  def run\n    it = made\n    it.stop\n    made.stop\n  end\nend\n\
         class Job\n  def stop; end\nend\nclass Log\n  def stop; end\nend\nclass Far\n  def stop; end\nend\n",
    )
    .write("below.rb", "class Below < Base\n  def made\n    Log.new\n  end\nend\n");
    repo.commit("below");
    for name in ["Job.stop", "Log.stop"] {
        let uses = uses_in(&repo, "base.rb", name);
        assert_eq!(uses, ["7 inferred", "8 inferred"], "{name}");
    }
    assert!(uses_in(&repo, "base.rb", "Far.stop").is_empty());
}

#[test]
fn what_is_made_is_asked_at_once() {
    let repo = program(
        "class Maker\n  def self.job\n    new\n  end\n  def made\n    Job.new\n  end\n  def stop; end\nend\n\
         Job.new.stop\nLog.new.tap { }.stop\nMaker.new.made.stop\nMaker.job.stop\n",
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Job.stop"),
        ["10 resolved", "12 resolved"]
    );
    assert_eq!(uses_in(&repo, "use.rb", "Log.stop"), ["11 resolved"]);
    assert_eq!(uses_in(&repo, "use.rb", "Maker.stop"), ["13 resolved"]);
}

#[test]
fn a_call_with_arguments_is_no_variable_and_a_constant_no_method() {
    let repo = program(
        "module Verbs\n  GET = 'GET'\n  module Asked\n    def GET\n      1\n    end\n    def get?(verb)\n      verb == GET\n    \
         end\n    def read\n      self.GET\n    end\n  end\nend\ndef title(page)\n  page\nend\ndef show(page)\n  \
         title = title(page)\n  title\nend\nclass Text\n  def self.escape(x); end\n  def fail(x); end\nend\n\
         Regexp.escape('a')\nfail 'no'\n",
    );
    let of = |target: &str| uses_in(&repo, "use.rb", target);
    assert_eq!(of("Verbs.Asked.GET"), ["11 resolved"]);
    assert_eq!(of("use.rb:2"), ["8 resolved"]);
    assert_eq!(of("title"), ["19 resolved"]);
    assert!(of("Text.escape").is_empty() && of("Text.fail").is_empty());
}

#[test]
fn a_module_that_many_files_open_is_one() {
    let repo = TestRepo::init();
    for at in 0..20 {
        let path = format!("lib/shop/part_{at}.rb");
        repo.write(
            &path,
            format!("module Shop\n  class Part{at}\n    def run; end\n  end\nend\n"),
        );
    }
    repo.write(
        "lib/other.rb",
        "module Hoe::Shop\nend\nclass Other\n  def run; end\nend\n",
    )
    .write(
        "lib/use.rb",
        "def go\n  Shop::Part7.new.run\n  Shop::Part8.new.run\nend\n",
    );
    repo.commit("parts");
    let of = |target: &str| uses_in(&repo, "lib/use.rb", target);
    assert_eq!(of("Shop.Part7.run"), ["2 resolved"]);
    assert!(of("Other.run").is_empty());
    // Whichever part is asked for, and by its place.
    for part in ["lib/shop/part_0.rb:1", "lib/shop/part_9.rb:1"] {
        assert_eq!(of(part), ["2 resolved", "3 resolved"], "{part}");
    }
    let said = repo.sverklo(&["symbol", "lib/shop/part_9.rb:1"]).stdout;
    assert!(said.contains("2 uses"), "{said}");
}

#[test]
fn what_is_added_to_every_object_is_called_by_its_name() {
    let repo = TestRepo::init();
    repo.write(
        "lib/spec.rb",
        "module Kernel\n  def describe(name, &block); end\nend\nclass Doc\n  def describe(name); end\nend\n",
    )
    .write(
        "lib/use.rb",
        "class Use\n  def run\n    describe('a') { }\n    Doc.new.describe('b')\n  end\nend\n",
    );
    repo.commit("kernel");
    let of = |target: &str| uses_in(&repo, "lib/use.rb", target);
    assert_eq!(of("Kernel.describe"), ["3 resolved"]);
    assert_eq!(of("Doc.describe"), ["4 resolved"]);
}

#[test]
fn a_class_of_the_library_that_is_opened_has_more_than_is_added() {
    let repo = program(
        "module FileUtils\n  def self.shell(x); end\nend\nclass Pen\n  def touch(x); end\nend\n\
         FileUtils.touch('a')\nFileUtils.shell('b')\n",
    );
    assert!(uses_in(&repo, "use.rb", "Pen.touch").is_empty());
    assert_eq!(uses_in(&repo, "use.rb", "FileUtils.shell"), ["8 resolved"]);
}

#[test]
fn a_word_in_the_body_of_a_class_is_a_method_of_classes() {
    let repo = program(
        "class Files\n  def include(name)\n    name\n  end\n  def again\n    include 'a'\n  end\nend\n\
         class Shop\n  include Comparable\n  def all(files)\n    files.include 'b'\n  end\nend\n",
    );
    assert_eq!(
        uses_in(&repo, "use.rb", "Files.include"),
        ["6 resolved", "12 ambiguous"]
    );
}

#[test]
fn a_class_that_a_variable_holds_makes_its_own() {
    let repo = program(
        "made = Class.new(Server)\nother = Class.new(Job) do\n  def stop; end\nend\ndef use\n  kind = Job\n  one = kind.new\n  one.stop\nend\n\
         describe 'a' do\n  it 'b' do\n    one = made.new\n    one.stop\n  end\n  it 'c' do\n    one = other.new\n    one.stop\n  end\nend\n\
         def plain(given)\n  one = given.new\n  one.stop\nend\n",
    );
    let sure = |of: &str| -> Vec<String> {
        let uses = uses_in(&repo, "use.rb", of).into_iter();
        uses.filter(|line| line.ends_with("resolved")).collect()
    };
    assert_eq!(sure("Job.stop"), ["8 resolved"]);
    assert_eq!(sure("Server.stop"), ["13 resolved"]);
    let repo = program(
        "class Shop\n  def initialize(kind: Job); @it = kind.new; end\n  def run; @it.stop; end\nend\n\
         def one(kind = Job)\n  it = kind.new\n  it.stop\nend\ndef two(x)\n  kind = Job\n  kind = Log if x\n  it = kind.new\n  it.stop\nend\n\
         top = Job\ndef three\n  it = top.new\n  it.stop\nend\ndef four\n  made = Class.new(Job, &BODY)\n  it = made.new\n  it.stop\nend\n",
    );
    let sure = uses_in(&repo, "use.rb", "Job.stop").into_iter();
    assert_eq!(sure.filter(|line| line.ends_with("resolved")).count(), 0);
}

#[test]
fn an_accessor_of_a_module_gives_what_the_module_holds() {
    let repo = program(
        "module Top\n  @first = Log.new\n  @job = Job.new\n  class << self\n    attr_reader :first, :job\n  end\nend\n\
         Top.first.stop\nTop.job.dup.stop\n",
    );
    assert_eq!(uses_in(&repo, "use.rb", "Log.stop"), ["8 resolved"]);
    assert_eq!(uses_in(&repo, "use.rb", "Job.stop"), ["9 resolved"]);
    let repo = program(
        "class Shop\n  @log = Log.new\n  attr_accessor :log\n  def initialize(v); @log = v; end\nend\nShop.new(1).log.stop\n\
         class Other\n  def first; @job = Job.new; end\n  class << self\n    attr_reader :job\n  end\nend\nOther.job.stop\n",
    );
    for of in ["Log.stop", "Job.stop"] {
        let sure = uses_in(&repo, "use.rb", of).into_iter();
        assert_eq!(
            sure.filter(|line| line.ends_with("resolved")).count(),
            0,
            "{of}"
        );
    }
}
