#include "simtcc/translate/assembler.h"

#include <elf.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <string_view>
#include <vector>

#include "simtcc/translate/compiler.h"
#include "simtcc/translate/control_words.h"
#include "simtcc/translate/processes.h"

namespace simt::cc {
namespace {

constexpr unsigned mostSeconds = 20;
constexpr size_t instructionBytes = 16;

// A call of a function of mathematics that has no code here: one instruction instead, as the
// function's own are known otherwise. Nothing for another call.
std::string withoutCall(const std::vector<std::string>& lines, size_t firstNumber) {
  std::vector<std::string> operands;
  std::string result, type;
  size_t call = 0;
  bool isMathematics = false;
  const auto registerIn = [](const std::string& line) {
    const size_t from = line.find('%');
    return from == std::string::npos ? ""
                                     : line.substr(from, line.find_first_of(" ,;", from) - from);
  };
  for (size_t i = 0; i < lines.size(); ++i) {
    const std::string& line = lines[i];
    if (line.find("st.param.") != std::string::npos) {
      operands.push_back(registerIn(line));
    } else if (const size_t load = line.find("ld.param."); load != std::string::npos) {
      result = registerIn(line);
      type = line.substr(load + 9, 3);
    } else if (line.find("call.") != std::string::npos) {
      call = firstNumber + i;
    }
    isMathematics = isMathematics || line.find("__nv_") != std::string::npos ||
                    line.find("\tsimt") != std::string::npos;
  }
  const bool isKnown = std::ranges::none_of(operands, [](const auto& o) { return o.empty(); });
  if (!isMathematics || operands.empty() || !isKnown || (type != "f32" && type != "f64")) return "";
  std::string text = ".loc 1 " + std::to_string(call) + " 1\n";
  if (type == "f32" && operands.size() == 1) {
    text += "ex2.approx.ftz.f32 " + result + ", " + operands[0] + ";\n";
  } else {
    text += "fma.rn." + type + " " + result + ", " + operands[0] + ", " + operands.back() + ", " +
            operands[0] + ";\n";
  }
  return text;
}

// Each line of PTX that has instructions says its number: that is what a debugger would be told.
std::string withLineNumbers(const std::string& ptx) {
  std::string text;
  std::istringstream lines(ptx);
  std::vector<std::string> call;  // from the brace before one
  int depth = 0;
  size_t number = 0;
  bool isOpen = false;  // an instruction goes on
  bool isDebug = false;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    const size_t at = line.find_first_not_of(" \t");
    std::string_view words = at == std::string::npos ? std::string_view() : line;
    if (at != std::string::npos) words.remove_prefix(at);
    if (words.starts_with(".section")) isDebug = true;
    if (words.starts_with(".loc\t") || words.starts_with(".loc ") || words.starts_with(".file") ||
        isDebug) {
      if (words.starts_with("}")) isDebug = false;
      text += '\n';
      continue;
    }
    if (!call.empty() || words.starts_with("{ // callseq")) {
      call.push_back(line);
      if (!words.starts_with("}")) continue;
      const size_t first = number + 1 - call.size();
      const std::string instead = withoutCall(call, first);
      text += instead;
      for (size_t i = 0; i < call.size() && instead.empty(); ++i) {
        if (call[i].find("call") != std::string::npos ||
            call[i].find("param.") != std::string::npos)
          text += ".loc 1 " + std::to_string(first + i) + " 1\n";
        text += call[i] + '\n';
      }
      call.clear();
      continue;
    }
    if (words.starts_with(".target")) line = line.substr(0, line.find(", debug"));
    const bool begins =
        !isOpen && depth > 0 && !words.empty() &&
        (std::islower(static_cast<unsigned char>(words[0])) || words[0] == '@' || words[0] == '{');
    if (begins) text += ".loc 1 " + std::to_string(number) + " 1\n";
    text += line + '\n';
    if (words.starts_with(".address_size")) text += ".file 1 \"code.ptx\"\n";
    const std::string_view code = words.substr(0, words.find("//"));
    depth += int(std::ranges::count(code, '{')) - int(std::ranges::count(code, '}'));
    if (depth == 0 || code.empty()) continue;
    const bool isLabel = code.find(':') != std::string_view::npos && code[0] != '@';
    if (code.find(';') != std::string_view::npos)
      isOpen = false;
    else if (begins && words[0] != '{' && !isLabel)
      isOpen = true;
  }
  return text;
}

template <typename T>
T at(std::string_view bytes, size_t place) {
  T value{};
  if (place + sizeof value <= bytes.size()) std::memcpy(&value, bytes.data() + place, sizeof value);
  return value;
}

// The parts of an object file that say which instruction comes from which line.
class Cubin {
 public:
  explicit Cubin(std::string_view bytes) : bytes_(bytes) {
    const auto header = at<Elf64_Ehdr>(bytes, 0);
    for (size_t i = 0; i < header.e_shnum; ++i)
      sections_.push_back(at<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr)));
    if (header.e_shstrndx >= sections_.size()) return;
    for (const Elf64_Shdr& s : sections_)
      names_.push_back(name(sections_[header.e_shstrndx], s.sh_name));
    readLines();
  }
  std::string text() const;

 private:
  std::string_view contents(const Elf64_Shdr& s) const {
    const size_t from = std::min<size_t>(s.sh_offset, bytes_.size());
    return bytes_.substr(from, s.sh_size);
  }
  std::string_view name(const Elf64_Shdr& strings, size_t place) const {
    const std::string_view all =
        contents(strings).substr(std::min<size_t>(place, contents(strings).size()));
    return all.substr(0, all.find('\0'));
  }
  void readLines();
  std::map<std::string, uint32_t> registersOfFunctions() const;
  std::map<uint64_t, std::string> namesOfAddresses(size_t lines) const;

  std::string_view bytes_;
  std::vector<Elf64_Shdr> sections_;
  std::vector<std::string_view> names_;
  std::map<std::string, std::map<uint64_t, uint32_t>> lines_;  // of functions: by address
};

