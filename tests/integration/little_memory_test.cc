// The real program with little address space, and files that want much of it.
#include <gmock/gmock.h>
#include <sodium.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "cloak/base/text.h"
#include "tests/integration/serve_fixture.h"

namespace cloak {
namespace {

using testing::HasSubstr;

constexpr size_t kMillion = 1'000'000;

class LittleMemoryTest : public ServeTest {
 protected:
  // Runs the program in a shell that gives it so many kilobytes; its output is
  // followed by its exit code.
  static std::string RunWith(size_t kilobytes, const std::string& command) {
    return Output(Text("(ulimit -v ", kilobytes, "; timeout 60 ", CLOAK_PROGRAM,
                       " ", command, ") 2>&1; echo exit code $?"));
  }

  // A release that has one more field, as a hostile author writes it: with the
  // right checksum.
  static std::string With(const std::string& field, const std::string& value) {
    std::string text = ReleaseToJson(Release(SmallContent()));
    text.replace(text.rfind('}'), 1, Text(",\"", field, "\": "));
    text.append(value);
    text += "}";
    const size_t place = text.find("sha256:") + 7;
    text.replace(place, 64, 64, '0');
    unsigned char hash[crypto_hash_sha256_BYTES];
    crypto_hash_sha256(
        hash, reinterpret_cast<const unsigned char*>(text.data()), text.size());
    char digits[2 * sizeof(hash) + 1];
    sodium_bin2hex(digits, sizeof(digits), hash, sizeof(hash));
    return text.replace(place, 64, digits);
  }

  static std::string Repeated(const std::string& part, size_t bytes) {
    std::string text = "[";
    text.reserve(bytes + 10);
    while (text.size() < bytes) text += part;
    return text + "0]";
  }

  void WriteFile(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path("written"), std::ios::binary) << bytes;
    std::filesystem::rename(Path("written"), Path(name));
  }
};

TEST_F(LittleMemoryTest, LongFieldsThatNobodyKnowsTakeNoMemory) {
  WriteFile("long.cloak", With("x", Repeated("0,", 40 * kMillion)));
  WriteFile("lists.cloak", With("x", Repeated("[],", 180 * kMillion)));
  std::ofstream(Path("queries.csv")) << "age\n3\n";
  for (const char* const name : {"long.cloak", "lists.cloak"}) {
    const std::string file = Path(name);
    EXPECT_THAT(RunWith(600'000, Text("show ", file)),
                HasSubstr("exit code 0"));
    EXPECT_THAT(
        RunWith(600'000, Text("predict ", file, " ", Path("queries.csv"))),
        HasSubstr("exit code 0"));
  }
}

TEST_F(LittleMemoryTest, TooLittleForLinearAlgebraIsSaidAtOnce) {
  std::ofstream(Path("queries.csv")) << "age\n3\n";
  const std::string file = Path("releases/heights.cloak");
  for (const std::string& command :
       {Text("show ", file), Text("predict ", file, " ", Path("queries.csv")),
        Text("serve --port 0 ", file)}) {
    const std::string output = RunWith(200'000, command);
    EXPECT_THAT(output, HasSubstr("address space (ulimit -v)"));
    EXPECT_THAT(output, HasSubstr("exit code 2"));
  }
}

TEST_F(LittleMemoryTest, ManyQuestionsAtOnceNeedNoMore) {
  const ServerProcess server(Args({}), Path("log"), 400 * kMillion);
  std::string rows = "[1]";
  for (int i = 0; i < 5000; ++i) rows += ",[2]";
  std::vector<std::thread> clients;
  std::atomic<int> answered = 0;
  constexpr int kClients = 8;
  clients.reserve(kClients);
  for (int i = 0; i < kClients; ++i) {
    clients.emplace_back([&] {
      for (const std::string& body : {std::string(R"({"rows": [[2]]})"),
                                      Text("{\"rows\":[", rows, "]}")}) {
        const std::string response =
            Ask(server, Request("POST", kPredict, body));
        if (response.starts_with("HTTP/1.1 200 ")) ++answered;
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, 2 * kClients);
}

TEST_F(LittleMemoryTest, AQuestionThatIsTooMuchIsAnsweredAndLogged) {
  const ServerProcess server(
      Args({"--max-body", "40000000", "--timeout", "60"}), Path("log"),
      330 * kMillion);
  std::string rows = "[1]";
  for (int i = 1; i < 100'000; ++i) rows += ",[2]";
  const std::string request =
      Request("POST", kPredict, Text("{\"rows\":[", rows, "]}"));
  // Answers that nobody takes fill the memory.
  std::vector<RawClient> clients;
  for (int i = 0; i < 40; ++i) {
    clients.emplace_back(server.port());
    clients.back().Send(request);
  }
  EXPECT_TRUE(Eventually([&server] {
    return server.Out().find("\"reason\":\"out of memory\"") !=
           std::string::npos;
  }));
  std::istringstream lines(server.Out());
  std::string line;
  while (std::getline(lines, line)) {
    if (line.find("out of memory") == std::string::npos) continue;
    EXPECT_THAT(line, HasSubstr("\"status\":503"));
    EXPECT_THAT(line, HasSubstr("\"route\":\"/api/v1/releases/{name}/predict"));
    EXPECT_THAT(line, HasSubstr("\"release\":\"heights\""));
    EXPECT_THAT(line, HasSubstr("\"id\":\""));
  }
  clients.clear();
  EXPECT_TRUE(Eventually([&server] {
    return Ask(server, Request("POST", kPredict, R"({"rows": [[2]]})"))
        .starts_with("HTTP/1.1 200 ");
  }));
}

TEST_F(LittleMemoryTest, TheServerSurvivesAnyFile) {
  // Names that are kept, and described in JSON.
  std::string names = "[\"a\"";
  for (int i = 0; i < 24'000; ++i) {
    names += Text(",\"", i, std::string(1'200, 'a'), "\"");
  }
  const ServerProcess server(Args({}), Path("log"), 600 * kMillion);
  WriteFile("releases/long.cloak", With("x", Repeated("0,", 40 * kMillion)));
  WriteFile("releases/lists.cloak", With("x", Repeated("[],", 180 * kMillion)));
  WriteFile("releases/names.cloak", With("classes", names + "]"));
  WriteFile(
      "releases/rows.cloak",
      With("histogram",
           Text("{\"axes\":", Repeated("[[],[]],", 100 * kMillion), "}")));
  for (const char* const name : {"long", "lists"}) {
    EXPECT_TRUE(Eventually([&server, name] {
      return Ask(server, Request("GET", Text("/api/v1/releases/", name)))
          .starts_with("HTTP/1.1 200 ");
    })) << name;
  }
  for (const char* const name : {"names", "rows"}) {
    EXPECT_TRUE(Eventually([&server, name] {
      return server.Out().find(Text(name, ".cloak' as it is now")) !=
             std::string::npos;
    })) << name;
  }
  EXPECT_THAT(Ask(server, Request("POST", kPredict, R"({"rows": [[2]]})")),
              HasSubstr("HTTP/1.1 200 "));
}

}  // namespace
}  // namespace cloak
