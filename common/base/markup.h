// The structure of HTML and SVG that programs wrote, to know their own files again.
#pragma once

#include <string>

// Whether the whole text is one element of this name: a doctype may stand before it, every element
// in it ends where it should, and nothing follows.
bool isOneElement(const std::string& text, const std::string& name);
