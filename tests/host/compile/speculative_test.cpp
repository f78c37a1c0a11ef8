// SPDX-License-Identifier: Apache-2.0
// Settings of speculative contacts: the flag, the custom elements, and what is refused.
#include <swept/compile.h>
#include <swept/error.h>
#include <swept/load.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace swept {
namespace {

Option options_of(const std::string& option, const std::string& custom) {
  return compile(load_string("<mujoco><option " + option +
                                 "><flag speculative='enable'/></option><custom>" + custom +
                                 "</custom><worldbody><geom size='1'/></worldbody></mujoco>",
                             Format::xml))
      .opt;
}

std::string refusal_of(const std::string& option, const std::string& custom) {
  try {
    options_of(option, custom);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(SpeculativeSettings, HaveDefaults) {
  const Option opt = options_of("", "");
  EXPECT_NE(opt.enableflags & enable_speculative, 0);
  EXPECT_EQ(opt.speculative_mode, speculative_robust);
  EXPECT_EQ(opt.speculative_cap, 64);
  EXPECT_EQ(opt.speculative_iterations, 4);
  EXPECT_EQ(opt.ccd_tolerance, 1e-6);
}

TEST(SpeculativeSettings, AreReadFromCustomElements) {
  const Option opt = options_of("ccd_tolerance='1e-4'",
                                "<text name='speculative_mode' data='parity'/>"
                                "<numeric name='speculative_cap' data='3'/>"
                                "<numeric name='speculative_iterations' data='0'/>");
  EXPECT_EQ(opt.speculative_mode, speculative_parity);
  EXPECT_EQ(opt.speculative_cap, 3);
  EXPECT_EQ(opt.speculative_iterations, 0);
  EXPECT_EQ(opt.ccd_tolerance, 1e-4);
}

TEST(SpeculativeSettings, ThatMakeNoSenseAreRefused) {
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  has(refusal_of("", "<text name='speculative_mode' data='fast'/>"), "\"robust\" or \"parity\"");
  for (const char* data : {"0", "1.5", "-1", "1e9", "1 2"}) {
    has(refusal_of("", "<numeric name='speculative_cap' data='" + std::string(data) + "'/>"),
        "whole number from 1");
  }
  has(refusal_of("", "<numeric name='speculative_iterations' data='-1'/>"), "whole number from 0");
}

TEST(SpeculativeSettings, DoNotGoWithRungeKutta) {
  EXPECT_NE(refusal_of("integrator='RK4'", "").find("use Euler, implicit or implicitfast"),
            std::string::npos);
  for (const char* other : {"Euler", "implicit", "implicitfast"}) {
    EXPECT_EQ(refusal_of("integrator='" + std::string(other) + "'", ""), "");
  }
}

TEST(SpeculativeSettings, SayWhereHeightFieldsAreNotFollowed) {
  const auto notices = [](const char* flag, const char* mode) {
    return compile(
               load_string("<mujoco><option><flag speculative='" + std::string(flag) +
                               "'/></option><custom><text name='speculative_mode' data='" + mode +
                               "'/></custom><asset><hfield name='f' nrow='2' ncol='2' size='1 1 "
                               "1 1'/></asset><worldbody><geom type='hfield' hfield='f'/>"
                               "</worldbody></mujoco>",
                           Format::xml))
        .notices;
  };
  const auto tells = [](const std::vector<std::string>& all) {
    return std::any_of(all.begin(), all.end(), [](const std::string& notice) {
      return notice.find("height fields take no part") != std::string::npos;
    });
  };
  EXPECT_TRUE(tells(notices("enable", "parity")));
  EXPECT_FALSE(tells(notices("enable", "robust")));
  EXPECT_FALSE(tells(notices("disable", "parity")));
}

}  // namespace
}  // namespace swept
