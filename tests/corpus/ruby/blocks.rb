# What variables, blocks and methods say of values.
class Server
  attr_reader :log, :queue

  def initialize(port)
    @log = nil
    @log = Log.new(port)
    yield self
  end

  def self.build(port)
    new(port)
  end

  def again
    self.class.new(1)
  end

  def handle(request)
    response = Response.new(request)
    return response
  rescue IOError
    nil
  ensure
    # Nothing gives back what stands here.
    @log.close
  end

  def drain
    @queue ||= Queue.new
    first, last = Job.new, Other.new
    [1].each { |n| job = n }
    job = Job.new
    [1].each { job = Other.new }
    yield job, last
  end
end

describe Server do
  before { @server = Server.new(1) }

  it "handles" do
    server = Server.build(2)
    @server = Other.new
    server.drain { |job, other| job.run(other) }
  end

  it "is another" do
    server = Other.new
    @server.handle(server)
  end

  describe "a child" do
    before { @server = Other.new }
  end
end

Made = Class.new(Server) do
  def initialize
    @made = Log.new
  end
end