// Where the program of lines has an address that the linker would fill in: whose function's.
std::map<uint64_t, std::string> Cubin::namesOfAddresses(size_t lines) const {
  std::map<uint64_t, std::string> all;
  for (const Elf64_Shdr& s : sections_) {
    if ((s.sh_type != SHT_REL && s.sh_type != SHT_RELA) || s.sh_info != lines ||
        s.sh_link >= sections_.size())
      continue;
    const Elf64_Shdr& symbols = sections_[s.sh_link];
    if (symbols.sh_link >= sections_.size()) continue;
    const size_t each = s.sh_type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela);
    for (size_t i = 0; i + each <= s.sh_size; i += each) {
      const auto entry = at<Elf64_Rel>(bytes_, s.sh_offset + i);
      const auto symbol =
          at<Elf64_Sym>(bytes_, symbols.sh_offset + ELF64_R_SYM(entry.r_info) * sizeof(Elf64_Sym));
      std::string_view of = name(sections_[symbols.sh_link], symbol.st_name);
      if (ELF64_ST_TYPE(symbol.st_info) == STT_SECTION && symbol.st_shndx < names_.size())
        of = names_[symbol.st_shndx];
      if (of.starts_with(".text.")) of.remove_prefix(6);
      all[entry.r_offset] = of;
    }
  }
  return all;
}

// DWARF's program of lines, as ptxas writes it.
void Cubin::readLines() {
  const auto found = std::ranges::find(names_, ".debug_line");
  if (found == names_.end()) return;
  const auto section = size_t(found - names_.begin());
  const std::string_view code = contents(sections_[section]);
  const std::map<uint64_t, std::string> functions = namesOfAddresses(section);
  size_t p = 0;
  const auto byte = [&] { return at<uint8_t>(code, p++); };
  const auto number = [&](bool isSigned) {
    int64_t value = 0;
    unsigned shift = 0;
    uint8_t b = 0;
    do {
      b = byte();
      if (shift < 64) value |= int64_t(b & 127) << shift;
      shift += 7;
    } while ((b & 128) && p < code.size());
    if (isSigned && (b & 64) && shift < 64) value -= int64_t(1) << shift;
    return value;
  };
  while (p + 15 < code.size()) {
    const size_t end = std::min(p + 4 + at<uint32_t>(code, p), code.size());
    size_t program = p + 10 + at<uint32_t>(code, p + 6);
    p += 10;
    const uint8_t unit = byte();
    byte();
    const auto base = int8_t(byte());
    const uint8_t range = std::max<uint8_t>(byte(), 1), first = byte();
    const std::string_view operands = code.substr(std::min(p, code.size()));
    uint64_t address = 0;
    int64_t line = 1;
    std::map<uint64_t, uint32_t>* function = nullptr;
    const auto add = [&] {
      if (function) (*function)[address] = uint32_t(line);
    };
    for (p = program; p < end;) {
      const uint8_t op = byte();
      if (op >= first) {
        address += unsigned(op - first) / range * unit;
        line += base + (op - first) % range;
        add();
      } else if (op == 0) {
        const auto length = size_t(number(false));
        const size_t next = p + length;
        const uint8_t extended = byte();
        if (extended == 2) {
          const auto known = functions.find(p);
          function = known == functions.end() ? nullptr : &lines_[known->second];
          address = at<uint64_t>(code, p);
        } else if (extended == 1) {
          address = 0, line = 1;
        }
        p = std::max(next, p);
      } else if (op == 1) {
        add();
      } else if (op == 2) {
        address += uint64_t(number(false)) * unit;
      } else if (op == 3) {
        line += number(true);
      } else if (op == 8) {
        address += unsigned(255 - first) / range * unit;
      } else if (op == 9) {
        address += at<uint16_t>(code, p), p += 2;
      } else {
        for (unsigned i = 0; i < at<uint8_t>(operands, op - 1u); ++i) number(false);
      }
    }
    p = end;
  }
}

