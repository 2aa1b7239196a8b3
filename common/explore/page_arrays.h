// The arrays of a page: what their elements are, where they lie in lines and banks, and what was in
// them before.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "explore/declared_types.h"
#include "explore/page_steps.h"
#include "explore/sentences.h"
#include "explore/values.h"

// An array that the steps touch. A cell is what the page shows as one: an element, or a part of one
// where elements are structs.
struct PageArray {
  simt::TracedArray traced;
  unsigned cell = 4;       // bytes
  unsigned element = 4;    // likewise
  uint64_t lineBegin = 0;  // an address at which a line of 128 bytes, or bank 0, begins
  ValueType type = ValueType::integer;
  std::string typeName = {};  // as declared, or "" where the type is guessed from the values' bits
  std::vector<uint64_t> lines = {};  // rows of the page that are touched, by number

  bool isShared() const { return traced.space == simt::MemorySpace::shared; }
  uint64_t cells() const { return traced.bytes / cell; }
  uint64_t offset() const { return (traced.address - lineBegin) / cell; }
  uint64_t cellAt(uint64_t address) const { return (address - traced.address) / cell; }
  uint64_t sectorAt(uint64_t address) const { return (address - lineBegin) / 32; }
  uint64_t rowAt(uint64_t address) const { return (address - lineBegin) / (cell * perRow()); }
  unsigned perRow() const { return 128 / cell < 32 ? 128 / cell : 32; }
  std::string elementAt(uint64_t address) const;  // "data[3]"
  std::string typeText() const;
};

class PageArrays {
 public:
  // also: names of arrays that come first, and are shown although no step touches them.
  PageArrays(const simt::Trace& trace, const std::vector<PageStep>& steps,
             const std::set<std::string>& also = {}, const DeclaredTypes& declared = {});

  const std::vector<PageArray>& all() const { return arrays_; }
  // The place of the array that has this address; nothing where none is known.
  std::optional<unsigned> placeOf(uint64_t address) const;
  std::optional<unsigned> placeOf(const std::string& name) const;

  Touched touchedBy(const simt::Trace& trace, const simt::TraceStep& step) const;

  // For each of these steps that is an atomic: by lane, what its cell holds at the next access,
  // null where there is none.
  std::map<size_t, nlohmann::json> afterAtomics(const simt::Trace& trace,
                                                const std::vector<PageStep>& steps) const;

  // What steps found in global memory that nobody had stored before them.
  nlohmann::json asJson(const simt::Trace& trace, const std::vector<PageStep>& steps) const;

 private:
  template <typename Function>
  void forEachAccess(const simt::Trace& trace, const std::vector<PageStep>& steps,
                     Function&& function) const;
  void measure(const simt::Trace& trace, const std::vector<PageStep>& steps,
               const DeclaredTypes& declared);

  std::vector<PageArray> arrays_;
};

bool isAccess(const PageStep& step);
