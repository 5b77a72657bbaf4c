import 'package:test/test.dart';

part of 'all.dart';

void main() {
  late Store store;

  setUp(() => store = Store.empty());

  group('Store', () {
    test('finds what was put', () async {
      expect(await store.find('a'), isNull);
    });

    testWidgets("renders", (tester) async {});
  });
}
