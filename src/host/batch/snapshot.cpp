// SPDX-License-Identifier: Apache-2.0
// Snapshots as objects and as files. A file is written under a temporary name in the same folder,
// brought to the disk, and renamed last.
#include <swept/snapshot.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <system_error>

#include <swept/error.h>

#include "host/batch/snapshot_content.h"

namespace swept {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& path, const std::string& what, int code) {
  throw Error(Place{path.string(), 0, {}},
              "the snapshot cannot be " + what + " (" + std::strerror(code) + ")",
              "check the folder, its permissions and the room on the disk");
}

/// A file that is being written; it goes unless it is kept.
class NewFile {
 public:
  explicit NewFile(const fs::path& path)
      : path_(path.string() + "." + std::to_string(::getpid()) + ".part"),
        file_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {
    if (file_ < 0) {
      refuse(path, "written", errno);
    }
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile() {
    if (file_ >= 0) {
      ::close(file_);
      ::unlink(path_.c_str());
    }
  }

  void put(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t done = ::write(file_, bytes.data(), bytes.size());
      if (done < 0 && errno != EINTR) {
        refuse(path_, "written", errno);
      }
      bytes = bytes.subspan(done < 0 ? 0 : static_cast<std::size_t>(done));
    }
  }

  /// Give it its name.
  void keep(const fs::path& path) {
    if (::fsync(file_) != 0 || ::rename(path_.c_str(), path.c_str()) != 0) {
      refuse(path, "written", errno);
    }
    ::close(file_);
    file_ = -1;
  }

 private:
  std::string path_;
  int file_;
};

}  // namespace

Snapshot::Snapshot(std::shared_ptr<const Content> content) : content_(std::move(content)) {}

Snapshot Snapshot::from_bytes(std::vector<std::byte> bytes) {
  return Snapshot(std::make_shared<const Content>(decode_snapshot(std::move(bytes), {})));
}

Snapshot Snapshot::read(const fs::path& path) {
  std::error_code failed;
  const std::uintmax_t size = fs::is_directory(path, failed) ? 0 : fs::file_size(path, failed);
  std::ifstream file(path, std::ios::binary);
  if (failed || !file) {
    refuse(path, "read", failed ? failed.value() : errno);
  }
  std::vector<std::byte> bytes(size);
  file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size));
  if (file.bad() || static_cast<std::uintmax_t>(file.gcount()) != size) {
    refuse(path, "read", errno != 0 ? errno : EIO);
  }
  return Snapshot(
      std::make_shared<const Content>(decode_snapshot(std::move(bytes), path.string())));
}

void Snapshot::write(const fs::path& path) const {
  NewFile file(path);
  file.put(content_->bytes);
  file.keep(path);
}

std::span<const std::byte> Snapshot::bytes() const {
  return content_->bytes;
}
int Snapshot::nenv() const {
  return content_->nenv;
}
Precision Snapshot::precision() const {
  return content_->precision;
}
std::uint64_t Snapshot::model_hash() const {
  return content_->model;
}
const std::string& Snapshot::note() const {
  return content_->note;
}

}  // namespace swept
