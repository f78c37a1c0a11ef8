// SPDX-License-Identifier: Apache-2.0
// Plots of a table: a measure over one parameter or two.
#pragma once

#include "tools/swept/commands.h"
#include "tools/swept/sweep/plan.h"
#include "tools/swept/sweep/table.h"

#include <filesystem>
#include <string>

namespace swept::cli {

/// A parameter as an axis.
struct PlotAxis {
  std::string name;  ///< empty: there is none
  bool log = false;
  bool drawn = false;  ///< its values are scattered
};

/// What to draw.
struct PlotChoice {
  std::string measure;
  PlotAxis x, y;
};

/// What the options ask for: the columns named, or the first measure over the first two parameters.
/// Throws Error for names that do not exist, and for a file that is neither .svg nor .png.
PlotChoice choose_plot(const SweepOptions& options, const Plan& plan);

/// Draw a table. Over one parameter: a point for every row, and a line through the means of those
/// with the same value, unless values are drawn. Over two: a field of colours for the means, or
/// coloured points where a parameter is drawn. Rows whose measure is not a number are left out;
/// their place in a field is grey. Throws Error if nothing is left, or if the file cannot be written.
void plot(const Table& table, const PlotChoice& choice, const std::filesystem::path& path);

}  // namespace swept::cli
