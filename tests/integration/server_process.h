#ifndef CLOAK_TESTS_INTEGRATION_SERVER_PROCESS_H_
#define CLOAK_TESTS_INTEGRATION_SERVER_PROCESS_H_

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace cloak {

// The real program, serving on a free port until it is told to end. What it
// writes goes to PREFIX.out and PREFIX.err. It has no more than `address_space`
// bytes, unless that is 0.
class ServerProcess {
 public:
  ServerProcess(std::vector<std::string> args, const std::string& prefix,
                rlim_t address_space = 0)
      : out_(prefix + ".out"), err_(prefix + ".err") {
    args.insert(args.begin(), {CLOAK_PROGRAM, "serve"});
    args.insert(args.end(), {"--port", "0"});
    std::vector<char*> argv;
    argv.reserve(args.size() + 1);
    for (std::string& arg : args) argv.push_back(arg.data());
    argv.push_back(nullptr);
    pid_ = fork();
    if (pid_ == 0) {
      dup2(open(out_.c_str(), O_CREAT | O_WRONLY, 0600), STDOUT_FILENO);
      dup2(open(err_.c_str(), O_CREAT | O_WRONLY, 0600), STDERR_FILENO);
      const rlimit limit = {address_space, address_space};
      if (address_space > 0) setrlimit(RLIMIT_AS, &limit);
      execv(argv[0], argv.data());
      _exit(127);
    }
    WaitUntilReady();
  }
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess() {
    if (pid_ < 0) return;
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }

  pid_t pid() const { return pid_; }
  uint16_t port() const { return port_; }
  std::string Out() const { return Read(out_); }
  std::string Err() const { return Read(err_); }
  void Signal(int signal) const { kill(pid_, signal); }

  // The exit code, or -1 if it did not end by itself.
  int Wait() {
    int status = 0;
    waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  static std::string Read(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  // It announces its address when it listens.
  void WaitUntilReady() {
    for (int i = 0; i < 2400; ++i) {
      const std::string text = Err();
      const size_t line = text.find("/\n");
      if (line != std::string::npos) {
        const size_t colon = text.rfind(':', line);
        port_ = static_cast<uint16_t>(std::stoi(text.substr(colon + 1)));
        return;
      }
      if (waitpid(pid_, nullptr, WNOHANG) != 0) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    throw std::runtime_error("the server did not start: " + Err() + Out());
  }

  std::string out_;
  std::string err_;
  pid_t pid_ = -1;
  uint16_t port_ = 0;
};

// A socket that says exactly what it is told to, right or wrong.
class RawClient {
 public:
  explicit RawClient(uint16_t port) : socket_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(socket_, reinterpret_cast<sockaddr*>(&address),
                         sizeof(address)) == 0;
  }
  RawClient(RawClient&& other) noexcept
      : socket_(std::exchange(other.socket_, -1)),
        connected_(other.connected_),
        received_(std::move(other.received_)) {}
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  ~RawClient() {
    if (socket_ >= 0) close(socket_);
  }

  bool connected() const { return connected_; }

  // False when the other side has closed.
  bool Send(const std::string& bytes) const {
    size_t sent = 0;
    while (sent < bytes.size()) {
      const ssize_t count =
          send(socket_, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
      if (count <= 0) return false;
      sent += static_cast<size_t>(count);
    }
    return true;
  }

  // Whether something comes within a minute; it is left to be received.
  bool HasSome() const {
    pollfd waiting = {socket_, POLLIN, 0};
    constexpr int kMilliseconds = 60'000;
    return poll(&waiting, 1, kMilliseconds) > 0;
  }

  // One whole response (by its Content-Length; one that tells to go on has
  // none), or what came until the other side closed or a minute passed.
  std::string Receive() {
    for (;;) {
      const size_t head = received_.find("\r\n\r\n");
      const size_t field = received_.find("Content-Length: ");
      if (head != std::string::npos && received_.starts_with("HTTP/1.1 100 ")) {
        std::string response = received_.substr(0, head + 4);
        received_.erase(0, head + 4);
        return response;
      }
      if (head != std::string::npos && field < head) {
        const size_t end =
            head + 4 + std::stoul(received_.substr(field + 16, 20));
        if (received_.size() == end) return std::exchange(received_, {});
        received_.reserve(end);
        if (received_.size() > end) {
          std::string response = received_.substr(0, end);
          received_.erase(0, end);
          return response;
        }
      }
      if (!ReceiveSome()) return std::exchange(received_, {});
    }
  }

  // Whether the other side closes before it is silent for a minute.
  bool IsClosed() {
    while (ReceiveSome()) {
    }
    return closed_;
  }

 private:
  bool ReceiveSome() {
    if (!HasSome()) return false;
    constexpr size_t kAtOnce = 65536;
    const size_t before = received_.size();
    received_.resize(before + kAtOnce);
    const ssize_t count = recv(socket_, received_.data() + before, kAtOnce, 0);
    closed_ = count <= 0;
    received_.resize(before + static_cast<size_t>(std::max<ssize_t>(count, 0)));
    return !closed_;
  }

  int socket_;
  bool connected_ = false;
  bool closed_ = false;
  std::string received_;
};

}  // namespace cloak

#endif  // CLOAK_TESTS_INTEGRATION_SERVER_PROCESS_H_
