// The names of instructions: "ld.global.v4.u32".
#include <algorithm>
#include <array>
#include <utility>

#include "estimate/gpu_code/modes.h"
#include "estimate/gpu_code/reader.h"

namespace estimate::gpu_code {
namespace {

constexpr std::array<std::pair<std::string_view, Type>, 20> types = {
    {{"pred", Type::pred},     {"b8", Type::b8},   {"b16", Type::b16},     {"b32", Type::b32},
     {"b64", Type::b64},       {"u8", Type::u8},   {"u16", Type::u16},     {"u32", Type::u32},
     {"u64", Type::u64},       {"s8", Type::s8},   {"s16", Type::s16},     {"s32", Type::s32},
     {"s64", Type::s64},       {"f16", Type::f16}, {"f16x2", Type::f16x2}, {"bf16", Type::bf16},
     {"bf16x2", Type::bf16x2}, {"f32", Type::f32}, {"f64", Type::f64},     {"b128", Type::b128}}};

constexpr std::array<std::pair<std::string_view, Op>, 76> ops = {{{"abs", Op::abs},
                                                                  {"activemask", Op::activemask},
                                                                  {"add", Op::add},
                                                                  {"and", Op::and_},
                                                                  {"atom", Op::atom},
                                                                  {"bar", Op::bar},
                                                                  {"barrier", Op::bar},
                                                                  {"bfe", Op::bfe},
                                                                  {"bfi", Op::bfi},
                                                                  {"bfind", Op::bfind},
                                                                  {"bra", Op::bra},
                                                                  {"brev", Op::brev},
                                                                  {"brx", Op::brx},
                                                                  {"call", Op::call},
                                                                  {"clz", Op::clz},
                                                                  {"cnot", Op::cnot},
                                                                  {"copysign", Op::copysign},
                                                                  {"cos", Op::cos},
                                                                  {"cp", Op::cp},
                                                                  {"cvt", Op::cvt},
                                                                  {"cvta", Op::cvta},
                                                                  {"div", Op::div},
                                                                  {"dp2a", Op::dp2a},
                                                                  {"dp4a", Op::dp4a},
                                                                  {"ex2", Op::ex2},
                                                                  {"exit", Op::exit},
                                                                  {"fence", Op::fence},
                                                                  {"membar", Op::fence},
                                                                  {"fma", Op::fma},
                                                                  {"isspacep", Op::isspacep},
                                                                  {"ld", Op::ld},
                                                                  {"ldmatrix", Op::wmma},
                                                                  {"ldu", Op::ld},
                                                                  {"lg2", Op::lg2},
                                                                  {"lop3", Op::lop3},
                                                                  {"mad", Op::mad},
                                                                  {"match", Op::match},
                                                                  {"max", Op::max},
                                                                  {"min", Op::min},
                                                                  {"mma", Op::mma},
                                                                  {"mov", Op::mov},
                                                                  {"mul", Op::mul},
                                                                  {"nanosleep", Op::nanosleep},
                                                                  {"neg", Op::neg},
                                                                  {"not", Op::not_},
                                                                  {"or", Op::or_},
                                                                  {"popc", Op::popc},
                                                                  {"prefetch", Op::prefetch},
                                                                  {"prmt", Op::prmt},
                                                                  {"rcp", Op::rcp},
                                                                  {"red", Op::red},
                                                                  {"redux", Op::redux},
                                                                  {"rem", Op::rem},
                                                                  {"ret", Op::ret},
                                                                  {"rsqrt", Op::rsqrt},
                                                                  {"sad", Op::sad},
                                                                  {"selp", Op::selp},
                                                                  {"set", Op::set},
                                                                  {"setp", Op::setp},
                                                                  {"shf", Op::shf},
                                                                  {"shfl", Op::shfl},
                                                                  {"shl", Op::shl},
                                                                  {"shr", Op::shr},
                                                                  {"sin", Op::sin},
                                                                  {"slct", Op::slct},
                                                                  {"sqrt", Op::sqrt},
                                                                  {"st", Op::st},
                                                                  {"stmatrix", Op::wmma},
                                                                  {"sub", Op::sub},
                                                                  {"tanh", Op::tanh},
                                                                  {"trap", Op::trap},
                                                                  {"vote", Op::vote},
                                                                  {"vabsdiff2", Op::parts},
                                                                  {"vabsdiff4", Op::parts},
                                                                  {"wmma", Op::wmma},
                                                                  {"xor", Op::xor_}}};

template <typename Pairs>
auto find(const Pairs& pairs, std::string_view name) {
  return std::ranges::find(pairs, name, [](const auto& pair) { return pair.first; });
}

// Words that stand for a mode, by the instructions that have them.
struct ModeName {
  std::string_view name;
  uint8_t mode;
};
constexpr ModeName comparisons[] = {{"eq", modes::eq},   {"ne", modes::ne},   {"lt", modes::lt},
                                    {"le", modes::le},   {"gt", modes::gt},   {"ge", modes::ge},
                                    {"lo", modes::lt},   {"ls", modes::le},   {"hi", modes::gt},
                                    {"hs", modes::ge},   {"equ", modes::equ}, {"neu", modes::neu},
                                    {"ltu", modes::ltu}, {"leu", modes::leu}, {"gtu", modes::gtu},
                                    {"geu", modes::geu}, {"num", modes::num}, {"nan", modes::nan}};
constexpr ModeName roundings[] = {
    {"rn", modes::rn},         {"rz", modes::rz},      {"rm", modes::rm},   {"rp", modes::rp},
    {"rni", modes::rni},       {"rzi", modes::rzi},    {"rmi", modes::rmi}, {"rpi", modes::rpi},
    {"approx", modes::approx}, {"full", modes::approx}};
constexpr ModeName atomics[] = {
    {"add", modes::add},  {"min", modes::min},   {"max", modes::max}, {"inc", modes::inc},
    {"dec", modes::dec},  {"exch", modes::exch}, {"cas", modes::cas}, {"and", modes::bitAnd},
    {"or", modes::bitOr}, {"xor", modes::bitXor}};
constexpr ModeName shuffles[] = {
    {"up", modes::up}, {"down", modes::down}, {"bfly", modes::bfly}, {"idx", modes::idx}};
constexpr ModeName votes[] = {
    {"all", modes::all}, {"any", modes::any}, {"uni", modes::uni}, {"ballot", modes::ballot}};
constexpr ModeName barriers[] = {{"warp", modes::warp},
                                 {"arrive", modes::arrive},
                                 {"popc", modes::popc},
                                 {"and", modes::all},
                                 {"or", modes::any}};
constexpr ModeName funnelShifts[] = {{"l", modes::left}, {"r", modes::right}};

template <size_t n>
bool takeMode(Instruction& i, const ModeName (&names)[n], std::string_view part) {
  for (const ModeName& each : names)
    if (each.name == part) return i.mode = each.mode, true;
  return false;
}

bool takeMode(Instruction& i, std::string_view part) {
  switch (i.op) {
    case Op::setp:
    case Op::set:
      if (part == "and" || part == "or" || part == "xor")
        return i.combine = part == "and" ? 1 : part == "or" ? 2 : 3, true;
      return takeMode(i, comparisons, part);
    case Op::atom:
    case Op::red:
    case Op::redux: return takeMode(i, atomics, part);
    case Op::shfl: return takeMode(i, shuffles, part);
    case Op::vote:
    case Op::match: return takeMode(i, votes, part);
    case Op::bar: return takeMode(i, barriers, part);
    case Op::shf: return takeMode(i, funnelShifts, part);
    default: return takeMode(i, roundings, part);
  }
}

bool takeSpace(Instruction& i, std::string_view part) {
  if (part == "global") return i.space = Space::global, true;
  if (part.starts_with("shared")) return i.space = Space::shared, true;
  if (part == "local") return i.space = Space::local, true;
  if (part == "param") return i.space = Space::param, true;
  if (part == "const") return i.space = Space::constant, true;
  return false;
}

}  // namespace

Type typeNamed(std::string_view name) {
  const auto found = find(types, name);
  return found == types.end() ? Type::none : found->second;
}

std::optional<Op> opNamed(std::string_view name) {
  const auto found = find(ops, name);
  if (found == ops.end()) return {};
  return found->second;
}

unsigned bytesOf(Type type) {
  switch (type) {
    case Type::b8:
    case Type::u8:
    case Type::s8: return 1;
    case Type::b16:
    case Type::u16:
    case Type::s16:
    case Type::f16:
    case Type::bf16: return 2;
    case Type::b64:
    case Type::u64:
    case Type::s64:
    case Type::f64: return 8;
    case Type::b128: return 16;
    case Type::none:
    case Type::pred: return 0;
    default: return 4;
  }
}
bool isFloat(Type type) { return type >= Type::f16; }
bool isSigned(Type type) { return type >= Type::s8 && type <= Type::s64; }

void readName(Instruction& i, std::string_view name) {
  i.name = name;
  const std::string_view first = name.substr(0, name.find('.'));
  const bool takesCarry = first == "addc" || first == "subc" || first == "madc";
  const std::optional<Op> op = opNamed(first.substr(0, takesCarry ? 3 : first.size()));
  if (!op) throw Unsupported("the instruction " + std::string(name) + " is not known here");
  i.op = *op;
  for (size_t at = first.size(); at < name.size();) {
    const size_t end = std::min(name.find('.', at + 1), name.size());
    const std::string_view part = name.substr(at + 1, end - at - 1);
    at = end;
    if (const Type type = typeNamed(part); type != Type::none) {
      if (i.type == Type::none || (i.op != Op::cvt && i.op != Op::set))
        i.type = type;
      else
        i.from = type;
    } else if (part == "u16x2" || part == "s16x2") {
      i.op = Op::parts;
      i.type = Type::b32;
    } else if (part == "wide") {
      i.wide = true;
    } else if (part == "hi" && i.op != Op::setp && i.op != Op::set) {
      i.high = true;
    } else if (part == "sat") {
      i.saturates = true;
    } else if (part == "volatile") {
      i.isVolatile = true;
    } else if (part == "cs" || part == "nc") {
      i.evictsFirst = part == "cs";
      i.isReadOnly = part == "nc";
    } else if (part == "v2" || part == "v4") {
      i.vector = part == "v2" ? 2 : 4;
    } else if (!takeSpace(i, part)) {
      takeMode(i, part);  // others change nothing that is looked at here
    }
  }
  if (takesCarry || name.find(".cc.") != std::string_view::npos) {
    i.mode = i.op == Op::add ? modes::sum : i.op == Op::sub ? modes::difference : modes::product;
    i.op = Op::carry;
  }
}

}  // namespace estimate::gpu_code
