// SPDX-License-Identifier: Apache-2.0
// Random MJCF text that uses what the scene compiler supports: trees of bodies with all joint
// types, primitive geoms, inertials, contact pairs and excludes, fixed tendons, actuators, and
// compiler options.
#pragma once

#include <array>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace swept::test {

/// Writes one random scene.
class RandomMjcf {
 public:
  explicit RandomMjcf(unsigned seed) : random_(seed) { out_.precision(17); }

  std::string scene() {
    out_ << "<mujoco><compiler " << compiler() << "/>\n";
    if (chance(0.2)) {
      out_ << "<option><flag filterparent=\"disable\"/></option>\n";
    }
    out_ << "<worldbody>\n";
    const int trees = integer(1, 4);
    for (int i = 0; i < trees; ++i) {
      body(1);
      if (chance(0.3)) {
        geom();
      }
    }
    out_ << "</worldbody>\n";
    contact();
    tendons();
    actuators();
    out_ << "</mujoco>\n";
    return out_.str();
  }

 private:
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  int integer(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  bool chance(double p) { return uniform(0.0, 1.0) < p; }
  const std::string& any(const std::vector<std::string>& names) {
    return names[static_cast<std::size_t>(integer(0, static_cast<int>(names.size()) - 1))];
  }

  /// n numbers as an attribute.
  void numbers(const char* name, int n, double low, double high) {
    out_ << " " << name << "=\"";
    for (int i = 0; i < n; ++i) {
      out_ << (i == 0 ? "" : " ") << uniform(low, high);
    }
    out_ << "\"";
  }

  /// A position and an orientation; sometimes round, so that frames coincide.
  void pose() {
    if (chance(0.7)) {
      numbers("pos", 3, -1.0, 1.0);
    }
    if (chance(0.6)) {
      numbers("euler", 3, -180.0, 180.0);
    }
  }

  std::string name(const char* kind, std::vector<std::string>* names) {
    names->push_back(kind + std::to_string(names->size()));
    out_ << " name=\"" << names->back() << "\"";
    return names->back();
  }

  std::string compiler() {
    std::string text;
    const std::array<const char*, 7> switches = {"alignfree=\"true\" ",
                                                 "fusestatic=\"true\" ",
                                                 "discardvisual=\"true\" ",
                                                 "settotalmass=\"5\" ",
                                                 "boundmass=\".5\" boundinertia=\".02\" ",
                                                 "inertiagrouprange=\"0 1\" ",
                                                 "balanceinertia=\"true\" "};
    for (const char* one : switches) {
      text += chance(0.2) ? one : "";
    }
    return text;
  }

  void geom() {
    static constexpr std::array<const char*, 5> types = {"sphere", "capsule", "box", "cylinder",
                                                         "ellipsoid"};
    const bool collides = chance(0.6);
    out_ << "<geom type=\"" << types[static_cast<std::size_t>(integer(0, collides ? 1 : 4))]
         << "\"";
    name("g", &geoms_);
    numbers("size", 3, 0.05, 0.3);
    pose();
    if (!collides) {
      out_ << " contype=\"0\" conaffinity=\"0\"";
    } else if (chance(0.3)) {
      out_ << " contype=\"" << integer(0, 3) << "\" conaffinity=\"" << integer(0, 3) << "\"";
    }
    if (chance(0.3)) {
      numbers("mass", 1, 0.0, 2.0);
    }
    if (chance(0.2)) {
      out_ << " group=\"" << integer(0, 2) << "\" shellinertia=\"true\"";
    }
    if (chance(0.2)) {
      numbers("margin", 1, 0.0, 0.1);
      numbers("gap", 1, 0.0, 0.1);
    }
    out_ << "/>\n";
  }

  void joint(bool first) {
    const bool slide = chance(0.5);
    out_ << "<joint type=\"" << (slide ? "slide" : "hinge") << "\"";
    name("j", &joints_);
    // the first joint of a body may turn about z; two about the same axis would make M singular
    if (!first || chance(0.5)) {
      numbers("axis", 3, -1.0, 1.0);
    }
    if (chance(0.5)) {
      numbers("pos", 3, -0.3, 0.3);
    }
    if (chance(0.5)) {
      out_ << " range=\"" << uniform(-2.0, 0.0) << " " << uniform(0.1, 2.0) << "\"";
    }
    if (chance(0.3)) {
      numbers("ref", 1, -1.0, 1.0);
      numbers("springref", 1, -1.0, 1.0);
    }
    if (!first || chance(0.3)) {
      numbers("armature", 1, 0.01, 0.3);
      numbers("damping", integer(1, 3), 0.0, 2.0);
    }
    if (chance(0.2)) {
      numbers("springdamper", 2, 0.1, 2.0);
    }
    out_ << "/>\n";
  }

  void joints(int depth) {
    if (chance(0.3)) {
      return;
    }
    if (depth == 1 && chance(0.3)) {
      out_ << "<freejoint/>\n";
    } else if (chance(0.2)) {
      out_ << "<joint type=\"ball\"/>\n";
    } else {
      const int count = integer(1, 3);
      for (int i = 0; i < count; ++i) {
        joint(i == 0);
      }
    }
  }

  void body(int depth) {
    out_ << "<body";
    name("b", &bodies_);
    pose();
    if (chance(0.2)) {
      numbers("gravcomp", 1, 0.0, 1.0);
    }
    out_ << ">\n";
    joints(depth);
    if (chance(0.2)) {
      out_ << "<inertial mass=\"" << uniform(0.1, 2.0) << "\"";
      numbers("pos", 3, -0.2, 0.2);
      if (chance(0.5)) {
        numbers("diaginertia", 3, 0.1, 0.19);
        numbers("euler", 3, -180.0, 180.0);
      } else {
        out_ << " fullinertia=\".3 .33 .36 " << uniform(-.05, .05) << " " << uniform(-.05, .05)
             << " " << uniform(-.05, .05) << "\"";
      }
      out_ << "/>\n";
    }
    // the first geom gives what moves its mass
    out_ << "<geom size=\".1\"";
    name("g", &geoms_);
    pose();
    out_ << "/>\n";
    const int more = integer(0, 2);
    for (int i = 0; i < more; ++i) {
      geom();
    }
    if (chance(0.3)) {
      out_ << "<site";
      pose();
      out_ << "/><camera";
      pose();
      out_ << "/><light";
      numbers("dir", 3, -1.0, 1.0);
      out_ << "/>\n";
    }
    const int children = depth < 4 ? integer(0, 2) : 0;
    for (int i = 0; i < children; ++i) {
      body(depth + 1);
    }
    out_ << "</body>\n";
  }

  void contact() {
    out_ << "<contact>\n";
    const int excludes = integer(0, 2);
    for (int i = 0; i < excludes; ++i) {
      out_ << "<exclude body1=\"" << any(bodies_) << "\" body2=\"" << any(bodies_) << "\"/>\n";
    }
    out_ << "</contact>\n";
  }

  void tendons() {
    if (joints_.size() < 2) {
      return;
    }
    out_ << "<tendon>\n";
    const int count = integer(0, 2);
    for (int i = 0; i < count; ++i) {
      out_ << "<fixed";
      name("t", &tendons_);
      if (chance(0.3)) {
        numbers("armature", 1, 0.0, 0.5);
      }
      if (chance(0.3)) {
        out_ << " range=\"-1 2\"";
      }
      out_ << "><joint joint=\"" << joints_.front() << "\" coef=\"" << uniform(-2.0, 2.0)
           << "\"/><joint joint=\"" << joints_.back() << "\" coef=\"" << uniform(-2.0, 2.0)
           << "\"/></fixed>\n";
    }
    out_ << "</tendon>\n";
  }

  void actuators() {
    if (joints_.empty()) {
      return;
    }
    out_ << "<actuator>\n";
    const int count = integer(0, 4);
    for (int i = 0; i < count; ++i) {
      const bool servo = chance(0.5);
      const bool pulls = !tendons_.empty() && chance(0.3);
      out_ << (servo ? "<position" : "<motor")
           << (pulls ? " tendon=\"" + any(tendons_) : " joint=\"" + any(joints_)) << "\"";
      numbers("gear", 1, -3.0, 3.0);
      if (servo) {
        numbers("kp", 1, 0.1, 100.0);
        numbers("dampratio", 1, 0.1, 2.0);
      }
      if (chance(0.3)) {
        numbers("armature", 1, 0.0, 0.2);
      }
      out_ << "/>\n";
    }
    out_ << "</actuator>\n";
  }

  std::mt19937 random_;
  std::ostringstream out_;
  std::vector<std::string> bodies_;
  std::vector<std::string> geoms_;
  std::vector<std::string> joints_;
  std::vector<std::string> tendons_;
};

}  // namespace swept::test
