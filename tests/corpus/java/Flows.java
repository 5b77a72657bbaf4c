package com.example.jobs;

import static com.example.util.Checks.notNull;

import com.example.store.Store;
import java.io.*;
import java.util.*;
import java.util.function.Function;

/** Runs jobs. */
@Service(name = "jobs", scope = Scope.GLOBAL)
public class Flows<T extends Job & Runnable> extends Base<T> implements Runner, Outer.Listener {
  public static final int LIMIT = 3, MOST = 4;
  private final List<Job> queue = new ArrayList<>(), spare[];
  private Map<String, Job> byName = new HashMap<>();
  protected volatile Store.Handle handle;
  Optional<Job> last;
  Job[] ring;

  static {
    Job first = new Job("first");
    first.run();
  }

  public Flows(Store store, Job... jobs) {
    super(store);
    this.handle = store.open();
    for (int i = 0; i < jobs.length; i++) {
      jobs[i].run();
    }
    for (var job : jobs) {
      job.run();
    }
  }

  @Override
  public <R> List<R> all(Function<Job, R> make, final Map<String, ? extends Job> extra)
      throws IOException {
    try (Reader in = new StringReader("x"); var out = handle.write()) {
      in.read();
      out.flush();
    } catch (UncheckedIOException | RuntimeException e) {
      e.printStackTrace();
    } catch (IllegalStateException state) {
      state.fillInStackTrace();
    }
    var next = this.queue.get(0);
    var first = last.orElseThrow();
    Job second = first, third[] = ring;
    ring[0].owner.handle.close();
    Object any = extra.values();
    if (!(any instanceof Job job)) {
      return null;
    }
    job.run();
    if (any instanceof Pair(Job left, var right) && left.ready()) {
      right.run();
    }
    String text = switch (any) {
      case Job j when j.ready() -> j.toString();
      case Pair<?, ?> p -> p.left().name;
      default -> LIMIT + "";
    };
    queue.forEach(one -> one.run());
    queue.sort((a, b) -> a.rank - b.rank);
    queue.stream().map(Job::owner).map(this::wrap).map(Job::new).toList();
    Runnable task = new Runnable() {
      private int runs;

      @Override
      public void run() {
        runs++;
        Flows.this.queue.clear();
      }
    };
    ((Job) any).run();
    new Job("x").owner().handle.close();
    "a,b".split(",");
    outer().new Inner().poke();
    return super.all(make, extra);
  }

  private Flows<T> wrap(Job job) {
    synchronized (this) {
      byName.get("x").run();
    }
    return this;
  }

  static class Job implements Runnable {
    String name;
    Flows<?> owner;
    int rank;

    Job(String name) {
      this.name = notNull(name);
    }

    boolean ready() {
      return true;
    }

    public Flows<?> owner() {
      return owner;
    }

    @Deprecated
    public void run() {}
  }

  class Inner {
    void poke() {}
  }

  record Pair<A, B>(Job left, List<B> right) {
    Pair {
      left.run();
    }

    static Pair<Job, Job> of() {
      return new Pair<Job, Job>(null, null);
    }
  }

  enum Level {
    LOW(1) {
      @Override
      Level next() {
        return HIGH;
      }
    },
    HIGH(2);

    private final int weight;

    Level(int weight) {
      this.weight = weight;
    }

    abstract Level next();
  }

  sealed interface Shape permits Circle {
    double PI = 3.14;

    default Shape self() {
      return this;
    }

    double area();
  }

  @interface Service {
    String name() default "";

    Level[] levels();
  }
}
