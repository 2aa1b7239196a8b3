// To what multiple the objects in memory are aligned by their type, as far as that is known: what
// decides whether a GPU's compiler reads several members of one at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "simt/memory/arguments.h"

namespace simt {

// The kernel of the next launch takes what is at the pointer for objects of a class that is aligned
// like this. 0 forgets it.
void setElementAlignment(const void* pointer, size_t alignment);

// The same for the arguments of a launch that are pointers.
template <typename... Parameters>
void setElementAlignments(const Arguments<Parameters...>& parameters) {
  const auto set = []<typename T>(const T& parameter, bool forget) {
    if constexpr (std::is_pointer_v<T>) {
      using Element = std::remove_pointer_t<T>;
      if constexpr (std::is_class_v<Element> && requires { sizeof(Element); })
        setElementAlignment(const_cast<const void*>(static_cast<const volatile void*>(parameter)),
                            forget ? 0 : alignof(Element));
    }
  };
  parameters.passTo([&](const auto&... each) { (set(each, true), ...), (set(each, false), ...); });
}

// Of the objects in the array or shared variable at this address; 0 where that is not known. Arrays
// of numbers in device memory are not looked at: numbers have no members.
size_t elementAlignment(uintptr_t address);

}  // namespace simt
