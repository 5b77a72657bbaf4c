// Macros in places that say what they are, and conditions within what a constructor begins with.
LIB_DEFINE_DEFAULT(unsigned char, 0);
LIB_COMPARE(LE, <=)

LIB_TEMPLATE_DECLARATION
class document // NOLINT(some-check)
    : public detail::base<Custom>
{
 private:
  using document_t = LIB_DOCUMENT;

  LIB_PRIVATE_UNLESS_TESTED:
  using lexer = detail::lexer_base<document>;
  static int parser(int from) { return from; }

 protected:
  LIB_NON_NULL(3)
  document(int id, const char* what) : id_(id), what_(what) {}

  LIB_DEPRECATED("Use text() instead.")
  void set(const char* text) { what_ = text; }

  int id_;
  const char* what_;
};

class [[nodiscard]] LIB_EMPTY_BASE nice : public document {
  nice() : document(1, "") {}
};

class limiter {
 public:
  limiter(int most)
      :
#if !defined(NDEBUG)
        most_(most),
#endif
        left_(most) {
    check(most);
  }

  limiter(int most, int left)
#if defined(_WIN32)
      : most_(most)
#endif
  {
    left_ = left;
  }

  bool acquire() { return left_-- > 0; }

 private:
  int most_;
  int left_;
};

using old_limiter LIB_INLINE_ALIAS("limiter") = limiter;
typedef LIB_BARE_TYPE(limiter) bare;

void fill(const limiter& most LIB_BOUND, std::string text LIB_UNUSED = "");

limiter* lib_nonnull limiter_clone(limiter* lib_nullable other, int count) {
  return other;
}

void LIB_INLINE document::load() {
  parser(1);
}

inline document::operator bool() const { return id_ > 0; }
constexpr limiter::operator int() const { return left_; }
