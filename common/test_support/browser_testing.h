// What a real browser makes of pages, for tests.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "test_support/host_testing.h"
#include "test_support/program_testing.h"

inline constexpr const char* noBrowser = "no Chromium here (Debian: apt-get install chromium)";

// What the browser writes of a page: on standard output the document that it has in the end, on
// standard error what its console says. Nothing without a browser. virtualMilliseconds are what the
// page takes for the time that passes.
inline std::optional<Outcome> browserOn(const std::string& path, const Words& options = {},
                                        unsigned virtualMilliseconds = 10000) {
  std::string browser;
  for (const std::string candidate :
       {"/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"})
    if (browser.empty() && std::filesystem::exists(candidate)) browser = candidate;
  if (browser.empty()) return {};
  const TemporaryFolder folder;
  Words words = {"--headless",
                 "--no-sandbox",
                 "--disable-gpu",
                 "--user-data-dir=" + folder.path("profile"),
                 "--virtual-time-budget=" + std::to_string(virtualMilliseconds),
                 "--dump-dom"};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("file://" + path);
  const Outcome outcome = run(browser, words, {.workingFolder = folder.path()});
  EXPECT_EQ(outcome.exitCode, 0) << outcome.err;
  return outcome;
}

// The document that the browser has in the end; empty without a browser.
inline std::string documentOf(const std::string& path, unsigned virtualMilliseconds = 10000) {
  const std::optional<Outcome> outcome = browserOn(path, {}, virtualMilliseconds);
  return outcome ? outcome->out : "";
}

// For a quoted attribute, with line breaks as they are.
inline std::string attributeText(const std::string& text) {
  std::string escaped;
  for (const char c : text)
    if (c == '&')
      escaped += "&amp;";
    else if (c == '"')
      escaped += "&quot;";
    else
      escaped += c;
  return escaped;
}

// For each frame a line of what the script's body finds, which has the frame, its document d and
// that document's element w. A frame shows the page whose number its data-page gives, or the first.
// Empty without a browser.
inline std::string inBrowser(const std::vector<std::string>& pages, const std::string& frames,
                             const std::string& body) {
  const TemporaryFolder folder;
  std::string test = R"(<!doctype html><meta charset="utf-8"><body>)" + frames;
  for (const std::string& page : pages)
    test += R"(<div class="page" hidden data-page=")" + attributeText(page) + R"("></div>)";
  test += R"(<pre id="out"></pre><script>
const frames = [...document.querySelectorAll('iframe')];
const pages = [...document.querySelectorAll('.page')].map(div => div.dataset.page);
let left = frames.length;
for (const frame of frames) {
  frame.onload = () => {
    const d = frame.contentDocument, w = d.documentElement;
    )" + body +
          R"(
    if (--left == 0) document.title = 'measured';
  };
  frame.srcdoc = pages[Number(frame.dataset.page || 0)];
}
for (const div of [...document.querySelectorAll('.page')]) div.remove();
</script>)";
  writeFile(folder.path("test.html"), test);
  const std::string document = documentOf(folder.path("test.html"));
  const size_t begin = document.find("<pre id=\"out\">"), end = document.find("</pre>");
  return begin < end ? document.substr(begin, end - begin) : "";
}
