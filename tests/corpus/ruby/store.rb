# frozen_string_literal: true

require 'set'
require "net/http"
require_relative '../lib/base'
load "tasks/#{name}.rb"
autoload :Lazy, 'shop/lazy'

# Sells things.
module Shop
  VERSION = '1.2'
  LEVELS = %i[low high].freeze
  Point = Struct.new(:x, :y, keyword_init: true) do
    def length
      Math.sqrt(x * x + y * y)
    end
  end
  Error = Class.new(StandardError)
  Money = Data.define(:amount, :currency)

  class << self
    attr_accessor :config

    def configure
      yield(self.config ||= Config.new)
    end
  end

  module Countable
    def self.included(base)
      base.extend(ClassMethods)
    end

    module ClassMethods
      def counters; @counters ||= []; end
    end
  end

  # Keeps things.
  # In order.
  class Store < Base::Repository
    include Enumerable
    include Countable, Comparable
    extend Forwardable
    prepend Logging

    attr_reader :items, :owner
    attr_writer "label"
    attr_accessor :level
    def_delegators :@items, :size, :empty?
    delegate :name, to: :owner
    alias_method :count_all, :count
    alias length size
    scope :recent, -> { order(:created_at) }
    has_many :orders, class_name: "Order"

    MAX = 10
    @@total = 0
    @registry = {}

    def initialize(items = [], owner:, level: :low, **options, &block)
      super(items)
      @items = items
      @owner = owner || Owner.new(options)
      self.level = level
    end

    def each(&block)
      return to_enum(:each) unless block_given?

      @items.each { |item, (left, right)| block.call(item, left: left) }
      self
    end

    def <=>(other) = level <=> other.level

    def [](key)
      @items.fetch(key) { |missing| raise KeyError, "no #{missing} in #{owner.name}" }
    end

    def level=(value)
      @level = Levels::MAP[value]
    end

    def empty?
      items.empty? && !@owner&.active?
    end

    def self.build(*args, **opts)
      new(*args, **opts).tap(&:save!)
    end

    def Store.legacy; end

    %w[open close].each do |verb|
      define_method("#{verb}_all") { |*names| names.each { |name| send(verb, name) } }
    end

    define_method(:reset) do |hard = false|
      @items.clear if hard
    end

    # @deprecated Use {#each}.
    def walk; each; end

    def parse(input)
      first, *rest = input.split(',')
      case input
      in { name: String => name, age: Integer } then name
      in [x, *] if x > 1 then x
      end
      case input
      when Regexp, Shop::Pattern then rest
      end
      result = begin
        JSON.parse(first, symbolize_names: true)
      rescue JSON::ParserError, TypeError => e
        warn e.message
      ensure
        @@total += 1
      end
      ->(a, b = 2) { a + b }.call(1)
      <<~SQL.strip
        select #{result.map(&:id).join(', ')} from t
      SQL
    end

    private

    def helper(n)
      n.zero? ? 1 : helper(n - 1)
    end

    def visible; end
    public :visible

    protected def guarded; end

    private_class_method :build
    private_constant :MAX
  end

  class Base::Nested < Store; end

  class Keep < Base::Migration[8.0]; end

  module Refined
    refine String do
      def shout = upcase + '!'
    end
  end
end

using Shop::Refined

def main(argv = ARGV)
  store = Shop::Store.build(argv.first, owner: nil)
  store.each do |item|
    puts item
  end
  $stdout.puts store[0].to_s
  undef_method :x
end

main if __FILE__ == $PROGRAM_NAME
