// SPDX-License-Identifier: Apache-2.0
// The long tunnelling census.
//   swept_census [--scenes N] [--shots N] [--first N] [--precision f32|f64] [--threads N] [--alone]
//                [--seconds S]
// Its exit status is 1 if anything crossed.
#include "bench/census.h"

#include <CLI/CLI.hpp>

#include <iostream>
#include <string>

int main(int argc, char** argv) {
  CLI::App app("Random shots of one step, judged by the official library's distances.");
  swept::census::CensusOptions options;
  options.scenes = 1000;
  std::string precision = "f64";
  bool alone = false;
  app.add_option("--scenes", options.scenes, "random scenes")->check(CLI::PositiveNumber);
  app.add_option("--shots", options.shots, "shots of each")->check(CLI::PositiveNumber);
  app.add_option("--first", options.first, "number of the first scene");
  app.add_option("--precision", precision)->check(CLI::IsMember({"f32", "f64"}));
  app.add_option("--threads", options.threads, "that take scenes")->check(CLI::PositiveNumber);
  app.add_option("--seconds", options.seconds,
                 "no new scene after this time; 0: until all are done");
  app.add_flag("--alone", alone, "neither one pass alone nor the official library beside it");
  CLI11_PARSE(app, argc, argv);
  options.precision = precision == "f32" ? swept::Precision::f32 : swept::Precision::f64;
  options.others = !alone;
  const swept::census::CensusResult result = swept::census::take_census(options);
  std::cout << precision << "\n" << result.to_text();
  return result.all().crossed > 0 ? 1 : 0;
}
