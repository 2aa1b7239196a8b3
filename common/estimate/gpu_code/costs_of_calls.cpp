// What functions of mathematics cost.
#include "estimate/gpu_code/costs_state.h"

namespace estimate::gpu_code {

bool isMathematics(const std::string& function) {
  return function.starts_with("__nv_") || function.starts_with("simt");
}

// Functions of mathematics: instructions, of them one after the other, special ones, and those on
// doubles. As many as ptxas makes of nvcc's own functions, without the ways out for rare arguments;
// those of the unit for special functions scale what is not normal, with a predicate.
Cost costOfCall(const std::string& name) {
  struct Known {
    const char* name;
    double count, chain, special, doubles = 0;
  };
  static constexpr Known all[] = {{"__nv_expf", 10, 8, 1},
                                  {"__nv_exp2f", 4, 4, 1},
                                  {"__nv_exp10f", 10, 8, 1},
                                  {"__nv_expm1f", 28, 14, 1},
                                  {"__nv_logf", 25, 16, 0},
                                  {"__nv_log2f", 26, 16, 0},
                                  {"__nv_log10f", 26, 16, 0},
                                  {"__nv_log1pf", 30, 17, 0},
                                  {"__nv_sinf", 26, 17, 1},
                                  {"__nv_cosf", 26, 17, 1},
                                  {"__nv_tanf", 28, 20, 2},
                                  {"__nv_tanhf", 17, 11, 2},
                                  {"__nv_powf", 62, 40, 2},
                                  {"__nv_erff", 29, 14, 1},
                                  {"__nv_erfcf", 48, 30, 2},
                                  {"__nv_asinf", 25, 15, 1},
                                  {"__nv_acosf", 25, 15, 1},
                                  {"__nv_atanf", 19, 14, 1},
                                  {"__nv_sinhf", 25, 15, 2},
                                  {"__nv_coshf", 16, 11, 2},
                                  {"__nv_cbrtf", 16, 11, 2},
                                  {"__nv_exp", 60, 25, 0, 16},
                                  {"__nv_exp2", 60, 25, 0, 18},
                                  {"__nv_log", 75, 35, 1, 30},
                                  {"__nv_log2", 85, 38, 1, 32},
                                  {"__nv_sin", 60, 25, 0, 16},
                                  {"__nv_cos", 60, 25, 0, 16},
                                  {"__nv_pow", 200, 110, 2, 86},
                                  {"__nv_tanh", 80, 35, 2, 31},
                                  {"__nv_erf", 120, 35, 2, 40},
                                  {"__nv_erfinvf", 40, 25, 2},
                                  {"__nv_erfcinvf", 45, 28, 3},
                                  {"__nv_erfcxf", 60, 35, 3},
                                  {"__nv_normcdff", 60, 35, 2},
                                  {"__nv_normcdfinvf", 50, 30, 3},
                                  {"__nv_sinpif", 28, 15, 0},
                                  {"__nv_cospif", 28, 15, 0},
                                  {"__nv_rhypotf", 18, 12, 1},
                                  {"__nv_erfinv", 180, 60, 2, 165},
                                  {"__nv_erfcinv", 290, 90, 5, 240},
                                  {"__nv_normcdf", 175, 60, 2, 140},
                                  {"__nv_normcdfinv", 290, 90, 5, 245},
                                  {"__nv_erfcx", 160, 55, 3, 125},
                                  {"__nv_sinpi", 45, 22, 0, 28},
                                  {"__nv_cospi", 45, 22, 0, 28},
                                  {"__nv_rhypot", 42, 22, 1, 22},
                                  {"__nv_atan", 80, 35, 0, 26},
                                  {"__nv_cbrt", 43, 25, 3, 9},
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
  for (const Known& known : all)
    if (name == known.name) {
      Cost cost = times(known.count, known.chain, known.special);
      cost.unitCycles[2] = float(2 * known.doubles);
      return cost;
    }
  return name.starts_with("__nv_") ? times(name.ends_with("f") ? 30 : 80, 20, 1) : times(4, 2);
}

}  // namespace estimate::gpu_code
