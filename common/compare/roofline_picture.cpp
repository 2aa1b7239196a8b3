#include "compare/roofline_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/escape.h"
#include "base/unicode.h"
#include "roofline_picture_css.h"

namespace {

// Lengths are in units of the picture; (0, 0) is its upper left corner.
constexpr double graphLeft = 84, graphTop = 66, graphRight = 860, graphBottom = 526,
                 nameHeight = 19;

// One axis: powers of ten from the one below all numbers to the one above.
class LogAxis {
 public:
  LogAxis(double least, double most, double begin, double end)
      : low_(int(std::floor(std::log10(least) - 0.05))),
        high_(int(std::ceil(std::log10(most) + 0.05))),
        begin_(begin),
        end_(end) {}
  double at(double number) const {
    return begin_ + (end_ - begin_) * (std::log10(number) - low_) / (high_ - low_);
  }
  double number(double at) const {
    return std::pow(10, low_ + (at - begin_) / (end_ - begin_) * (high_ - low_));
  }
  int low() const { return low_; }
  int high() const { return high_; }

 private:
  int low_, high_;
  double begin_, end_;
};

struct Axes {
  LogAxis x, y;
};

Axes axesOf(const Roofline& r) {
  const double ridge = r.gflops / r.gbps;
  double leastX = ridge, mostX = ridge, leastY = r.gflops;
  for (const RooflinePoint& point : r.points) {
    leastX = std::min(leastX, point.perByte);
    mostX = std::max(mostX, point.perByte);
    leastY = std::min(leastY, point.gflops);
  }
  return {{leastX, mostX, graphLeft, graphRight}, {leastY, r.gflops, graphBottom, graphTop + 24}};
}

std::string wordsAt(double x, double y, const std::string& kind, const std::string& words) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, kind,
                     markupText(words));
}

std::string stroke(double x1, double y1, double x2, double y2, const std::string& kind) {
  return fmt::format("<path class=\"{}\" d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\"/>\n", kind, x1, y1, x2,
                     y2);
}

// "0.1", "1", "1,000".
std::string powerOfTen(int exponent) {
  if (exponent < 0) return fmt::format("{:.{}f}", std::pow(10, exponent), -exponent);
  std::string digits = "1" + std::string(size_t(exponent), '0');
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string gridOf(const Axes& axes) {
  std::string svg;
  for (int e = axes.x.low(); e <= axes.x.high(); ++e) {
    const double x = axes.x.at(std::pow(10, e));
    svg += stroke(x, graphTop, x, graphBottom, "grid") +
           wordsAt(x, graphBottom + 20, "soft mid", powerOfTen(e));
  }
  for (int e = axes.y.low(); e <= axes.y.high(); ++e) {
    const double y = axes.y.at(std::pow(10, e));
    svg += stroke(graphLeft, y, graphRight, y, "grid") +
           wordsAt(graphLeft - 8, y + 5, "soft left", powerOfTen(e));
  }
  return svg +
         wordsAt((graphLeft + graphRight) / 2, graphBottom + 42, "ink mid", "operations per byte") +
         wordsAt(20, graphTop - 10, "ink", "GFLOP/s");
}

// The slope of the bandwidth as far as the ridge, and then the ceiling; each with its name.
std::string roofUnder(const Roofline& r, const Axes& axes) {
  const double ridge = r.gflops / r.gbps;
  // The slope begins at the left edge, or where it comes out of the lower one.
  const double from = std::max(axes.x.number(graphLeft), axes.y.number(graphBottom) / r.gbps);
  const double x1 = axes.x.at(from), y1 = axes.y.at(from * r.gbps);
  const double x2 = axes.x.at(ridge), y2 = axes.y.at(r.gflops);
  const double angle = std::atan2(y2 - y1, x2 - x1) * 180 / std::acos(-1.0);
  const double x = (x1 + x2) / 2, y = (y1 + y2) / 2;
  return fmt::format(
             "<path class=\"roof\" stroke-width=\"2.5\" "
             "d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}H{:.1f}\"/>\n",
             x1, y1, x2, y2, graphRight) +
         fmt::format(
             "<text class=\"over mid\" transform=\"translate({:.1f} {:.1f}) rotate({:.1f})\">{}"
             "</text>\n",
             x - 6, y - 8, angle, markupText(r.bandwidthName)) +
         wordsAt(graphRight, y2 - 9, "over left", r.gflopsName);
}

// Where something stands.
struct Box {
  double left, top, width, height;
  bool meets(const Box& other) const {
    return other.left < left + width && left < other.left + other.width &&
           other.top < top + height && top < other.top + other.height;
  }
};

// Each point with its name beside it, lower where a point or another name is in the way.
std::string points(const Roofline& r, const Axes& axes) {
  std::vector<RooflinePoint> sorted = r.points;
  std::ranges::stable_sort(
      sorted, [](const RooflinePoint& a, const RooflinePoint& b) { return a.gflops > b.gflops; });
  std::vector<Box> taken;
  for (const RooflinePoint& point : sorted)
    taken.push_back({axes.x.at(point.perByte) - 7, axes.y.at(point.gflops) - 7, 14, 14});
  std::string strokes, circles, names;
  for (const RooflinePoint& point : sorted) {
    const double x = axes.x.at(point.perByte), y = axes.y.at(point.gflops);
    Box box = {x + 34, y - nameHeight / 2, 8.0 * double(columnsOf(point.name)), nameHeight};
    box.left = std::min(box.left, graphRight - box.width);
    while (std::ranges::any_of(taken, [&](const Box& other) { return box.meets(other); }))
      box.top += 1;
    taken.push_back(box);
    strokes += stroke(x, y, box.left - 4, box.top + nameHeight / 2, "lead");
    circles += fmt::format("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>\n", x, y);
    names += wordsAt(box.left, box.top + 14, "ink", point.name);
  }
  return strokes + circles + names;
}

}  // namespace

std::string rooflineSvg(const Roofline& roofline) {
  const Axes axes = axesOf(roofline);
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 890 584\" role=\"img\" "
             "font-family=\"system-ui, -apple-system, 'Segoe UI', Roboto, 'DejaVu Sans', "
             "sans-serif\" font-size=\"14\">\n<!-- drawn by build/weave -->\n<title>{}</title>\n"
             "<style>\n{}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\" "
             "rx=\"8\"/>\n",
             markupText(roofline.title), rooflinePictureCss) +
         wordsAt(20, 32, "head", roofline.title) + gridOf(axes) + roofUnder(roofline, axes) +
         points(roofline, axes) + "</svg>\n";
}
