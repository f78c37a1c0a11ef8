// SPDX-License-Identifier: Apache-2.0
// Snapshots: a run that goes on from one gives the bits of a run that was never stopped; what is cut
// off, damaged, or of something else is refused and changes nothing. Copies between environments.
#include <gtest/gtest.h>

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include <swept/batch.h>
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>
#include <swept/snapshot.h>

#include "host/batch/bits.h"

namespace swept::test {
namespace {

namespace fs = std::filesystem;

Model cart(const std::string& integrator) {
  return compile(load_string(scene_of(cart_xml, integrator), Format::xml));
}

Batch make(const Model& model, int nenv, Precision precision, int threads = 1, int tile = 0) {
  BatchOptions options{.nenv = nenv, .precision = precision};
  options.threads = threads;
  options.tile = tile;
  return Batch(model, options);
}

/// The message of the Error that some work throws; empty if it throws none.
template <class Work>
std::string refusal(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

std::vector<std::byte> copy_of(const Snapshot& snapshot) {
  return {snapshot.bytes().begin(), snapshot.bytes().end()};
}

/// A folder that goes with the test.
class Folder {
 public:
  Folder() : path_(fs::temp_directory_path() / ("swept_snapshot_" + std::to_string(::getpid()))) {
    fs::remove_all(path_);
    fs::create_directories(path_);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { fs::remove_all(path_); }
  fs::path file(const char* name) const { return path_ / name; }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

class SnapshotRun : public testing::TestWithParam<std::tuple<Precision, const char*>> {
 protected:
  static Precision precision() { return std::get<0>(GetParam()); }
  static Model model() { return cart(std::get<1>(GetParam())); }
};

TEST_P(SnapshotRun, GoesOnAsIfItHadNeverStopped) {
  const Model m = model();
  Batch never = make(m, 53, precision());
  scatter(&never);
  set_number(&never, "qpos", 11, std::numeric_limits<double>::quiet_NaN());  // stays frozen
  never.step(20);
  const Folder folder;
  never.save({}, "twenty").write(folder.file("a.snap"));
  never.step(25);
  const Bits reference = bits_of(never);

  for (const auto& [threads, tile] : {std::pair(1, 0), {2, 1}, {7, 16}, {2, 1000}}) {
    Batch batch = make(m, 53, precision(), threads, tile);
    batch.step(3);
    const Snapshot snapshot = Snapshot::read(folder.file("a.snap"));
    EXPECT_EQ(snapshot.note(), "twenty");
    EXPECT_EQ(snapshot.nenv(), 53);
    batch.load(snapshot);
    batch.step(25);
    EXPECT_EQ(bits_of(batch), reference) << threads << " threads, tile " << tile;
    EXPECT_EQ(batch.status(11), Status::bad_qpos);
  }
}

TEST_P(SnapshotRun, SomeEnvironmentsGoOnInOtherPlacesOfOtherBatches) {
  const Model m = model();
  Batch first = make(m, 40, precision());
  scatter(&first);
  first.step(15);
  const int saved[] = {39, 4, 17};
  const Snapshot snapshot = first.save(saved);
  first.step(20);
  const Bits reference = bits_of(first);

  Batch other = make(m, 9, precision(), 2), untouched = make(m, 9, precision());
  scatter(&other);
  scatter(&untouched);
  const int from[] = {2, 0, 2, 1}, to[] = {0, 8, 5, 3};
  other.load(snapshot, from, to);
  other.step(20);
  untouched.step(20);
  const Bits bits = bits_of(other), rest = bits_of(untouched);
  for (int k = 0; k < 4; ++k) {
    EXPECT_EQ(bits[to[k]], reference[saved[from[k]]]) << "environment " << to[k];
  }
  for (const int env : {1, 2, 4, 6, 7}) {
    EXPECT_EQ(bits[env], rest[env]) << "environment " << env;
  }
}

TEST_P(SnapshotRun, CopiesReadAllSourcesFirst) {
  const Model m = model();
  Batch batch = make(m, 30, precision(), 2);
  scatter(&batch);
  batch.step(5);
  const Bits before = bits_of(batch);

  // a rotation, a swap and a fan-out in one call
  const int from[] = {1, 2, 3, 10, 11, 20, 20}, to[] = {2, 3, 1, 11, 10, 21, 29};
  batch.copy(from, to);
  Bits wanted = before;
  for (int k = 0; k < 7; ++k) {
    wanted[to[k]] = before[from[k]];
  }
  EXPECT_EQ(bits_of(batch), wanted);

  // copies go on alike
  batch.step(10);
  const Bits after = bits_of(batch);
  EXPECT_EQ(after[21], after[20]);
  EXPECT_EQ(after[29], after[20]);
  EXPECT_NE(after[19], after[20]);
}

TEST_P(SnapshotRun, ModelsOfSingleEnvironmentsComeAlong) {
  const Model m = model();
  const auto edit = [&](Batch* batch) {
    std::vector<double> mass = m.body_mass;
    mass[1] *= 3;
    batch->write("body_mass", mass, 4);
    batch->write("opt_timestep", std::vector<double>{0.001}, 7);
    batch->write("body_mass", std::vector<double>(mass.size(), -1.0), 9);  // stands still
  };
  Batch never = make(m, 12, precision());
  scatter(&never);
  edit(&never);
  never.step(10);
  const Snapshot snapshot = Snapshot::from_bytes(copy_of(never.save()));
  never.step(10);
  const Bits reference = bits_of(never);

  // into a batch whose own changes go
  Batch other = make(m, 20, precision(), 2);
  other.write("geom_friction", std::vector<double>(m.geom_friction.size(), 0.1), 4);
  std::vector<int> from, to;
  for (int env = 0; env < 12; ++env) {
    from.push_back(env);
    to.push_back(env);
  }
  other.load(snapshot, from, to);
  other.step(10);
  const Bits bits = bits_of(other);
  for (int env = 0; env < 12; ++env) {
    EXPECT_EQ(bits[env], reference[env]) << "environment " << env;
  }
  EXPECT_EQ(other.status(9), Status::bad_model);

  // copies take the model with them, and give their own up
  Batch copied = make(m, 12, precision());
  scatter(&copied);
  edit(&copied);
  copied.step(10);
  const int sources[] = {4, 0, 7}, targets[] = {0, 7, 1};
  copied.copy(sources, targets);
  copied.step(10);
  const Bits after = bits_of(copied);
  EXPECT_EQ(after[0], reference[4]);
  EXPECT_EQ(after[7], reference[0]);
  EXPECT_EQ(after[1], reference[7]);
  EXPECT_NE(reference[0], reference[4]);
}

INSTANTIATE_TEST_SUITE_P(PrecisionsAndIntegrators, SnapshotRun,
                         testing::Combine(testing::Values(Precision::f32, Precision::f64),
                                          testing::Values("Euler", "RK4")),
                         name_of_case);

TEST(SnapshotFile, CutAtAnyByteIsRefused) {
  const Model m = cart("Euler");
  Batch batch = make(m, 2, Precision::f32);
  const std::vector<std::byte> whole = copy_of(batch.save());
  for (std::size_t length = 0; length < whole.size(); ++length) {
    std::vector<std::byte> cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length));
    const std::string text = refusal([&] { Snapshot::from_bytes(cut); });
    ASSERT_NE(text.find("cut off"), std::string::npos) << length << " bytes: " << text;
  }
  std::vector<std::byte> longer = whole;
  longer.resize(whole.size() + 8);
  EXPECT_NE(refusal([&] { Snapshot::from_bytes(longer); }), "");
}

TEST(SnapshotFile, AnyChangedByteIsRefused) {
  const Model m = cart("Euler");
  Batch batch = make(m, 2, Precision::f32);
  scatter(&batch);
  const std::vector<std::byte> whole = copy_of(batch.save({}, "a note"));
  std::mt19937 random(7);
  int tried = 0;
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::vector<std::byte> bad = whole;
    bad[at] ^= static_cast<std::byte>(1 + random() % 255);
    ASSERT_NE(refusal([&] { Snapshot::from_bytes(bad); }), "") << "byte " << at;
    ++tried;
  }
  // several bytes at once, and parts of the file moved about
  for (int i = 0; i < 4000; ++i) {
    std::vector<std::byte> bad = whole;
    const std::size_t a = random() % whole.size(), b = random() % whole.size(),
                      n = 1 + random() % 40;
    std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(a), std::min(n, whole.size() - a),
                bad.begin() + static_cast<std::ptrdiff_t>(std::min(b, whole.size() - n)));
    if (bad != whole) {
      ASSERT_NE(refusal([&] { Snapshot::from_bytes(bad); }), "") << a << " to " << b;
      ++tried;
    }
  }
  EXPECT_GT(tried, 4000);
}

TEST(SnapshotFile, MessagesSayWhatItIsAndWhatToDo) {
  const Model m = cart("Euler");
  Batch batch = make(m, 2, Precision::f32);
  const std::vector<std::byte> whole = copy_of(batch.save());
  const auto says = [](const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
    EXPECT_NE(text.find(';'), std::string::npos) << "no remedy: " << text;
  };
  std::vector<std::byte> other = whole;
  other[8] = std::byte{2};
  says(refusal([&] { Snapshot::from_bytes(other); }), "version 2");
  other = whole;
  other[0] = std::byte{'P'};
  says(refusal([&] { Snapshot::from_bytes(other); }), "no snapshot");
  other = whole;
  other[100] ^= std::byte{1};
  says(refusal([&] { Snapshot::from_bytes(other); }), "damaged");

  const Folder folder;
  says(refusal([&] { Snapshot::read(folder.file("missing")); }), "missing: the snapshot cannot");
  std::ofstream(folder.file("text")) << "<mujoco/>";
  says(refusal([&] { Snapshot::read(folder.file("text")); }), "text: this is no snapshot");
  says(refusal([&] { batch.save().write(folder.file("no/such/folder")); }), "cannot be written");
}

TEST(SnapshotFile, OtherModelsAndPrecisionsAreRefusedAndNothingChanges) {
  const Model m = cart("Euler");
  Batch batch = make(m, 4, Precision::f64);
  scatter(&batch);
  batch.step(3);
  const Bits before = bits_of(batch);
  Batch same = make(m, 4, Precision::f32);
  EXPECT_NE(refusal([&] { batch.load(same.save()); }).find("f32"), std::string::npos);

  Model heavier = m;
  heavier.body_mass[1] = std::nextafter(m.body_mass[1], 10.0);
  Batch other = make(heavier, 4, Precision::f64), rk4 = make(cart("RK4"), 4, Precision::f64);
  EXPECT_NE(refusal([&] { batch.load(other.save()); }).find("another model"), std::string::npos);
  EXPECT_NE(refusal([&] { batch.load(rk4.save()); }).find("another model"), std::string::npos);
  EXPECT_NE(model_hash(heavier), model_hash(m));
  EXPECT_EQ(model_hash(cart("Euler")), model_hash(m));

  const Snapshot good = make(m, 3, Precision::f64).save();
  const int four[] = {0, 1, 2, 3}, twice[] = {1, 2, 1}, beyond[] = {0, 1, 4},
            negative[] = {0, 1, -1}, three[] = {0, 1, 2};
  for (const auto& [from, to] :
       std::vector<std::pair<std::span<const int>, std::span<const int>>>{{{}, {}},
                                                                          {{}, four},
                                                                          {three, twice},
                                                                          {three, beyond},
                                                                          {three, negative},
                                                                          {four, four}}) {
    EXPECT_NE(refusal([&, f = from, t = to] { batch.load(good, f, t); }), "");
  }
  EXPECT_NE(refusal([&] { batch.copy(three, twice); }), "");
  EXPECT_NE(refusal([&] { batch.copy(three, beyond); }), "");
  EXPECT_NE(refusal([&] { batch.copy(four, three); }), "");
  EXPECT_NE(refusal([&] { batch.save(beyond); }), "");
  EXPECT_EQ(bits_of(batch), before);
}

TEST(SnapshotFile, AppearsWholeOrNotAtAll) {
  const Model m = cart("Euler");
  Batch batch = make(m, 2, Precision::f32);
  const Snapshot first = batch.save();
  batch.step(4);
  const Snapshot second = batch.save();
  const Folder folder;
  const fs::path file = folder.file("a.snap");
  first.write(file);
  EXPECT_EQ(copy_of(Snapshot::read(file)), copy_of(first));

  // a disk that is full in the middle: the old file stays
  rlimit room{};
  ::getrlimit(RLIMIT_FSIZE, &room);
  const rlimit little{second.bytes().size() / 2, room.rlim_max};
  std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &little);
  const std::string full = refusal([&] { second.write(file); });
  ::setrlimit(RLIMIT_FSIZE, &room);
  EXPECT_NE(full.find("cannot be written"), std::string::npos) << full;
  EXPECT_EQ(copy_of(Snapshot::read(file)), copy_of(first));

  // a name that a folder has cannot be given: what was there stays, and nothing is left behind
  fs::create_directory(folder.file("taken"));
  EXPECT_NE(refusal([&] { second.write(folder.file("taken")); }), "");
  EXPECT_TRUE(fs::is_directory(folder.file("taken")));
  second.write(file);
  EXPECT_EQ(copy_of(Snapshot::read(file)), copy_of(second));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()), 2);
}

}  // namespace
}  // namespace swept::test
