// The pages that a reader turns, as they stand in the lessons, in a real browser.
#include "test_support/browser_testing.h"

namespace {

std::string pageOf(const std::string& path) {
  return contentsOf(std::string(LESSONS_DIR) + "/" + path);
}

// turn(slider, place) moves a slider; told() is what stands above the pictures.
std::string turned(const std::string& page, const std::string& body, unsigned width = 1000) {
  const std::string frame =
      "<iframe width=\"" + std::to_string(width) + "\" height=\"900\"></iframe>";
  return inBrowser({pageOf(page)}, frame, R"(
    const sliders = [...d.querySelectorAll('input[type=range]')];
    const turn = (slider, place) => {
      sliders[slider].value = place;
      sliders[slider].dispatchEvent(new Event('input', {bubbles: true}));
    };
    const told = () => d.getElementById('told').textContent;
    const say = words => { out.textContent += `${words} : ${told()}\n`; };
)" + body);
}

}  // namespace

TEST(Knobs, AStrideOf32MeetsOneBankUntilAWordOfPaddingMovesEachRow) {
  const std::string out = turned("03_neighbored_less/strides.html", R"(
    say('one');
    turn(0, 31); say('far');
    d.querySelector('input[type=checkbox]').click(); say('padded');)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  for (const std::string words : {"one : 4 sectors", "no conflict", "far : 32 sectors",
                                  "32-way conflict", "padded : 32 sectors"})
    EXPECT_TRUE(contains(out, words)) << out;
  EXPECT_TRUE(contains(out.substr(out.find("padded")), "no conflict")) << out;
}

TEST(Knobs, LoadsInFlightShowWhatWasMeasuredBesideTheEstimate) {
  const std::string out = turned("05_unroll2/in_flight.html", R"(
    turn(0, 3); turn(1, 2); say('eight warps, four loads');
    turn(0, 0); turn(1, 0); say('one warp');)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  // common/cards/h200_microbenchmarks.csv: read, 4 loads of 4 bytes in flight, 8 warps.
  EXPECT_TRUE(contains(out, "8 warps × 32 threads × 4 loads × 4 bytes × 132")) << out;
  EXPECT_TRUE(contains(out, "measured on this card")) << out;
  EXPECT_TRUE(contains(out.substr(out.find("one warp")), "–not measured at this place")) << out;
}

TEST(Knobs, ManyRegistersLeaveRoomForFewWarps) {
  const std::string out = turned("06_unroll8_warp/occupancy.html", R"(
    say('as it comes');
    turn(1, 8); say('96 registers');
    turn(0, 9); turn(1, 11); say('1,024 threads of 255');)");
  if (out.empty()) GTEST_SKIP() << noBrowser;
  for (const std::string words :
       {"as it comes : 4blocks fit on a multiprocessor64 of 64 warps", "96 registers : 1block fits",
        "16 of 64 warps", "registersis what allows no more", "1,024 threads of 255 : none"})
    EXPECT_TRUE(contains(out, words)) << out;
}

TEST(Knobs, PagesFitATelephoneAndAskForNothingFromElsewhere) {
  for (const std::string page : {"03_neighbored_less/strides.html", "05_unroll2/in_flight.html",
                                 "06_unroll8_warp/occupancy.html"}) {
    EXPECT_TRUE(contains(pageOf(page), "default-src 'none'")) << page;
    EXPECT_FALSE(contains(pageOf(page), "src=\"http")) << page;
    const std::string out =
        turned(page, "out.textContent += `over ${w.scrollWidth - w.clientWidth}\\n`;", 400);
    if (out.empty()) GTEST_SKIP() << noBrowser;
    EXPECT_TRUE(contains(out, "over 0")) << page << out;
  }
}
