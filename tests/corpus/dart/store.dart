library shop.store;

import 'dart:async';
import 'dart:io' as io show File, Directory hide Link;
import 'package:http/http.dart' as http;
import 'src/base.dart' if (dart.library.html) 'src/web.dart' deferred as base;
export 'src/item.dart' show Item;
part 'store.g.dart';

/// Bytes by key.
typedef Blob = Map<String, List<int>>;
typedef int Compare(String a, String b);

const limit = 10, other = 2;
final List<Store> _all = [];
late String banner;
int counter = 0, spare = 1;

String get version => '1.$counter';
set version(String value) => counter = int.parse(value);

external int native(int a);

abstract interface class Shelf<T extends Object> implements Iterable<T> {
  int get count;
  T? find(String key);
  static Shelf? shared;
}

mixin Loggable on Base implements Closeable {
  final log = Logger('x');
  void write(String text, [int level = 0]) => log.info('$text ${text.length} ${level.label}');
}

enum Level implements Comparable<Level> {
  low(1),
  @Deprecated('use low')
  none(0);

  const Level(this.weight);
  final int weight;

  String get label => switch (this) { Level.low => 'low', _ => name };

  @override
  int compareTo(Level other) => weight - other.weight;
}

/// Keeps things.
///
/// In order.
@immutable
@JsonSerializable()
class Store<T extends Object> extends Base<T> with Loggable, Cached<T> implements Shelf<T>, api.Inner {
  static const String kind = 'store';
  static final Map<String, Store> _cache = <String, Store>{};
  final http.Client client;
  late final Owner? owner;
  List<T> items = [], spare = const [];
  var level = Level.low;
  void Function(int)? onChange;

  Store(this.client, {required this.owner, super.name, int timeout = limit}) : items = [], super(timeout) {
    client.prepare();
  }

  const Store.empty() : client = const http.Client(), owner = null;
  Store._internal(String name) : this(http.Client(name), owner: Owner());
  factory Store.fromJson(Map<String, dynamic> json) => _cache.putIfAbsent('a', () => Store._internal(json['name'] as String));
  factory Store.redirect() = OtherStore<T>;

  int get count => items.length;
  set first(T value) {
    items[0] = value;
    onChange?.call(count);
  }

  T operator [](int index) => items[index];
  bool operator ==(Object other) => other is Store && other.count == count;

  @override
  Future<T?> find(String key, {bool deep = false}) async {
    final hit = _cache[key], copy = hit!;
    int local(int n) => n + 1;
    for (final (index, item) in items.indexed) {
      if (item case Level(weight: var w) when w > index) await client.fetch(item, retries: 3);
    }
    try {
      var data = await client.get(Uri.parse(key)).timeout(const Duration(seconds: 3));
      return decode<T>(data.body)..validate()..tag = 'x';
    } on StoreException catch (e, stack) {
      write(e.message);
      throw Failure(e, stack);
    } finally {
      this.level = Level.none;
      super.close();
    }
  }

  Stream<int> values() async* {
    yield* Stream.fromIterable(items.map((i) => i.hashCode));
    print(copy.map(Store.new));
  }

  void _helper() {}
}

extension StoreTools<T extends Object> on Store<T> {
  bool get isEmpty => items.isEmpty;
  void clear() => items.clear();
}

extension on String { String shout() => toUpperCase(); }

extension type Id(int value) implements int {
  Id next() => Id(value + 1);
}

class Alias = Base with Loggable;

Future<void> main(List<String> args) async {
  final store = Store(http.Client('x'), owner: null)..clear();
  print('${await store.find(args.first)}');
}
