// What is there on each side, by __CUDA_ARCH__: a source preprocessed for the host is compared with
// the one for the device, declaration by declaration.
// - A function for both sides whose body differs has both,
//     { if (__builtin_is_constant_evaluated() || !::simt::isOnDevice()) {...} else {...} }
// - Functions and variables of the host are those of its own text.
// - What only the host has is put in; a constant or type of the host's that has the name of another
//   one of the device gets another name, wherever the host's text has it.
// - What cannot be both, members of classes and parameters of kernels, is told.
#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>

#include "simtcc/translate/edits.h"

namespace simt::cc {
namespace {

constexpr std::string_view ofHost = "_of_host";

std::string marker(const Source& source, size_t token) {
  const Token& at = source.tokens[token];
  return "\n# " + std::to_string(at.line) + " \"" + source.files[size_t(at.file)] + "\"\n";
}

bool hasWord(const Source& source, size_t begin, size_t end,
             std::initializer_list<std::string_view> words) {
  for (size_t i = begin; i < end; ++i)
    if (std::ranges::find(words, source.tokens[i].text) != words.end()) return true;
  return false;
}

std::string textOf(const Source& source, size_t begin, size_t end) {
  std::string text;
  for (size_t i = begin; i < end; ++i) (text += source.tokens[i].text) += ' ';
  return text;
}

class Sides {
 public:
  Sides(const Job& device, const Job& host, std::string_view hostText)
      : device_(device), host_(host), hostText_(hostText) {}

  void join() {
    compare(Source::none, Source::none, false);
    for (size_t before = size_t(-1); before != names_.size();) {
      before = names_.size();
      for (Pair& pair : pairs_)
        if (!pair.renamed) copyWhereNamed(pair);
    }
    for (size_t i = 0; i < host_.source.tokens.size(); ++i)
      if (isRenamed(host_.source, i))
        host_.edits.replace(host_.source.tokens[i],
                            std::string(host_.source.tokens[i].text) + std::string(ofHost));
    for (const Pair& pair : pairs_) edit(pair);
    for (const auto& [at, next, statement] : inserted_)
      device_.edits.insert(at, marker(host_.source, statement.begin) + hostTextOf(statement) +
                                   marker(device_.source, next));
  }

 private:
  struct Pair {
    Declaration device, host;
    bool inClass, renamed = false;
  };
  struct Inserted {
    size_t offset, next;  // and the token that follows there
    Declaration statement;
  };

  const Function* functionOf(const Job& job, const Declaration& s) const {
    return s.function == Source::none ? nullptr : &job.declarations.functions[s.function];
  }

  // What two declarations have in common whose bodies may differ.
  std::string headOf(const Job& job, const Declaration& s) const {
    const Function* const f = functionOf(job, s);
    const size_t brace = s.scope != Source::none ? s.scope : f ? f->body : Source::none;
    if (brace == Source::none) return textOf(job.source, s.begin, s.end);
    return textOf(job.source, s.begin, brace) + "{" +
           textOf(job.source, job.source.partner[brace], s.end);
  }

  // Functions by their parameters, all others by the names that they give.
  std::set<std::string> namesOf(const Job& job, const Declaration& s) const {
    const Source& source = job.source;
    if (const Function* const f = functionOf(job, s))
      return {textOf(source, f->parameters - 1, source.partner[f->parameters] + 1)};
    std::set<std::string> names;
    const auto add = [&](size_t i) {
      if (source.isIdentifier(i)) names.emplace(source.tokens[i].text);
    };
    if (hasWord(source, s.begin, s.begin + 1,
                {"static_assert", "friend", "public", "private", "protected", "namespace"}) ||
        (source.is(s.begin, "using") && !source.is(s.begin + 2, "=")))
      return names;
    for (size_t i = s.begin; i < s.end; ++i) {
      const std::string_view text = source.tokens[i].text;
      if (source.is(i, "<")) i = std::max(source.afterAngles(i), i + 1) - 1;
      if (text == "enum" && source.partner[s.end - 2] != Source::none) {
        for (size_t k = source.partner[s.end - 2]; k < s.end - 1; ++k)
          if (source.is(k, "{") || source.is(k, ",")) add(k + 1);
        add(source.partner[s.end - 2] - 1);
        break;
      }
      if ((text == "struct" || text == "class" || text == "union") && s.scope != Source::none) {
        size_t name = i + 1;
        while (name < s.scope && !source.isIdentifier(name)) ++name;
        add(name);
        add(s.end - 2);  // of a typedef
        break;
      }
      if (text == "=" || text == ";" || text == "[" || text == "{" || text == "(") {
        if (i > s.begin) add(i - 1);
        break;
      }
    }
    return names;
  }

  std::string hostTextOf(const Declaration& s) const {
    const Token& last = host_.source.tokens[s.end - 1];
    return host_.edits.apply(hostText_, host_.source.tokens[s.begin].offset,
                             last.offset + last.text.size());
  }

