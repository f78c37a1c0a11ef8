// SPDX-License-Identifier: Apache-2.0
// Programs behind pipes and behind a pseudo-terminal.
#include "cli/command.h"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace swept::test {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) {
    argv.push_back(const_cast<char*>(argument.c_str()));
  }
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  _exit(127);
}

void wait_for(pid_t child, Outcome* outcome) {
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  outcome->code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  outcome->peak_bytes = usage.ru_maxrss * 1024;
}

// appends what can be read now; false at the end of the stream
bool read_some(int from, std::string* text) {
  std::array<char, 4096> buffer;
  const ssize_t n = read(from, buffer.data(), buffer.size());
  if (n > 0) {
    text->append(buffer.data(), static_cast<std::size_t>(n));
  }
  return n > 0;
}

// the folder of this process's files, removed at its end
const fs::path& scratch() {
  struct Folder {
    fs::path path = fs::temp_directory_path() / ("swept_test_" + std::to_string(getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const Folder folder;
  return folder.path;
}

}  // namespace

Outcome run_program(const std::string& program, const std::vector<std::string>& arguments) {
  int out[2], err[2];
  if (pipe(out) != 0 || pipe(err) != 0) {
    throw std::runtime_error("no pipe");
  }
  const pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    for (const int end : {out[0], out[1], err[0], err[1]}) {
      close(end);
    }
    become(program, arguments);
  }
  close(out[1]);
  close(err[1]);

  // both pipes have to be emptied, whichever fills first
  Outcome outcome;
  std::array<pollfd, 2> ends{pollfd{out[0], POLLIN, 0}, pollfd{err[0], POLLIN, 0}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    poll(ends.data(), ends.size(), -1);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      if (ends[i].fd >= 0 && ends[i].revents != 0 &&
          !read_some(ends[i].fd, i == 0 ? &outcome.out : &outcome.err)) {
        close(ends[i].fd);
        ends[i].fd = -1;
      }
    }
  }
  wait_for(child, &outcome);
  return outcome;
}

Outcome run_swept(const std::vector<std::string>& arguments) {
  return run_program(SWEPT_COMMAND, arguments);
}

Outcome interrupt_swept(const std::vector<std::string>& arguments, const std::string& wanted) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    become(SWEPT_COMMAND, arguments);
  }
  // a minute is far more than the program needs to say something
  Outcome outcome;
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  bool asked = false;
  pollfd end{terminal, POLLIN, 0};
  while (true) {
    if (poll(&end, 1, 100) > 0 && !read_some(terminal, &outcome.out)) {
      break;
    }
    if (!asked && outcome.out.find(wanted) != std::string::npos) {
      kill(child, SIGINT);
      asked = true;
    }
    if (std::chrono::steady_clock::now() > deadline) {
      kill(child, SIGKILL);
      break;
    }
  }
  close(terminal);
  wait_for(child, &outcome);
  return outcome;
}

void kill_swept(const std::vector<std::string>& arguments, const std::string& path, long bytes) {
  const pid_t child = fork();
  if (child == 0) {
    become(SWEPT_COMMAND, arguments);
  }
  // a minute is far more than it needs
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  std::error_code ignored;
  while (static_cast<long>(fs::file_size(path, ignored)) < bytes &&
         std::chrono::steady_clock::now() < deadline) {
    usleep(10000);
  }
  kill(child, SIGKILL);
  Outcome outcome;
  wait_for(child, &outcome);
}

Outcome kill_swept_after(const std::vector<std::string>& arguments, long microseconds) {
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    become(SWEPT_COMMAND, arguments);
  }
  // a process that has ended waits here for wait_for(), so the signal cannot meet another one
  usleep(static_cast<useconds_t>(microseconds));
  kill(child, SIGKILL);
  Outcome outcome;
  wait_for(child, &outcome);
  return outcome;
}

std::string scene(const std::string& name) {
  return SWEPT_SOURCE_DIR "/scenes/" + name;
}

std::string write_file(const std::string& name, const std::string& content) {
  const fs::path path = scratch() / name;
  std::ofstream(path) << content;
  return path.string();
}

std::string read_file(const std::string& path) {
  std::ifstream file(path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::vector<std::vector<std::string>> read_csv(const std::string& path) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream text(read_file(path));
  for (std::string line; std::getline(text, line);) {
    std::vector<std::string>& row = rows.emplace_back();
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');) {
      row.push_back(cell);
    }
  }
  return rows;
}

}  // namespace swept::test
