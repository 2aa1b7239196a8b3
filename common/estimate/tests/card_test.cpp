#include "estimate/card.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/errors.h"
#include "estimate/card_program/card_values.h"
#include "microbenchmarks.h"

namespace estimate {
namespace {

// The line with which a text is refused, or nothing.
std::string refusalOf(const std::string& text) {
  try {
    parseCard(text, "card.json");
  } catch (const Error& error) {
    EXPECT_EQ(error.code, exitUsage);
    return error.what();
  }
  return "";
}

nlohmann::json h200() { return nlohmann::json::parse(cardText(findCard("h200"))); }

TEST(Card, EveryCardOfTheRepositoryIsReadAndSaysHowEachValueWasObtained) {
  unsigned cards = 0;
  for (const auto& entry : std::filesystem::directory_iterator(WORKSHOP_CARDS)) {
    if (entry.path().extension() != ".json") continue;
    ++cards;
    const Card card = readCard(entry.path().string());
    EXPECT_EQ(card.how.size(), cardParameters.size()) << entry.path();
    for (const auto& [name, how] : card.how) EXPECT_GT(how.size(), 5u) << name;
  }
  EXPECT_GE(cards, 2u);
}

TEST(Card, IsWrittenAsItIsRead) {
  const Card card = findCard("h200");
  const Card again = parseCard(cardText(card), "again");
  for (const CardParameter& p : cardParameters)
    EXPECT_EQ(card.*p.member, again.*p.member) << p.name;
  EXPECT_EQ(card.how, again.how);
}

TEST(Card, AFileThatIsNoCardIsRefusedInOneLine) {
  EXPECT_EQ(refusalOf(""), "card.json: is empty");
  EXPECT_EQ(refusalOf("{\n1"), "card.json: is not JSON (line 2)");
  EXPECT_EQ(refusalOf("[]"), "card.json: the file is not an object");
  EXPECT_EQ(refusalOf("{}"), "card.json: schema is missing");
  EXPECT_EQ(refusalOf(R"({"schema": 2})"), "card.json: schema is not 1, the only one known here");
  EXPECT_EQ(refusalOf(R"({"schema": 1, "card": 3})"), "card.json: card is not a text");
}

TEST(Card, AValueThatCannotBeIsRefusedByItsName) {
  const auto with = [](const std::string& name, const nlohmann::json& value) {
    nlohmann::json file = h200();
    file["parameters"][name]["value"] = value;
    return refusalOf(file.dump());
  };
  EXPECT_EQ(with("clock_ghz", 0),
            "card.json: parameters.clock_ghz.value is not between 0.1 and 10");
  EXPECT_EQ(with("l1_latency", "fast"), "card.json: parameters.l1_latency.value is not a number");
  EXPECT_EQ(with("l1_latency", nullptr), "card.json: parameters.l1_latency.value is not a number");
  EXPECT_EQ(with("warps", 1e300), "card.json: parameters.warps.value is not between 1 and 256");
  EXPECT_EQ(with("speed", 1), "card.json: parameters.speed is not a parameter of a card");
}

TEST(Card, AValueThatDoesNotSayHowItWasObtainedIsRefused) {
  nlohmann::json file = h200();
  file["parameters"]["l2_latency"].erase("how");
  EXPECT_EQ(refusalOf(file.dump()), "card.json: parameters.l2_latency.how is missing");
  file["parameters"]["l2_latency"]["how"] = "";
  EXPECT_EQ(refusalOf(file.dump()), "card.json: parameters.l2_latency.how is empty");
}

TEST(Card, AMissingValueIsNamed) {
  for (const CardParameter& parameter : cardParameters) {
    nlohmann::json file = h200();
    file["parameters"].erase(parameter.name);
    EXPECT_EQ(refusalOf(file.dump()),
              std::string("card.json: parameters.") + parameter.name + " is missing");
  }
}

// The microbenchmarks differ a little from run to run, and the file's values are rounded.
void expectToFollow(const std::string& its) {
  Figures figures;
  for (const auto& [name, value] : readFigures(WORKSHOP_CARDS "/" + its + "_microbenchmarks.csv"))
    figures.push_back({name, value, ""});
  const Card card = findCard(its);
  const Card made =
      cardFrom({card.name, card.multiprocessors, card.warps, card.blocks, card.registers,
                card.sharedBytes, card.reservedSharedBytes, card.l2Bytes},
               figures, "a test");
  for (const CardParameter& p : cardParameters)
    EXPECT_NEAR(made.*p.member, card.*p.member, 0.1 * card.*p.member) << its << ", " << p.name;
  EXPECT_EQ(made.how.size(), cardParameters.size());
}
TEST(Card, ValuesFollowFromWhatTheMicrobenchmarksMeasured) {
  expectToFollow("h200");
  expectToFollow("h100");
}

TEST(Card, AFigureThatIsMissingIsNamed) {
  try {
    cardFrom({"a card", 132, 64, 32, 65536, 233472, 1024, 62914560}, {}, "a test");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("integer addition or xor"), std::string::npos);
  }
}

TEST(Card, AnUnknownNameIsAnsweredWithTheKnownOnes) {
  try {
    findCard("voodoo");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("the cards are h100, h200"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace estimate
