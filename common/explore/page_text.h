// Texts of which a page is put together.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

// Which compiler compiled this program: estimates differ a little between them.
extern const char* const hostCompiler;

// The script by which a page speaks the language of the page around it.
extern const char* const languageScript;

// Puts the text in the place of the mark, which stands there once at least. Throws Error otherwise.
void fillIn(std::string& page, std::string_view mark, const std::string& by);

// A part of a page, style or script, as one line without comments and indentation: a page is data,
// whose sources are here. No part may have text over several lines, or a statement that ends where
// its line does.
std::string oneLine(std::string_view part);

// For the inside of a script element: nothing in it can end the element or begin a comment of HTML.
std::string scriptText(const nlohmann::json& data);
