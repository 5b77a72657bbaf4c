# Definitions of a Ruby repository by Ruby's own parser, and what its calls mean by running its tests.
#
#     node ruby.mjs ruby.rb FOLDER REPO=name COMMIT=sha LOAD=lib:test RUN=test/test_a.rb BY=minitest SEEN=/tmp/seen
#
# REPO is a checkout in FOLDER, BY is minitest, test-unit (under minitest) or rspec. What is seen is added to SEEN, so that
# each file of tests can have a process of its own; the last one writes what all have seen. While the tests run each call is
# noted with the line that it was made from. A name on a line that called something means that; a name that is no call
# means nothing that is asked about; a call that was never seen is not known. Where one place called a method and another
# that takes its place in a class below, only the first is meant, as compilers say it too; the other counts for nobody there.
# Neither does what `alias` names. Methods alone are drawn. The shapes of the lines are described in ../README.md.

require "json"
require "prism"
require "set"

ROOT = "/w/#{ENV.fetch("REPO")}"
FILES = Dir.glob("**/*.rb", base: ROOT).sort.reject { |path| path.start_with?("vendor/") }

# What one file defines and which names it writes.
class Reader < Prism::Visitor
  attr_reader :definitions, :calls, :aliased

  def initialize(path)
    @path, @around = path, []
    @definitions, @calls, @aliased = [], [], []
  end

  def note(location, name, kind, node)
    @definitions << { t: "def", path: @path, line: location.start_line, col: location.start_column, name: name.to_s,
                      kind: kind, container: @around.join("."), end: node.location.end_line }
  end

  def within(name)
    @around.push(name)
    yield
    @around.pop
  end

  def visit_def_node(node)
    note(node.name_loc, node.name, "method", node)
    super
  end

  { visit_class_node: "class", visit_module_node: "module" }.each do |visit, kind|
    define_method(visit) do |node|
      path = node.constant_path
      note(last_of(path), path.full_name.split("::").last, kind, node)
      within(path.full_name.gsub("::", ".")) { super(node) }
    end
  end

  def visit_constant_write_node(node)
    note(node.name_loc, node.name, "constant", node)
    super
  end

  def visit_call_node(node)
    at = node.message_loc
    plain = at && node.name.to_s.match?(/\A[A-Za-z_]\w*[?!]?\z/) && at.slice == node.name.to_s
    @calls << [at.start_line, at.start_column, node.name.to_s] if plain
    written(node) if node.attribute_write?
    attributes(node) if node.receiver.nil? && node.name.match?(/\Ac?attr(_reader|_writer|_accessor)?\z/)
    super
  end

  def visit_alias_method_node(node)
    at = node.old_name.location
    @aliased << [at.start_line, at.start_column + (at.slice.start_with?(":") ? 1 : 0), at.slice.delete_prefix(":").delete_suffix("=")]
    super
  end

  # `a.b += 1` reads and writes.
  %i[visit_call_operator_write_node visit_call_or_write_node visit_call_and_write_node].each do |visit|
    define_method(visit) do |node|
      written(node)
      super(node)
    end
  end

  def written(node)
    at = node.message_loc
    @calls << [at.start_line, at.start_column, at.slice] if at && at.slice.match?(/\A[A-Za-z_]\w*\z/)
  end

  def attributes(node)
    named = node.arguments&.arguments.to_a.grep(Prism::SymbolNode)
    named.each { |name| note(name.value_loc, name.unescaped, "field", name) }
  end

  def last_of(path) = path.respond_to?(:name_loc) ? path.name_loc : path.location
end

readers = FILES.to_h do |path|
  reader = Reader.new(path)
  Prism.parse(File.binread("#{ROOT}/#{path}")).value.accept(reader)
  [path, reader]
end

# [path, line, name] => where what it called stands, `nil` for outside.
SEEN = Hash.new { |all, at| all[at] = Set.new }
# Where a method stands => where those stand that it takes the place of.
ABOVE = Hash.new { |all, at| all[at] = Set.new }
KNOWN = Set.new
PATHS = Hash.new { |all, path| all[path] = path&.start_with?("#{ROOT}/") ? path.delete_prefix("#{ROOT}/") : nil }
def note_above(point, to)
  return unless KNOWN.add?([point.defined_class, point.method_id])
  point.defined_class.ancestors.drop(1).each do |above|
    found = above.instance_method(point.method_id) rescue break
    path, line = found.owner == above ? found.source_location : nil
    ABOVE[to] << [PATHS[path], line] if path && PATHS[path]
  end
