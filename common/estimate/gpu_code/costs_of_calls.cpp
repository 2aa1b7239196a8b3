// What functions of mathematics cost.
#include <algorithm>
#include <iterator>

#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

bool isMathematics(const std::string& function) {
  return function.starts_with("__nv_") || function.starts_with("simt");
}

namespace {

// Functions of mathematics: instructions, of them one after the other, special ones, and those on
// doubles; and whether there are branches among them, so that nothing else is done meanwhile. As
// many as ptxas makes of nvcc's own functions, without the ways out for rare arguments; those of
// the unit for special functions scale what is not normal, with a predicate.
struct Known {
  const char* name;
  double count, chain, special, doubles = 0;
  bool branches = false;
  double constants = 0;  // of the count, those that are not made again for the next call
};
constexpr Known all[] = {{"__nv_expf", 10, 8, 1, 0, false, 2.5},
                         {"__nv_exp2f", 4, 4, 1},
                         {"__nv_exp10f", 10, 8, 1, 0, false, 2.5},
                         {"__nv_expm1f", 29, 14, 1, 0, false, 1.5},
                         {"__nv_logf", 28, 16, 0, 0, false, 4},
                         {"__nv_log2f", 30, 16, 0, 0, false, 4},
                         {"__nv_log10f", 29, 16, 0, 0, false, 4},
                         {"__nv_log1pf", 28, 18, 0, 0, false, 4.5},
                         {"__nv_sinf", 27, 20, 1, 0, true},
                         {"__nv_cosf", 27, 20, 1, 0, true},
                         {"__nv_tanf", 26, 25, 2, 0, true},
                         {"__nv_tanhf", 17, 12, 2, 0, false, 2},
                         {"__nv_powf", 70, 52, 2, 0, true, 6.5},
                         {"__nv_erff", 30, 14, 1, 0, false, 9.5},
                         {"__nv_erfcf", 48, 28, 3, 0, false, 1.5},
                         {"__nv_asinf", 25, 15, 1, 0, false, 3.5},
                         {"__nv_acosf", 26, 15, 1, 0, false, 3.5},
                         {"__nv_atanf", 19, 14, 1, 0, false, 1},
                         {"__nv_atan2f", 39, 38, 2, 0, true},
                         {"__nv_asinhf", 41, 35, 2, 0, true, 6.5},
                         {"__nv_acoshf", 40, 31, 1, 0, true},
                         {"__nv_atanhf", 36, 31, 1, 0, true},
                         {"__nv_sinhf", 25, 15, 2, 0, false, 2},
                         {"__nv_coshf", 16, 12, 2, 0, false, 1},
                         {"__nv_cbrtf", 16, 11, 2},
                         {"__nv_hypotf", 25, 23, 1, 0, true},
                         {"__nv_fmodf", 21, 30, 0, 0, true},
                         {"__nv_remainderf", 28, 32, 0, 0, true},
                         {"__nv_nextafterf", 26, 25, 0, 0, true},
                         {"__nv_fdimf", 3, 2, 0},
                         {"__nv_lgammaf", 58, 75, 1, 0, true},
                         {"__nv_tgammaf", 117, 82, 4, 0, true},
                         {"__nv_erfinvf", 40, 25, 2},
                         {"__nv_erfcinvf", 45, 28, 3},
                         {"__nv_erfcxf", 60, 35, 3},
                         {"__nv_normcdff", 65, 35, 2, 0, false, 6},
                         {"__nv_normcdfinvf", 50, 30, 3},
                         {"__nv_sinpif", 25, 16, 1, 0, false, 4},
                         {"__nv_cospif", 25, 16, 1, 0, false, 4},
                         {"__nv_rhypotf", 18, 12, 1},
                         {"__nv_exp", 49, 34, 0, 15, true},
                         {"__nv_exp2", 48, 35, 0, 16, true},
                         {"__nv_exp10", 53, 37, 0, 17, true},
                         {"__nv_expm1", 65, 49, 0, 19, true},
                         {"__nv_log", 82, 65, 1, 30, true},
                         {"__nv_log2", 87, 68, 1, 32, true},
                         {"__nv_log10", 87, 68, 1, 32, true},
                         {"__nv_log1p", 117, 106, 1, 44, true},
                         {"__nv_sin", 45, 47, 2, 17, true},
                         {"__nv_cos", 46, 47, 2, 17, true},
                         {"__nv_tan", 83, 75, 3, 32, true},
                         {"__nv_asin", 52, 46, 0, 21, true},
                         {"__nv_acos", 70, 55, 0, 24, true},
                         {"__nv_atan", 74, 57, 1, 29, true},
                         {"__nv_atan2", 110, 90, 1, 42, true},
                         {"__nv_sinh", 110, 95, 1, 36, true},
                         {"__nv_cosh", 58, 51, 1, 21, true},
                         {"__nv_tanh", 87, 83, 5, 30, true},
                         {"__nv_pow", 312, 173, 1, 97, true},
                         {"__nv_hypot", 42, 32, 1, 16, true},
                         {"__nv_fmod", 60, 60, 0, 2, true},
                         {"__nv_cbrt", 44, 54, 6, 15, true},
                         {"__nv_erf", 123, 86, 4, 42, true},
                         {"__nv_erfc", 159, 100, 2, 62, true},
                         {"__nv_lgamma", 500, 350, 1, 76, true},
                         {"__nv_tgamma", 97, 92, 1, 33, true},
                         {"__nv_erfinv", 180, 60, 2, 165, true},
                         {"__nv_erfcinv", 290, 90, 5, 240, true},
                         {"__nv_normcdf", 175, 60, 2, 140, true},
                         {"__nv_normcdfinv", 290, 90, 5, 245, true},
                         {"__nv_erfcx", 160, 55, 3, 125, true},
                         {"__nv_sinpi", 37, 38, 1, 15, true},
                         {"__nv_cospi", 37, 38, 1, 15, true},
                         {"__nv_rhypot", 42, 22, 1, 22, true},
                         {"__nv_cosBesidef", 4, 1, 0},
                         {"__nv_cosBeside", 29, 1, 0, 6},
                         {"__nv_cospiBesidef", 7, 1, 0},
                         {"__nv_cospiBeside", 30, 2, 0, 7},
                         {"simtFastExp", 5, 6.4, 1},
                         {"simtFastExp10", 5, 6.4, 1},
                         {"simtFastLog", 5, 6.4, 1},
                         {"simtFastLog2", 4, 5.6, 1},
                         {"simtFastLog10", 5, 6.4, 1},
                         {"simtFastPow", 9, 12, 2},
                         {"simtFastSin", 2, 2, 1},
                         {"simtFastCos", 2, 2, 1},
                         {"simtFastTan", 7, 7, 3},
                         {"simtFastDivide", 5, 5.6, 1},
                         {"simtRsqrt", 4, 5.6, 1},
                         {"simtRcbrt", 12, 10, 3},
                         {"vprintf", 30, 20, 0}};

const Known* known(const std::string& name) {
  const auto found = std::ranges::find(all, name, &Known::name);
  return found == std::end(all) ? nullptr : found;
}

}  // namespace

Cost costOfCall(const std::string& name) {
  if (const Known* const its = known(name)) {
    Cost cost = times(its->count, its->chain, its->special);
    cost.unitCycles[2] = float(2 * its->doubles);
    return cost;
  }
  return name.starts_with("__nv_") ? times(name.ends_with("f") ? 30 : 80, 20, 1) : times(4, 2);
}

// Once where it is called again in a block, or in turns that are unrolled.
float constantsOfCall(const std::string& name) {
  const Known* const its = known(name);
  return its ? float(its->constants) : 0;
}

bool hasBranches(const std::string& function) {
  const Known* const its = known(function);
  return its && its->branches;
}

}  // namespace estimate::gpu_code
