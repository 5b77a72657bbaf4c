#include <memory>
#include "shapes.hpp"

namespace fs = std::filesystem;

namespace geo::detail {
namespace {
int hidden = 0;
}  // namespace
struct Node;
}  // namespace geo::detail

extern "C" {
int geo_init(void);
struct geo_options { int depth; };
}
extern "C" int geo_close(int code);

namespace geo {

using detail::Node;
using std::string;
using Shapes = std::vector<Shape>;
template <typename T>
using Ptr = std::unique_ptr<T>;
typedef std::map<string, Shape> Index;

template <typename T>
concept Drawable = requires(T t) { t.draw(); };

constexpr int kMax = 3;

class EXPORT_API Widget : public Base {
 public:
  void paint();
  int width;
};

/// A shape.
template <typename T, class U = int, int N = 4, typename... Rest>
class Shape : public Base<T>, private virtual detail::Visitor {
 public:
  explicit Shape(int size) : Base<T>(size), size(size), name_{"x"} {}
  Shape(const Shape &other) = delete;
  virtual ~Shape();
  Shape &operator=(const Shape &other);
  bool operator==(const Shape &other) const { return size == other.size; }
  operator bool() const;
  static std::unique_ptr<Shape> make(int size);
  virtual void draw() const = 0;
  auto parent() const -> Shape *;
  template <class V>
  void visit(V &&visitor);
  friend class Factory;
  friend std::ostream &operator<<(std::ostream &out, const Shape &shape);
  friend void swap(Shape &a, Shape &b) { std::swap(a.size, b.size); }
  using Base<T>::reset;
  struct Part {
    int id;
    Shape *owner;
  };
  enum class Mode { kFill, kLine };
  union Raw {
    int i;
    float f;
  };

 private:
  int size = N, depth;
  std::string name_;
  std::vector<Part> parts_;
  std::unordered_map<int, Ptr<Part>> by_id_{};
  std::shared_ptr<Shape> twin_;
  void (*hook_)(Shape *) = nullptr;
  static int count;
};

template <>
class Shape<bool> {
  int flag;
};

template <typename T, class U, int N, typename... Rest>
Shape<T, U, N, Rest...>::~Shape() {
  this->twin_->draw();
}

template <typename T>
template <class V>
void Shape<T>::visit(V &&visitor) {
  for (auto &part : parts_) visitor.on(part.owner->size);
}

int Shape<int>::count = 0;

geo::detail::Node *geo::detail::Node::next(Shape<int> *from, const Options &options) {
  auto made = std::make_unique<Shape<int>>(4);
  auto *raw = new Shape<int>(2);
  auto twin = from->twin_;
  Shape<int> direct(options.depth), brace{3}, copy = *from;
  Shape<int>::Part part;
  made->draw();
  raw->parent()->draw();
  twin->draw();
  direct.draw();
  part.owner->draw();
  for (const auto &each : from->parts_) each.owner->draw();
  for (Shape<int> *other : options.all()) other->draw();
  auto draw = [&, n = from->size, this](Shape<int> *shape, auto extra) -> int {
    shape->draw();
    return n + extra.count;
  };
  auto [low, high] = bounds(from);
  if (auto found = index.find(low); found != index.end()) found->second.draw();
  try {
    static_cast<Shape<int> *>(options.user)->draw();
    std::move(made)->draw();
    Shape<int>(1).draw();
    geo::detail::lookup<int>(high)->draw();
  } catch (const Error &error) {
    error.print();
  }
  struct Local {
    int only;
  } local{.only = 1};
  Options changed{.depth = 2, .name = "x"};
  delete raw;
  return next(from, Options{.depth = local.only});
}

}  // namespace geo

// Locks, told to a checker by macros.
class Cache {
 public:
  Cache(Mutex *outer) LOCKS_EXCLUDED(outer) : outer_(outer) {}
  size_t TotalCharge() const REQUIRES(mutex_);
  int Count() LOCKS_EXCLUDED(mutex_) { return count_; }
  ASSERT_COPYABLE(Cache);

 private:
  Mutex *outer_;
  size_t usage_ GUARDED_BY(mutex_);
  Shape<int> *first_ GUARDED_BY(mutex_);
  std::deque<Shape<int> *> waiting_ GUARDED_BY(mutex_);
  int count_ GUARDED_BY(mutex_) = 0;
};
