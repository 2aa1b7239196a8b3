// --svg: a picture of what one block of a step does, as the executor saw it.
#pragma once

#include <functional>
#include <string>

#include "measure/step.h"
#include "program/options.h"

// The mode --svg FILE of a lesson's program: one block of 64 threads adds up so many elements by
// this step.
Mode pictureMode(const Step& step, unsigned elements);

#ifndef GPU_BACKEND
#include "draw/block_picture.h"

// What the picture shows. Throws simt::Fault, and Error (exitWrong) when the sum is wrong.
std::vector<Stage> stagesOf(const Step& step, unsigned elements);

// Writes the picture of the first block of a kernel of this name, which launch runs on what about
// says, to the file of --svg. Returns the exit code; throws simt::Fault.
int drawLaunch(const Options& options, const std::string& kernel, const std::string& about,
               const std::function<void()>& launch);
#endif
