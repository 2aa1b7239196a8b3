// Reads DWARF 4 (-gdwarf-4), and of it what leads from a thread-local variable to its type.
#include "simt/image/variable_types.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "simt/image/dwarf_reader.h"

#ifdef __linux__
#include <elf.h>
#endif

namespace simt {
namespace {

#ifdef __linux__

// The numbers are the standard's.
enum Tag : uint64_t {
  arrayType = 0x01,
  classType = 0x02,
  enumeration = 0x04,
  member = 0x0d,
  pointerType = 0x0f,
  structureType = 0x13,
  typedefType = 0x16,
  unionType = 0x17,
  inheritance = 0x1c,
  baseType = 0x24,
  constType = 0x26,
  variable = 0x34,
  volatileType = 0x35
};
enum Attribute : uint64_t {
  location = 0x02,
  byteSize = 0x0b,
  abstractOrigin = 0x31,
  specification = 0x47,
  type = 0x49,
  alignment = 0x88
};

// How entries of one kind look.
struct Shape {
  uint64_t tag = 0;
  bool hasChildren = false;
  std::vector<std::pair<uint64_t, uint64_t>> attributes;  // what, and in which form
};

// An entry, as far as it matters here.
struct Entry {
  uint64_t tag = 0, type = 0, origin = 0;
  uint64_t alignment = 0, byteSize = 0;
  uint64_t mostAligned = 0;  // of a class's members
  uint64_t threadLocalOffset = UINT64_MAX;
};

class TypeReader {
 public:
  TypeReader(std::string_view info, std::string_view abbreviations)
      : info_(info), abbreviations_(abbreviations) {}

  std::map<uint64_t, size_t> read() {
    DwarfReader units(info_);
    while (!units.atEnd()) {
      const size_t begin = units.at();
      const uint64_t length = units.number(4);
      if (length >= 0xfffffff0) break;
      const size_t end = units.at() + length;
      const uint64_t version = units.number(2);
      const uint64_t shapes = units.number(4);
      units.skip(1);
      if (version == 4) readUnit(begin, units.at(), std::min(end, info_.size()), shapes);
      units = DwarfReader(info_, end);
    }
    return std::move(found_);
  }

 private:
  void readShapes(uint64_t at) {
    shapes_.clear();
    DwarfReader reader(abbreviations_, at);
    for (uint64_t number; (number = reader.leb()) != 0 && !reader.atEnd();) {
      Shape& shape = shapes_[number];
      shape.tag = reader.leb();
      shape.hasChildren = reader.number(1) != 0;
      for (;;) {
        const uint64_t attribute = reader.leb(), form = reader.leb();
        if (attribute == 0 && form == 0) break;
        shape.attributes.emplace_back(attribute, form);
      }
    }
  }

  // The value of a number or of a reference, made one into all units; else 0.
  static uint64_t value(DwarfReader& reader, uint64_t form, size_t unit) {
    switch (form) {
      case 0x0b: return reader.number(1);
      case 0x05: return reader.number(2);
      case 0x06:
      case 0x0e:
      case 0x17:
      case 0x10: return reader.number(4);
      case 0x07:
      case 0x01:
      case 0x20: return reader.number(8);
      case 0x0d:
      case 0x0f: return reader.leb();
      case 0x0c: return reader.number(1);
      case 0x19: return 1;
      case 0x11: return unit + reader.number(1);
      case 0x12: return unit + reader.number(2);
      case 0x13: return unit + reader.number(4);
      case 0x14: return unit + reader.number(8);
      case 0x15: return unit + reader.leb();
      case 0x08: reader.skipText(); return 0;
      case 0x0a: reader.skip(reader.number(1)); return 0;
      case 0x03: reader.skip(reader.number(2)); return 0;
      case 0x04: reader.skip(reader.number(4)); return 0;
      case 0x09:
      case 0x18: reader.skip(reader.leb()); return 0;
      case 0x16: return value(reader, reader.leb(), unit);
      default: reader.skip(UINT32_MAX); return 0;  // unknown: this unit cannot be read on
    }
  }

  // A constant, and that it is behind the beginning of the thread-local variables.
  static uint64_t readLocation(DwarfReader& reader, uint64_t form, size_t unit) {
    if (form != 0x18) {
      value(reader, form, unit);
      return UINT64_MAX;
    }
    const uint64_t length = reader.leb();
    const size_t end = reader.at() + length;
    uint64_t offset = UINT64_MAX;
    const uint64_t operation = reader.number(1);
    const size_t size = operation == 0x0e ? 8 : operation == 0x0c ? 4 : 0;
    if (size > 0 && length == size + 2) {
      const uint64_t constant = reader.number(size), last = reader.number(1);
      if (last == 0xe0 || last == 0x9b) offset = constant;
    }
    reader.skip(end - reader.at());
    return offset;
  }

  Entry readEntry(DwarfReader& reader, const Shape& shape, size_t unit) {
    Entry entry{.tag = shape.tag};
    for (const auto& [attribute, form] : shape.attributes) {
      if (attribute == Attribute::location) {
        entry.threadLocalOffset = readLocation(reader, form, unit);
        continue;
      }
      const uint64_t v = value(reader, form, unit);
      if (attribute == Attribute::type) entry.type = v;
      if (attribute == Attribute::abstractOrigin || attribute == Attribute::specification)
        entry.origin = v;
      if (attribute == Attribute::alignment) entry.alignment = v;
      if (attribute == Attribute::byteSize) entry.byteSize = v;
    }
    return entry;
  }

