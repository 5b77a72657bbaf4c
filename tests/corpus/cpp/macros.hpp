// Macros that say something to a compiler, in all the places where they stand.
LIB_BEGIN_NAMESPACE
namespace lib {

class LIB_EXPORT Rope {
 public:
  LIB_CONSTEXPR Rope(int length) : length_(length) {}
  LIB_CONSTEXPR20 ~Rope() { Release(); }
  const char* begin() const LIB_LIFETIME_BOUND { return first_; }
  int length() const noexcept LIB_PURE;
  template <typename T> LIB_CONSTEXPR auto operator=(T&& value) -> Rope& { return *this; }

 private:
  char* first_ LIB_GUARDED_BY(lock_);
  int length_;
};

class LIB_ABI("default") Knot : public Rope {
  LIB_FIELDS
};

LIB_EXPORT template <typename T> class Net {
  LIB_API std::list<T> ropes() const;
};

BOOL Rope::operator()(int at) { return at < length_; }

}  // namespace lib
LIB_END_NAMESPACE

// A template that a macro stands for, attributes, and members that are defined outside.
LIB_TEMPLATE_DECLARATION
class basic_document // NOLINT(some-check)
    : public detail::base<Custom>
{
public:
  LIB_NODISCARD const std::string &text() const { return text_; }
  const std::string& name() const& LIB_LIFETIME_BOUND { return name_; }

private:
  std::string text_, name_;
};

class LIB_API [[nodiscard]] failure : public basic_document {
public:
  explicit failure(int code);
};

LIB_INLINE failure::failure(int code) : code_(code) {}

LIB_INLINE sink<Mutex>::sink(int level)
    : level_(level) {}

typedef int(LIB_CALL *callback)(int code);