// Of .nv.info: a kind of value, which, and for those of a length that, a symbol and the value.
std::map<std::string, uint32_t> Cubin::registersOfFunctions() const {
  constexpr uint8_t withLength = 4, registerCount = 0x2f;
  std::map<std::string, uint32_t> all;
  const auto info = std::ranges::find(names_, ".nv.info"),
             symbols = std::ranges::find(names_, ".symtab");
  if (info == names_.end() || symbols == names_.end()) return all;
  const Elf64_Shdr& table = sections_[size_t(symbols - names_.begin())];
  const std::string_view values = contents(sections_[size_t(info - names_.begin())]);
  for (size_t p = 0; p + 4 <= values.size();) {
    const size_t length = at<uint8_t>(values, p) == withLength ? at<uint16_t>(values, p + 2) : 0;
    if (length >= 8 && at<uint8_t>(values, p + 1) == registerCount &&
        table.sh_link < sections_.size()) {
      const auto symbol =
          at<Elf64_Sym>(bytes_, table.sh_offset + at<uint32_t>(values, p + 4) * sizeof(Elf64_Sym));
      all[std::string(name(sections_[table.sh_link], symbol.st_name))] =
          at<uint32_t>(values, p + 8);
    }
    p += 4 + length;
  }
  return all;
}

std::string Cubin::text() const {
  constexpr uint64_t branch = 0x947, callRelative = 0x944, addNumber = 0x836, addNumbers = 0x810,
                     always = 7, ifParted = 1ull << 27;
  std::map<std::string, uint32_t> registers = registersOfFunctions();
  std::ostringstream text;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (!names_[i].starts_with(".text.")) continue;
    const std::string function(names_[i].substr(6));
    const auto lines = lines_.find(function);
    if (lines == lines_.end()) continue;
    text << "//assembled " << function << ' ' << std::dec << registers[function] << std::hex;
    const std::string_view code = contents(sections_[i]);
    ControlWords control;
    for (size_t place = 0; place + instructionBytes <= code.size(); place += instructionBytes) {
      const auto low = at<uint64_t>(code, place), high = at<uint64_t>(code, place + 8);
      const auto next = lines->second.upper_bound(place);
      const uint32_t line = next == lines->second.begin() ? 0 : std::prev(next)->second;
      const uint64_t op = low & 0xfff;
      // Always, under a predicate, or by warps whose lanes are not together.
      char when = (low >> 12 & 15) == always ? 'u' : 'p';
      if (op == branch && (high & ifParted) != 0) when = 'v';
      text << ' ' << op << when << std::dec << line << std::hex;
      if (op == branch || op == callRelative) {
        // 56 bits, in steps of four bytes, from the next instruction
        const uint64_t steps = (low >> 16 & 0xff) | (low >> 34 | (high & 0x3ffff) << 30) << 8;
        const int64_t further = int64_t(steps << 8) >> 8;
        text << '+' << std::dec << (further * 4 / int64_t(instructionBytes) + 1) << std::hex;
      }
      if (op == addNumber || op == addNumbers)
        text << '#' << std::dec << int32_t(low >> 32) << std::hex;
      text << ':' << control.of(low, high);
    }
    text << '\n';
  }
  return text.str();
}

}  // namespace

std::string assembled(const std::string& ptx, const std::string& ptxas,
                      const TemporaryFolder& folder) {
  const std::string source = folder.file("lines.ptx"), object = folder.file("lines.cubin");
  writeFile(source, withLineNumbers(ptx));
  // Functions that are elsewhere, if it has to be.
  for (const Words& more : {Words{}, Words{"-c"}}) {
    ProgramBeside run(Words{ptxas, "-arch=sm_90", "-lineinfo", "-w", "-o", object, source} + more,
                      folder.file("ptxas.log"));
    if (run.wait(mostSeconds) != 0) continue;
    const std::string bytes = readFile(object);
    return Cubin(bytes).text();
  }
  return "";
}

}  // namespace simt::cc