  const std::vector<Declaration>& in(const Job& job, size_t scope) const {
    static const std::vector<Declaration> none;
    const auto found = job.declarations.statements.find(scope);
    return found == job.declarations.statements.end() ? none : found->second;
  }

  void compare(size_t deviceScope, size_t hostScope, bool isClass) {
    const auto &ofDevice = in(device_, deviceScope), &all = in(host_, hostScope);
    std::multimap<std::string, size_t> byHead, byPlace;
    for (size_t i = 0; i < ofDevice.size(); ++i) {
      const std::string head = headOf(device_, ofDevice[i]);
      byHead.emplace(head, i);
      byPlace.emplace(head + device_.source.place(ofDevice[i].begin), i);
    }
    std::vector<size_t> partner(all.size(), Source::none);
    std::vector<bool> taken(ofDevice.size());
    for (const bool samePlace : {true, false})
      for (size_t i = 0; i < all.size(); ++i) {
        if (partner[i] != Source::none) continue;
        const std::string head = headOf(host_, all[i]);
        const auto [from, to] = samePlace
                                    ? byPlace.equal_range(head + host_.source.place(all[i].begin))
                                    : byHead.equal_range(head);
        for (auto at = from; at != to && partner[i] == Source::none; ++at)
          if (!taken[at->second]) taken[partner[i] = at->second] = true;
      }
    std::multimap<std::string, size_t> left;  // of the device's, by their names
    if (std::ranges::find(partner, Source::none) != partner.end())
      for (size_t i = 0; i < ofDevice.size(); ++i)
        if (!taken[i])
          for (const std::string& name : namesOf(device_, ofDevice[i])) left.emplace(name, i);
    size_t behind = Source::none;  // the last one of the device's that the host has, too
    for (size_t i = 0; i < all.size(); ++i) {
      if (partner[i] == Source::none) {
        const size_t other = firstCalledSo(namesOf(host_, all[i]), left, taken);
        if (other != Source::none) taken[other] = true;
        if (other != Source::none && functionOf(host_, all[i]))
          pairs_.push_back({ofDevice[other], all[i], isClass});
        else if (isClass && isData(host_, all[i]))
          tell(host_, all[i].begin, *namesOf(host_, all[i]).begin());
        else
          insert(all[i], other != Source::none, ofDevice, behind, deviceScope);
        continue;
      }
      const Declaration& same = ofDevice[behind = partner[i]];
      if (same.scope != Source::none && all[i].scope != Source::none)
        compare(same.scope, all[i].scope,
                hasWord(host_.source, all[i].begin, all[i].scope, {"struct", "class", "union"}));
      else
        pairs_.push_back({same, all[i], isClass});
    }
  }

  size_t firstCalledSo(const std::set<std::string>& names,
                       const std::multimap<std::string, size_t>& all,
                       const std::vector<bool>& taken) const {
    size_t first = Source::none;
    for (const std::string& name : names)
      for (auto [at, to] = all.equal_range(name); at != to; ++at)
        if (!taken[at->second]) first = std::min(first, at->second);
    return first;
  }

  // Of each object.
  bool isData(const Job& job, const Declaration& s) const {
    return s.scope == Source::none && s.function == Source::none && !namesOf(job, s).empty() &&
           !hasWord(job.source, s.begin, s.end, {"static", "using", "typedef", "enum"});
  }

  // One that only the host has, or under a name of its own.
  void insert(const Declaration& s, bool getsOtherName, const std::vector<Declaration>& ofDevice,
              size_t behind, size_t scope) {
    if (getsOtherName) names_.merge(namesOf(host_, s));
    const auto& tokens = device_.source.tokens;
    if (behind != Source::none)
      insertBehind(s, ofDevice[behind].end - 1);
    else if (scope != Source::none)
      insertBehind(s, scope);
    else if (!tokens.empty())
      inserted_.push_back({tokens[0].offset, 0, s});
  }
  void insertBehind(const Declaration& s, size_t token) {
    inserted_.push_back({device_.source.tokens[token].offset + 1, token, s});
  }

  bool isRenamed(const Source& source, size_t i) const {
    if (!source.isIdentifier(i) || !names_.contains(std::string(source.tokens[i].text)))
      return false;
    return i == 0 || (!source.is(i - 1, ".") && !source.is(i - 1, "->") &&
                      !(source.is(i - 1, "::") && source.is(i - 2, "std")));
  }
  bool mentions(const Source& source, size_t begin, size_t end) const {
    for (size_t i = begin; i < end; ++i)
      if (isRenamed(source, i)) return true;
    return false;
  }

  void tell(const Job& job, size_t token, const std::string& name) {
    device_.warnings.push_back({job.source.place(token),
                                name + " is not the same for the host (__CUDA_ARCH__), whose code "
                                       "has the device's here"});
  }

