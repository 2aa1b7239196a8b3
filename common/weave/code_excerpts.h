// Functions of the sources, and how one differs from another.
#pragma once

#include <string>

#include "weave/repository.h"

// PATH FUNCTION [from "TEXT"] [to "TEXT" | before "TEXT"] [less COLUMNS]: a function of a source,
// or the part of it from the first line with one text up to the next with another, with so many
// blanks less in front. As a block of code. Throws Error (exitUsage).
std::string codeBlock(const std::string& recipe, const Repository& repository);

// PATH FUNCTION PATH FUNCTION: how the body of the second differs from the first's, without their
// comments, which say something else in every lesson. Throws Error (exitUsage).
std::string diffBlock(const std::string& recipe, const Repository& repository);

// What changed from one text to another, by lines: those that went with -, those that came with +.
// Empty for equal texts. With context, the lines that stayed between them as well.
std::string changedLines(const std::string& from, const std::string& to, bool context);
