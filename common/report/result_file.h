// Result files: JSON of schema 1, written by programs and read by compare and weave.
#pragma once

#include "base/output_file.h"
#include "report/report.h"

// Where a result file will go. Made before the run: throws Error (exitUsage) when the file cannot
// be written, or exists and is not a result file. An empty path writes nothing.
class ResultFile {
 public:
  explicit ResultFile(const std::string& path);
  void write(const Report& report);

 private:
  OutputFile file_;
};

// True for the text of a result file that the reader accepts.
bool isResultFile(const std::string& text);

// The report in a result file; a step's median, minimum and maximum are taken from its samples.
// Trusts nothing: throws Error (exitUsage) with one line, "FILE: reason", for a file that cannot be
// read, is not JSON, is cut short, is of another schema, or holds what no program can have
// measured. A step whose result is not the expected one is wrong, whatever the file says. Names
// are what terminalText (base/escape.h) makes of them, and cut at whole characters.
Report readResult(const std::string& path);

// The same from a text; path is for the message only.
Report parseResult(const std::string& text, const std::string& path);

// The text of a result file, and the same as programs write it today: every value, times with seven
// digits, perhaps in another layout, and fields that older files lack. Both throw Error
// (exitUsage), the second also where a value of the text would be lost.
std::string resultText(const std::string& path);
std::string rewritten(const std::string& text, const std::string& path);
