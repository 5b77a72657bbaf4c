#include <vector>
#include "widget.hpp"
using namespace std;
using std::string;

namespace app::ui {

template <typename T, int N = 3>
class Buffer : public Base<T>, private detail::Impl {
public:
    Buffer();
    explicit Buffer(size_t n) : size_(n), data(new T[n]) {}
    virtual ~Buffer() = default;
    T &operator[](int i) const { return data[i]; }
    operator bool() const;
    static int count;
    virtual void draw(Canvas &c) = 0;
    template <class U> void push(U &&value) { items.push_back(std::move(value)); }
    struct Iter { T *at; };
private:
    size_t size_;
    vector<T> items{};
};

enum class Mode : int { Fast, Slow };
using Table = std::map<string, vector<int>>;
template <typename T> concept Small = sizeof(T) < 4;
constexpr int kLimit = 4;
void prototype(int a, const string &b = "x");

}  // namespace app::ui

namespace {
int hidden = 1;
}

// Draws.
void app::ui::Widget::draw(Canvas &canvas) const {
    auto lambda = [this, &canvas](int x) { return this->width + x; };
    for (const auto &item : items_) item->render(canvas);
    auto [a, b] = pair;
    Foo<int> f{1};
    canvas.fill(Color::Red, std::make_unique<Brush>(2), static_cast<int>(a));
    if (auto p = find(b)) delete p;
}

Widget::Widget() : width(0) {}
Widget::~Widget() {}
int &Widget::operator=(const Widget &) { return *this; }
static int local_only() { return 0; }
TEST(WidgetTest, Draws) { EXPECT_EQ(1, local_only()); }
