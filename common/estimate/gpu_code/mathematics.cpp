// Functions of mathematics that code calls by NVIDIA's names, and the executor's fast ones.
#include <cmath>
#include <map>
#include <string>

#include "estimate/gpu_code/lanes.h"

// Of simt/device/mathematics.h, which has macros of the names here.
namespace simt {
double inverseErf(double x);
double inverseErfc(double x);
double scaledErfc(double x);
}  // namespace simt

namespace estimate::gpu_code {
namespace {

struct Called {
  float (*one)(float) = nullptr;
  double (*oneWide)(double) = nullptr;
  float (*two)(float, float) = nullptr;
  double (*twoWide)(double, double) = nullptr;
};

const std::map<std::string, Called>& called() {
#define SIMT_ONE(name)                                                         \
  {"__nv_" #name "f", {.one = [](float x) { return float(std::name(x)); }}}, { \
    "__nv_" #name, {                                                           \
      .oneWide = [](double x) { return double(std::name(x)); }                 \
    }                                                                          \
  }
#define SIMT_TWO(name)                                                                     \
  {"__nv_" #name "f", {.two = [](float x, float y) { return float(std::name(x, y)); }}}, { \
    "__nv_" #name, {                                                                       \
      .twoWide = [](double x, double y) { return double(std::name(x, y)); }                \
    }                                                                                      \
  }
#define SIMT_OF(name, value)                            \
  {"__nv_" #name "f",                                   \
   {.one =                                              \
        [](float of) {                                  \
          const double x = of;                          \
          return float(value);                          \
        }}},                                            \
  {                                                     \
    "__nv_" #name, {                                    \
      .oneWide = [](double x) { return double(value); } \
    }                                                   \
  }
  static const std::map<std::string, Called> all = {
      SIMT_ONE(exp),
      SIMT_ONE(exp2),
      SIMT_ONE(expm1),
      SIMT_ONE(log),
      SIMT_ONE(log2),
      SIMT_ONE(log10),
      SIMT_ONE(log1p),
      SIMT_ONE(sin),
      SIMT_ONE(cos),
      SIMT_ONE(tan),
      SIMT_ONE(asin),
      SIMT_ONE(acos),
      SIMT_ONE(atan),
      SIMT_ONE(sinh),
      SIMT_ONE(cosh),
      SIMT_ONE(tanh),
      SIMT_ONE(asinh),
      SIMT_ONE(acosh),
      SIMT_ONE(atanh),
      SIMT_ONE(cbrt),
      SIMT_ONE(erf),
      SIMT_ONE(erfc),
      SIMT_ONE(tgamma),
      SIMT_ONE(lgamma),
      SIMT_TWO(pow),
      SIMT_TWO(atan2),
      SIMT_TWO(fmod),
      SIMT_TWO(hypot),
      SIMT_TWO(remainder),
      SIMT_TWO(fdim),
      SIMT_TWO(nextafter),
      SIMT_OF(erfinv, simt::inverseErf(x)),
      SIMT_OF(erfcinv, simt::inverseErfc(x)),
      SIMT_OF(erfcx, simt::scaledErfc(x)),
      SIMT_OF(normcdf, 0.5 * std::erfc(-x * M_SQRT1_2)),
      SIMT_OF(normcdfinv, -M_SQRT2 * simt::inverseErfc(2 * x)),
      SIMT_OF(sinpi, std::sin(M_PI * std::remainder(x, 2.0))),
      SIMT_OF(cospi, std::cos(M_PI * std::remainder(x, 2.0))),
      SIMT_OF(cosBeside, std::cos(x)),
      SIMT_OF(cospiBeside, std::cos(M_PI * std::remainder(x, 2.0))),
      {"__nv_rhypotf", {.two = [](float x, float y) { return 1 / std::hypot(x, y); }}},
      {"__nv_rhypot", {.twoWide = [](double x, double y) { return 1 / std::hypot(x, y); }}},
      {"__nv_j0f", {.one = [](float x) { return float(j0(x)); }}},
      {"__nv_j0", {.oneWide = j0}},
      {"__nv_j1f", {.one = [](float x) { return float(j1(x)); }}},
      {"__nv_j1", {.oneWide = j1}},
      {"__nv_y0f", {.one = [](float x) { return float(y0(x)); }}},
      {"__nv_y0", {.oneWide = y0}},
      {"__nv_y1f", {.one = [](float x) { return float(y1(x)); }}},
      {"__nv_y1", {.oneWide = y1}},
      {"__nv_cyl_bessel_i0f",
       {.one = [](float x) { return std::cyl_bessel_i(0.0f, std::abs(x)); }}},
      {"__nv_cyl_bessel_i0",
       {.oneWide = [](double x) { return std::cyl_bessel_i(0.0, std::abs(x)); }}},
      {"__nv_cyl_bessel_i1f",
       {.one = [](float x) { return std::cyl_bessel_i(1.0f, std::abs(x)); }}},
      {"__nv_cyl_bessel_i1",
       {.oneWide = [](double x) { return std::cyl_bessel_i(1.0, std::abs(x)); }}},
      {"__nv_exp10f", {.one = [](float x) { return std::pow(10.0f, x); }}},
      {"__nv_exp10", {.oneWide = [](double x) { return std::pow(10.0, x); }}},
      {"simtFastExp", {.one = [](float x) { return std::exp(x); }}},
      {"simtFastExp10", {.one = [](float x) { return std::pow(10.0f, x); }}},
      {"simtFastLog", {.one = [](float x) { return std::log(x); }}},
      {"simtFastLog2", {.one = [](float x) { return std::log2(x); }}},
      {"simtFastLog10", {.one = [](float x) { return std::log10(x); }}},
      {"simtFastPow", {.two = [](float x, float y) { return std::pow(x, y); }}},
      {"simtFastSin", {.one = [](float x) { return std::sin(x); }}},
      {"simtFastCos", {.one = [](float x) { return std::cos(x); }}},
      {"simtFastTan", {.one = [](float x) { return std::tan(x); }}},
      {"simtFastDivide", {.two = [](float x, float y) { return x / y; }}},
      {"simtRsqrt", {.one = [](float x) { return 1 / std::sqrt(x); }}},
      {"simtRcbrt", {.one = [](float x) { return 1 / std::cbrt(x); }}}};
