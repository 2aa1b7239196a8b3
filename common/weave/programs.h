// What the programs of this build print and draw, for pages.
#pragma once

#include <string>

#include "weave/repository.h"

// Runs a command such as build/cpu/08_shuffle --demo, in the repository's root, and returns what it
// prints, standard error included, without what differs from machine to machine. No shell reads the
// command: it is the name of a cpu program of this build and plain words. Throws Error (exitUsage)
// for any other command, for a program that fails, and for one that takes longer than five minutes.
std::string outputOf(const std::string& command, const Repository& repository);

// What a program draws with --svg. Throws Error (exitUsage) as outputOf, and for what is no
// drawing.
std::string drawingOf(const std::string& command, const Repository& repository);

// The page that a program writes with --explore, likewise.
std::string exploredBy(const std::string& command, const Repository& repository);

// Whether two of those pages are the same. Estimates differ a little between host compilers: they
// count where the same one made both.
bool isSamePage(const std::string& page, const std::string& other);

// COMMAND, with what it prints, as a block.
std::string outputBlock(const std::string& command, const Repository& repository);

// "TEXT" "TEXT" … : COMMAND: the first lines of its output that begin so, as a block.
std::string excerptBlock(const std::string& recipe, const Repository& repository);
