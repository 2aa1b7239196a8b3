#include "simtcc/own_programs/report_page.h"

#include <fmt/core.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <string_view>

#include "base/escape.h"

namespace {

constexpr char first[] = "<!DOCTYPE html>\n<!-- what a program did, by simtcc -->\n";

constexpr char style[] =
    "body{font:16px/1.4 sans-serif;max-width:75em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .6em;text-align:right}"
    "td:first-child,th:first-child,td.text,th.text{text-align:left}"
    "tr:nth-child(even){background:#8881}th button{font:inherit;font-weight:bold;border:0;"
    "background:none;cursor:pointer;color:inherit;padding:0}.wide{overflow-x:auto}"
    "td:first-child{font-family:monospace}@media(prefers-color-scheme:dark)"
    "{body{background:#111;color:#ddd}a{color:#8bf}}";

// By numbers where both are, else by text; the largest first, and then the other way round.
constexpr char script[] =
    "document.querySelectorAll('th button').forEach(b=>b.onclick=()=>{"
    "const h=b.parentNode,i=h.cellIndex,t=h.closest('table').tBodies[0],"
    "d=h.getAttribute('aria-sort')==='descending'?1:-1,v=r=>{const c=r.cells[i].textContent,"
    "n=Number(c);return c===''||isNaN(n)?c:n};"
    "h.parentNode.querySelectorAll('th').forEach(o=>o.removeAttribute('aria-sort'));"
    "h.setAttribute('aria-sort',d<0?'descending':'ascending');"
    "[...t.rows].sort((p,q)=>{const a=v(p),b=v(q);return d*(typeof a===typeof b?"
    "(a<b?-1:a>b?1:0):typeof a==='number'?1:-1)}).forEach(r=>t.append(r))})";

std::string text(const std::string& value) { return markupText(value); }

class Rows {
 public:
  explicit Rows(const std::vector<std::string>& head) {
    html_ = "<div class=\"wide\"><table><thead><tr>";
    for (const std::string& each : head) html_ += "<th><button>" + text(each) + "</button></th>";
    html_ += "</tr></thead><tbody>\n";
  }
  void begin(const std::string& markup) { html_ += "<tr><td>" + markup + "</td>"; }
  void cell(const std::string& value) { html_ += "<td>" + text(value) + "</td>"; }
  void words(const std::string& value) { html_ += "<td class=\"text\">" + text(value) + "</td>"; }
  void end() { html_ += "</tr>\n"; }
  std::string table() const { return html_ + "</tbody></table></div>\n"; }

 private:
  std::string html_;
};

// A path as a relative address, byte by byte.
std::string address(const std::string& from, const std::string& to) {
  namespace fs = std::filesystem;
  std::error_code none;
  const fs::path folder = fs::absolute(from, none).parent_path();
  std::string encoded = "./";
  for (const unsigned char c : fs::absolute(to, none).lexically_relative(folder).string())
    encoded += std::isalnum(c) || std::string_view("-._~/").find(char(c)) != std::string_view::npos
                   ? std::string(1, char(c))
                   : fmt::format("%{:02X}", c);
  return encoded;
}

std::string kernelOf(const ReportPage& page, const std::string& kernel) {
  if (page.exploredPage.empty() || kernel != page.exploredKernel) return text(kernel);
  return "<a href=\"" + address(page.path, page.exploredPage) + "\">" + text(kernel) + "</a>";
}

std::string list(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string html = "<h2>" + title + "</h2>\n<ol>\n";
  for (const std::string& line : lines) html += "<li>" + text(line) + "</li>\n";
  return html + "</ol>\n";
}

std::string counted(const ReportPage& page) {
  if (page.summary.kernels.empty()) return "";
  std::vector<std::string> head = {"kernel", "launches", "threads", "blocks", "of them ran plain"};
  for (const simt::CounterInfo& counter : simt::counterList) head.emplace_back(counter.title);
  head.emplace_back("average active lanes");
  Rows rows(head);
  for (const simt::KernelTotals& k : page.summary.kernels) {
    rows.begin(kernelOf(page, k.kernel));
    rows.cell(std::to_string(k.launches));
    for (const uint64_t number : {k.threads, k.blocks, k.plainBlocks})
      rows.cell(std::to_string(number));
    for (const simt::CounterInfo& counter : simt::counterList)
      rows.cell(std::to_string(k.counters.*counter.member));
    rows.cell(fmt::format("{:.1f}", k.counters.activeLanes()));
    rows.end();
  }
  return "<h2>Counted</h2>\n<p>By the SIMT executor, no GPU involved, over all launches. Where "
         "blocks "
         "ran plain, the counts are those of the others, scaled.</p>\n" +
         rows.table();
}

std::string estimated(const ReportPage& page) {
  if (page.estimates.empty()) return "";
  Rows rows({"kernel", "grid", "block", "dynamic shared bytes", "arguments", "launches",
             "estimated ms each", "estimated ms in all", "warps wait most for"});
  for (const EstimatedLaunches& e : page.estimates) {
    rows.begin(kernelOf(page, e.kernel));
    rows.cell(e.grid);
    rows.cell(e.block);
    rows.cell(std::to_string(e.dynamicShared));
    rows.cell(argumentsOf(e));
    rows.cell(std::to_string(e.launches));
    rows.cell(std::isnan(e.ms) ? "" : fmt::format("{:.4f}", e.ms));
    rows.cell(std::isnan(e.ms) ? "" : fmt::format("{:.4f}", e.ms * double(e.launches)));
    rows.words(e.waits);
    rows.end();
  }
  return "<h2>Estimated</h2>\n<p>On an " + text(page.card) +
         " by a timing model, not measured, each launch with cold caches as a profiler times it, "
         "from the code of " +
         text(page.compiler) +
         ". Launches that differ in their arguments alone are numbered in the order in which they "
         "came.</p>\n" +
         rows.table();
}

}  // namespace

std::string argumentsOf(const EstimatedLaunches& launches) {
  const auto [first, last] = std::pair(launches.firstArguments, launches.lastArguments);
  return std::to_string(first) + (last > first ? fmt::format(" to {}", last) : "");
}

std::string reportPage(const ReportPage& page) {
  const std::string title = "What " + text(page.program) + " did";
  return first +
         ("<html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
          "content=\"width=device-width\"><title>" +
          title + "</title><style>" + style + "</style>\n<h1>" + title + "</h1>\n") +
         (page.summary.faults.empty() && page.summary.mildFaults.empty()
              ? "<p>No faults found.</p>\n"
              : "") +
         list("Faults", page.summary.faults) + list("Mild faults", page.summary.mildFaults) +
         estimated(page) + counted(page) + list("To be kept in mind", page.summary.notes) +
         "<script>" + script + "</script>\n</html>\n";
}

bool isReportPage(const std::string& contents) { return contents.starts_with(first); }