  // Of the host alone, and nothing that a type or a constant is made of.
  bool isOfHost(const Job& job, const Declaration& s, bool inClass) const {
    if (const Function* const f = functionOf(job, s)) return !f->runsOnDevice() && !f->isConstexpr;
    return !inClass && !hasWord(job.source, s.begin, s.end,
                                {"const", "constexpr", "using", "typedef", "enum", "struct",
                                 "class", "union", "template", "static_assert", "friend", "concept",
                                 "__device__", "__constant__", "__managed__"});
  }
  bool hasDeviceCode(const Job& job, const Declaration& s) const {
    const Function* const f = functionOf(job, s);
    return f && f->body != Source::none && hasWord(job.source, f->body, s.end, {"__device__"});
  }

  // A constant, a type or the like that is made of what differs differs, too.
  void copyWhereNamed(Pair& pair) {
    const Declaration& s = pair.host;
    const Function* const f = functionOf(host_, s);
    const bool isFreeConstant = f && f->isConstexpr && !pair.inClass && f->body != Source::none &&
                                !f->name.empty() && f->name != "main";
    if (f && !isFreeConstant) return;
    const bool differs = isFreeConstant && bodyOf(device_, pair.device) != bodyOf(host_, s);
    if (isOfHost(host_, s, pair.inClass) || (!differs && !mentions(host_.source, s.begin, s.end)))
      return;
    if (hasWord(host_.source, s.begin, s.end, {"__device__", "__constant__", "__managed__"}) && !f)
      return;
    pair.renamed = true;
    if (pair.inClass && isData(host_, s)) return tell(host_, s.begin, *namesOf(host_, s).begin());
    if (f)
      names_.insert(f->name);
    else
      names_.merge(namesOf(host_, s));
    insertBehind(s, pair.device.end - 1);
  }

  std::string bodyOf(const Job& job, const Declaration& s) const {
    const Function* const f = functionOf(job, s);
    return f && f->body != Source::none ? textOf(job.source, f->body, s.end) : "";
  }

  void edit(const Pair& pair) {
    const Source &device = device_.source, &host = host_.source;
    const Declaration &mine = pair.device, &other = pair.host;
    const bool same = textOf(device, mine.begin, mine.end) == textOf(host, other.begin, other.end);
    if (pair.renamed || (same && !mentions(host, other.begin, other.end))) return;
    const Function *const f = functionOf(device_, mine), *const g = functionOf(host_, other);
    const bool keepsDeviceCode = hasDeviceCode(device_, mine) || hasDeviceCode(host_, other);
    if (isOfHost(device_, mine, pair.inClass) && isOfHost(host_, other, pair.inClass) &&
        !keepsDeviceCode) {
      const Token &first = device.tokens[mine.begin], &last = device.tokens[mine.end - 1];
      return device_.edits.replace(
          first.offset, last.offset + last.text.size(),
          marker(host, other.begin) + hostTextOf(other) + marker(device, mine.end - 1));
    }
    if (!f || !g) return;
    if (mentions(host, other.begin, g->body == Source::none ? other.end : g->body) ||
        (g->body != Source::none && f->body != Source::none &&
         textOf(device, device.partner[f->parameters], f->body) !=
             textOf(host, host.partner[g->parameters], g->body)))
      tell(host_, other.begin, f->name);
    if (g->isGlobal || (g->isDevice && !g->isHost) || f->body == Source::none ||
        g->body == Source::none)
      return;
    if (keepsDeviceCode) {
      if (mentions(host, g->body, other.end)) tell(host_, other.begin, f->name);
      return;
    }
    const size_t begin = host.tokens[g->body].offset + 1,
                 end = host.tokens[host.partner[g->body]].offset;
    device_.edits.insert(device.tokens[f->body].offset + 1,
                         " if (__builtin_is_constant_evaluated() || !::simt::isOnDevice()) {" +
                             marker(host, g->body) + host_.edits.apply(hostText_, begin, end) +
                             "\n} else {" + marker(device, f->body));
    device_.edits.insert(device.tokens[device.partner[f->body]].offset, "}");
  }

  const Job &device_, &host_;
  const std::string_view hostText_;
  std::vector<Pair> pairs_;
  std::vector<Inserted> inserted_;
  std::set<std::string> names_;  // those that get other ones
};

}  // namespace

void translateTwoSides(const Job& job, std::string_view preprocessedForHost, bool relocatable) {
  const Source host = readTokens(preprocessedForHost);
  const Declarations hostDeclarations = findDeclarations(host);
  Edits edits;
  std::vector<Complaint> ignored;  // those of the device's text are told
  const Job hostJob{host, hostDeclarations, edits, ignored, ignored};
  translateLaunches(hostJob);
  translateVariables(hostJob, relocatable);
  translateNames(hostJob);
  translatePtx(hostJob);
  Sides(job, hostJob, preprocessedForHost).join();
}

}  // namespace simt::cc
