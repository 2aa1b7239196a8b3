#include "simtcc/translate/ptx_words.h"

namespace simt::cc {

const std::map<std::string, std::string>& specialRegisters() {
  static const std::map<std::string, std::string> all = {
      {"laneid", "::simt::ptx::laneId()"},
      {"warpid", "::simt::ptx::warpId()"},
      {"nwarpid", "::simt::ptx::warpCount()"},
      {"smid", "::simt::ptx::multiprocessorId()"},
      {"nsmid", "::simt::ptx::multiprocessors()"},
      {"gridid", "0ull"},
      {"lanemask_eq", "(1u << ::simt::ptx::laneId())"},
      {"lanemask_lt", "::simt::ptx::lanesBelow()"},
      {"lanemask_le", "(::simt::ptx::lanesBelow() * 2u + 1u)"},
      {"lanemask_gt", "~(::simt::ptx::lanesBelow() * 2u + 1u)"},
      {"lanemask_ge", "~::simt::ptx::lanesBelow()"},
      {"clock", "unsigned(clock64())"},
      {"clock_hi", "unsigned((unsigned long long)(clock64()) >> 32)"},
      {"clock64", "clock64()"},
      {"globaltimer", "__globaltimer()"},
      {"globaltimer_lo", "unsigned(__globaltimer())"},
      {"globaltimer_hi", "unsigned(__globaltimer() >> 32)"},
      {"tid.x", "threadIdx.x"},
      {"tid.y", "threadIdx.y"},
      {"tid.z", "threadIdx.z"},
      {"ntid.x", "blockDim.x"},
      {"ntid.y", "blockDim.y"},
      {"ntid.z", "blockDim.z"},
      {"ctaid.x", "blockIdx.x"},
      {"ctaid.y", "blockIdx.y"},
      {"ctaid.z", "blockIdx.z"},
      {"nctaid.x", "gridDim.x"},
      {"nctaid.y", "gridDim.y"},
      {"nctaid.z", "gridDim.z"}};
  return all;
}

const std::map<std::string, std::string>& ptxTypes() {
  static const std::map<std::string, std::string> all = {
      {"u8", "uint8_t"},   {"s8", "int8_t"},    {"b8", "uint8_t"},   {"u16", "uint16_t"},
      {"s16", "int16_t"},  {"b16", "uint16_t"}, {"u32", "uint32_t"}, {"s32", "int32_t"},
      {"b32", "uint32_t"}, {"u64", "uint64_t"}, {"s64", "int64_t"},  {"b64", "uint64_t"},
      {"f32", "float"},    {"f64", "double"}};
  return all;
}

const std::map<std::string, PtxOperation>& ptxOperations() {
  static const std::vector<std::string> rounding = {"rn", "ftz", "approx", "lo", "full"};
  static const std::map<std::string, PtxOperation> all = {
      {"mov", {{}, "$1"}},
      {"add", {rounding, "::simt::ptx::sum<T>($1, $2)"}},
      {"sub", {rounding, "::simt::ptx::difference<T>($1, $2)"}},
      {"mul", {rounding, "::simt::ptx::product<T>($1, $2)"}},
      {"mul.hi", {{}, "::simt::ptx::multiplyHigh<T>($1, $2)"}},
      {"mul.wide", {{}, "(::simt::ptx::Wide<T>($1) * ::simt::ptx::Wide<T>($2))"}},
      {"mad", {rounding, "::simt::ptx::sum<T>(::simt::ptx::product<T>($1, $2), $3)"}},
      {"mad.hi", {{}, "::simt::ptx::sum<T>(::simt::ptx::multiplyHigh<T>($1, $2), $3)"}},
      {"fma", {rounding, "T(::fma($1, $2, $3))"}},
      {"div", {rounding, "T($1 / $2)"}},
      {"rem", {{}, "T($1 % $2)"}},
      {"abs", {{"ftz"}, "T($1 < 0 ? -$1 : $1)"}},
      {"neg", {{"ftz"}, "T(-$1)"}},
      {"min", {{"ftz"}, "T(::min($1, $2))"}},
      {"max", {{"ftz"}, "T(::max($1, $2))"}},
      {"and", {{}, "T($1 & $2)"}},
      {"or", {{}, "T($1 | $2)"}},
      {"xor", {{}, "T($1 ^ $2)"}},
      {"not", {{}, "T(~$1)"}},
      {"shl", {{}, "::simt::ptx::shiftLeft<T>($1, #2)"}},
      {"shr", {{}, "::simt::ptx::shiftRight<T>($1, #2)"}},
      {"shf.l.wrap", {{}, "__funnelshift_l($1, $2, $3)"}},
      {"shf.r.wrap", {{}, "__funnelshift_r($1, $2, $3)"}},
      {"shf.l.clamp", {{}, "__funnelshift_lc($1, $2, $3)"}},
      {"shf.r.clamp", {{}, "__funnelshift_rc($1, $2, $3)"}},
      {"bfe", {{}, "::simt::ptx::extract<T>($1, #2, #3)"}},
      {"bfi", {{}, "::simt::ptx::insert<T>($1, $2, #3, #4)"}},
      {"lop3", {{}, "::simt::ptx::logic3<T>($1, $2, $3, #4)"}},
      {"prmt", {{}, "__byte_perm($1, $2, $3)"}},
      {"popc", {{}, "unsigned(__builtin_popcountll($1))"}},
      {"clz", {{}, "::simt::ptx::leadingZeros<T>($1)"}},
      {"brev", {{}, "T(sizeof(T) == 8 ? __brevll($1) : (unsigned long long)(__brev($1)))"}},
      {"bfind", {{}, "::simt::ptx::highestBit<T>($1)"}},
      {"rcp", {rounding, "T(T(1) / $1)"}},
      {"sqrt", {rounding, "T(::sqrt($1))"}},
      {"rsqrt", {rounding, "T(T(1) / ::sqrt($1))"}},
      {"ex2", {rounding, "T(::exp2($1))"}},
      {"lg2", {rounding, "T(::log2($1))"}},
      {"sin", {rounding, "T(::sin($1))"}},
      {"cos", {rounding, "T(::cos($1))"}},
      {"tanh", {rounding, "T(::tanh($1))"}},
      {"copysign", {{}, "T(::copysign($2, $1))"}},
      {"sad", {{}, "T(($1 > $2 ? $1 - $2 : $2 - $1) + $3)"}},
      {"selp", {{}, "(!3 ? $1 : $2)"}},
      {"dp4a", {{}, "__dp4a($1, $2, $3)"}},
      {"activemask", {{}, "__activemask()"}}};
  return all;
}

}  // namespace simt::cc