#undef SIMT_ONE
#undef SIMT_TWO
#undef SIMT_OF
  return all;
}

template <typename T>
T& parameter(WarpContext& c, const Operand& o, unsigned lane) {
  const Frame& frame = c.frames.back();
  return *reinterpret_cast<T*>(c.parameters.data() + frame.parameters +
                               frame.function->paramBytes * lane + size_t(o.offset));
}

void callFunction(WarpContext& c, const Instruction& i, uint32_t lanes) {
  const Called& f = called().at(i.name);
  forLanes(lanes, [&](unsigned l) {
    if (f.one) parameter<float>(c, i.to[0], l) = f.one(parameter<float>(c, i.from_[0], l));
    if (f.oneWide)
      parameter<double>(c, i.to[0], l) = f.oneWide(parameter<double>(c, i.from_[0], l));
    if (f.two)
      parameter<float>(c, i.to[0], l) =
          f.two(parameter<float>(c, i.from_[0], l), parameter<float>(c, i.from_[1], l));
    if (f.twoWide)
      parameter<double>(c, i.to[0], l) =
          f.twoWide(parameter<double>(c, i.from_[0], l), parameter<double>(c, i.from_[1], l));
  });
}

// What a kernel prints is not printed again.
void printNothing(WarpContext&, const Instruction&, uint32_t) {}

}  // namespace

Handler mathematicsHandler(const Instruction& i) {
  if (i.op != Op::call) return nullptr;
  if (called().contains(i.name)) return callFunction;
  if (i.name == "vprintf") return printNothing;
  return nullptr;
}

void bind(Instruction& i) {
  for (const auto find : {arithmeticHandler, carryHandler, floatHandler, conversionHandler,
                          comparisonHandler, memoryHandler, warpHandler, mathematicsHandler})
    if ((i.run = find(i)) != nullptr) return;
  const bool isFlow =
      i.op == Op::bra || i.op == Op::brx || i.op == Op::ret || i.op == Op::exit || i.op == Op::call;
  if (!isFlow) throw Unsupported("the instruction " + i.name + " is not known here");
}

}  // namespace estimate::gpu_code