  void readUnit(size_t unit, size_t begin, size_t end, uint64_t shapes) {
    readShapes(shapes);
    entries_.clear();
    std::vector<uint64_t> parents, variables;
    std::vector<std::pair<uint64_t, uint64_t>> members;  // a class, and the type of a member
    for (DwarfReader reader(info_, begin); reader.at() < end;) {
      const uint64_t at = reader.at(), number = reader.leb();
      if (number == 0) {
        if (!parents.empty()) parents.pop_back();
        continue;
      }
      const Shape& shape = shapes_[number];
      const Entry entry = readEntry(reader, shape, unit);
      if ((entry.tag == Tag::member || entry.tag == Tag::inheritance) && !parents.empty())
        members.emplace_back(parents.back(), entry.type);
      if (entry.threadLocalOffset != UINT64_MAX && entry.tag == Tag::variable)
        variables.push_back(at);
      if (leadsToTypes(entry.tag)) entries_[at] = entry;
      if (shape.hasChildren) parents.push_back(at);
    }
    if (variables.empty()) return;
    members_.clear();
    for (const auto& [parent, type] : members) members_[parent].push_back(type);
    for (const uint64_t at : variables) {
      Entry entry = entries_[at];
      for (int i = 0; i < 3 && entry.type == 0 && entry.origin != 0; ++i) {
        const uint64_t offset = entry.threadLocalOffset;
        entry = entries_[entry.origin];
        entry.threadLocalOffset = offset;
      }
      found_[entries_[at].threadLocalOffset] = alignmentInVariable(entry.type);
    }
  }

  // The compiler places the variable: its elements lie at multiples of their size.
  size_t alignmentInVariable(uint64_t type) {
    const size_t byType = alignmentOf(type, 0);
    while (entries_.contains(type) && isNameOrArray(entries_[type].tag)) type = entries_[type].type;
    if (!isClass(entries_[type].tag)) return byType;
    const uint64_t size = entries_[type].byteSize;
    return std::max<size_t>(byType, std::min<uint64_t>(16, size & (~size + 1)));
  }

  static bool leadsToTypes(uint64_t tag) {
    return isNameOrArray(tag) || isClass(tag) || tag == Tag::variable || tag == Tag::baseType ||
           tag == Tag::enumeration || tag == Tag::pointerType;
  }
  static bool isNameOrArray(uint64_t tag) {
    return tag == Tag::arrayType || tag == Tag::typedefType || tag == Tag::constType ||
           tag == Tag::volatileType;
  }
  static bool isClass(uint64_t tag) {
    return tag == Tag::structureType || tag == Tag::classType || tag == Tag::unionType;
  }

  // Of a class or a number; an array's is that of its elements.
  size_t alignmentOf(uint64_t at, int depth) {
    if (at == 0 || depth > 20 || !entries_.contains(at)) return 0;
    const Entry& entry = entries_[at];
    if (isNameOrArray(entry.tag))
      return std::max<size_t>(entry.alignment, alignmentOf(entry.type, depth + 1));
    if (!isClass(entry.tag)) return std::min<size_t>(entry.byteSize, 16);
    size_t most = entry.alignment;
    for (const uint64_t member : members_[at])
      most = std::max(most, alignmentOf(member, depth + 1));
    return most;
  }

  std::string_view info_, abbreviations_;
  std::unordered_map<uint64_t, Shape> shapes_;
  std::unordered_map<uint64_t, Entry> entries_;  // of one unit, by their place
  std::unordered_map<uint64_t, std::vector<uint64_t>> members_;
  std::map<uint64_t, size_t> found_;
};

std::map<uint64_t, size_t> readAlignments() {
  std::ifstream file("/proc/self/exe", std::ios::binary | std::ios::ate);
  std::string image(size_t(std::max<std::streamoff>(0, file.tellg())), '\0');
  file.seekg(0).read(image.data(), std::streamsize(image.size()));
  Elf64_Ehdr header;
  if (image.size() < sizeof header) return {};
  std::memcpy(&header, image.data(), sizeof header);
  const auto section = [&](size_t i) {
    Elf64_Shdr s;
    std::memcpy(&s, image.data() + header.e_shoff + i * sizeof s, sizeof s);
    return s;
  };
  const size_t names = section(header.e_shstrndx).sh_offset;
  std::string_view info, abbreviations;
  for (size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr s = section(i);
    const std::string_view name = image.data() + names + s.sh_name;
    const bool compressed = s.sh_flags & SHF_COMPRESSED;
    if (s.sh_type == SHT_NOBITS || compressed || s.sh_offset + s.sh_size > image.size()) continue;
    const std::string_view content(image.data() + s.sh_offset, s.sh_size);
    if (name == ".debug_info") info = content;
    if (name == ".debug_abbrev") abbreviations = content;
  }
  return TypeReader(info, abbreviations).read();
}

#else
std::map<uint64_t, size_t> readAlignments() { return {}; }
#endif

}  // namespace

size_t alignmentOfThreadLocal(uintptr_t offset) {
  static const auto& known = *new std::map<uint64_t, size_t>(readAlignments());
  const auto it = known.find(offset);
  return it == known.end() ? 0 : it->second;
}

}  // namespace simt