end

trace = TracePoint.new(:call, :c_call) do |point|
  if point.event == :call
    from = caller_locations(2, 1)&.first
    path = from && PATHS[from.path] or next
    to = [PATHS[point.path], point.lineno]
    SEEN[[path, from.lineno, point.callee_id.to_s]] << (to[0] && to)
    note_above(point, to) if to[0]
  elsif (path = PATHS[point.path])
    # What `attr_reader` wrote stands where that does.
    wrote = point.defined_class.instance_method(point.method_id).source_location rescue nil
    SEEN[[path, point.lineno, point.callee_id.to_s]] << (wrote && PATHS[wrote[0]] && [PATHS[wrote[0]], wrote[1]])
  end
end

# Tests of test-unit under minitest: its own runner wants processes and sockets, which are not here.
def as_test_unit
  require "minitest"
  $LOADED_FEATURES << "test/unit.rb"
  Object.const_set(:Test, Module.new).const_set(:Unit, unit = Module.new)
  unit.const_set(:TestCase, Minitest::Test)
  Minitest::Test.class_eval do
    public_instance_methods.grep(/\Arefute/).each { |name| alias_method(name.to_s.sub("refute", "assert_not"), name) }
    alias_method(:assert_raise, :assert_raises)
    alias_method(:assert_no_match, :refute_match)
    define_method(:assert_nothing_raised) { |*, &block| block.call }
    define_method(:omit) { |*reason| skip(*reason) }
  end
end

ENV.fetch("LOAD").split(":").reverse_each { |folder| $LOAD_PATH.unshift(folder.start_with?("/") ? folder : "#{ROOT}/#{folder}") }
Dir.chdir(ROOT)
run = Dir.glob(ENV.fetch("RUN"), base: ROOT).sort
failed = 0
case ENV.fetch("BY")
when "minitest", "test-unit"
  as_test_unit if ENV["BY"] == "test-unit"
  trace.enable do
    run.each { |path| load "#{ROOT}/#{path}" rescue (warn "#{path}: #{$!.message[0, 200]}"; failed += 1) }
    Minitest.seed = 1
    Minitest::Runnable.runnables.to_a.each do |tests|
      tests.runnable_methods.each { |name| tests.new(name).run } rescue failed += 1
    end
  end
when "rspec"
  require "rspec/core"
  trace.enable { RSpec::Core::Runner.run(run.map { |path| "#{ROOT}/#{path}" } + %w[--order defined], $stderr, $stderr) }
end

File.open(ENV.fetch("SEEN"), "a") do |kept|
  [SEEN, ABOVE].each { |all| all.each { |at, to| kept.puts(JSON.generate([at, to.to_a])) } }
end
File.foreach(ENV.fetch("SEEN")) do |line|
  at, to = JSON.parse(line)
  (at.size == 2 ? ABOVE : SEEN)[at].merge(to)
end

out = ->(line) { puts JSON.generate(line) }
out.({ t: "head", language: "ruby", repo: ENV.fetch("REPO"), commit: ENV.fetch("COMMIT"), oracle: "Ruby #{RUBY_VERSION}" })
FILES.each { |path| out.({ t: "file", path: path }) }
named, places = Set.new, {}
readers.each_value do |reader|
  reader.definitions.each do |found|
    out.(found)
    next unless %w[method field].include?(found[:kind])
    named << found[:name]
    places[[found[:path], found[:line], found[:name]]] = found[:col]
  end
end
decided = total = 0
readers.each do |path, reader|
  reader.calls.each do |line, col, name|
    next unless named.include?(name)
    total += 1
    # Another line of the same statement may be what Ruby says.
    seen = [name, "#{name}="].filter_map { |id| SEEN.fetch([path, line, id], nil) }.reduce(:|)
    to = seen&.filter_map { |at| at && (own = places[[*at, name]]) && [*at, own] }
    decided += 1 if seen
    below, to = to.partition { |at| to.any? { |other| other != at && ABOVE.fetch(at.first(2), []).include?(other.first(2)) } } if to
    use = { t: "use", path: path, line: line, col: col, name: name, to: to }
    use[:below] = below if below&.any?
    out.(use)
  end
  reader.aliased.each do |line, col, name|
    out.({ t: "use", path: path, line: line, col: col, name: name, to: nil, aside: true }) if named.include?(name)
  end
end
$stdout.flush
warn "#{run.size} files of tests, #{failed} failed; #{decided} of #{total} calls seen"
