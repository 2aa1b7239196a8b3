// What clang++ is given of casts, to make code of a GPU.
#include "simtcc/translate/casts.h"
#include "test_support/host_testing.h"

namespace simt::cc {
namespace {

constexpr const char* line = "# 1 \"a.cu\"\n";

std::string rewritten(const std::string& text) {
  const std::string all = withTypesOfCasts(line + text);
  EXPECT_TRUE(all.starts_with(line));
  return all.substr(std::string(line).size());
}

TEST(Casts, SayNoMoreOfWhatTheyComeFrom) {
  EXPECT_EQ(rewritten("*(float4*)&s[i] = *(const float4 *)&a[i];"),
            "*(float4*)(void*)&s[i] = *(const float4 *)(void*)&a[i];");
  EXPECT_EQ(rewritten("x = ((unsigned int*)s)[i];"), "x = ((unsigned int*)(void*)s)[i];");
  EXPECT_EQ(rewritten("return (half2*)(s + 1);"), "return (half2*)(void*)(s + 1);");
  EXPECT_EQ(rewritten("v = reinterpret_cast<Vector*>(&s[f(i)])[0];"),
            "v = reinterpret_cast<Vector*>((void*)(&s[f(i)]))[0];");
  EXPECT_EQ(rewritten("reinterpret_cast<float4&>(s[i]).x = 1;"),
            "(*reinterpret_cast<float4*>((void*)&(s[i]))).x = 1;");
  EXPECT_EQ(rewritten("reinterpret_cast<A*>(reinterpret_cast<B&>(c));"),
            "reinterpret_cast<A*>((void*)((*reinterpret_cast<B*>((void*)&(c)))));");
  EXPECT_EQ(rewritten("reinterpret_cast<V<2>*>(p);"), "reinterpret_cast<V<2>*>((void*)(p));");
}

TEST(Casts, OfAllElseStay) {
  for (const char* text : {"void f(float4*);",
                           "void f(float4*)\n{ }",
                           "auto l = [](float4*) { return 1; };",
                           "sizeof(float4*) & mask;",
                           "std::function<void(int*)> f;",
                           "(Base*)&derived;",
                           "(Vector*)s;",
                           "(float4)&s;",
                           "f((float*));",
                           "reinterpret_cast<size_t>(p);",
                           "static_cast<float4*>(p);",
                           "reinterpret_cast<float4*>",
                           "reinterpret_cast",
                           "(float4*",
                           "reinterpret_cast<",
                           "reinterpret_cast<float4*>(",
                           "\"(float4*)&s\"",
                           "a < b > (int*)(c);",
                           "(*)",
                           "(const*)&x",
                           "reinterpret_cast<*>(x)",
                           ""})
    EXPECT_EQ(rewritten(text), text);
  EXPECT_EQ(withTypesOfCasts(""), "");
  const std::string header = "# 1 \"/usr/include/a.h\" 1 3\n*(int*)&x;\n";
  EXPECT_EQ(withTypesOfCasts(header), header);
}

}  // namespace
}  // namespace simt::cc
