class Half {
  int before() => 1;

  void typing(String name) {
    final x = name.
  }

  int after() => before();

  void open(int a, {

  int last() => after();
}

class Next {
  final field = ;
  void still() { Half().after(; }
}
