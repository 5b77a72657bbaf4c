package com.example.app;

import java.util.List;
import java.util.concurrent.*;
import static org.junit.Assert.assertEquals;
import static com.example.Util.*;

/**
 * A service.
 * @deprecated gone
 */
@Component(name = "svc")
public abstract class Service<T extends Comparable<T>> extends Base<T> implements Runnable, Api.Inner {
    public static final int MAX = 10;
    private final List<String> names, aliases = new ArrayList<>();
    @Inject protected Store store;

    static { System.loadLibrary("x"); }

    public Service(Store store) { super(store); this.store = store; }

    /** Runs. */
    @Override
    public void run() {
        int local = 0;
        for (String name : names) { local += name.length(); }
        Runnable r = new Runnable() { int f; public void run() { helper(); } };
        store.load(MAX).stream().map(x -> x.trim()).forEach(System.out::println);
        try (Reader in = open()) { this.names.add("k"); } catch (IOException | Error e) { throw new Fail(e); }
        if (o instanceof String s && s.isEmpty()) return;
    }

    abstract T find(@Nullable String key) throws NotFound;
    private static <K> K helper() { return null; }

    enum Color implements Tagged { RED, GREEN("g") { int x() { return 1; } }; Color(String... s) {} }
    record Point(int x, int y) { Point { check(x); } static Point origin() { return new Point(0, 0); } }
    interface Api { int LIMIT = 3; void call(); default void twice() { call(); } }
    @interface Marker { String value() default "a"; }

    @Test
    public void testRun() { assertEquals(1, Service.MAX); }
}
