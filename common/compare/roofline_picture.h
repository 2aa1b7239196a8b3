// The roofline as a picture that stands alone: how fast kernels compute, over how much they compute
// for each byte that they move, under what memory and arithmetic units allow. Both axes are
// logarithmic.
#pragma once

#include <string>
#include <vector>

struct RooflinePoint {
  std::string name;
  double perByte = 0, gflops = 0;  // operations for each byte, billions of operations per second
};

struct Roofline {
  std::string title;
  double gbps = 0, gflops = 0;                      // the bandwidth and the arithmetic units, and
  std::string bandwidthName = {}, gflopsName = {};  // what is written along the two
  std::vector<RooflinePoint> points = {};
};

// All numbers are above 0. Light or dark as the page is.
std::string rooflineSvg(const Roofline& roofline);
