// SPDX-License-Identifier: Apache-2.0
// A font of straight strokes for pictures made of pixels.
//
// A glyph is drawn on a grid 5 wide and 10 high: capitals reach from the base line at y = 2 to
// y = 8, small letters to 6, tails down to 0. y points up.
#pragma once

#include "tools/swept/sweep/canvas.h"

#include <string>
#include <vector>

namespace swept::cli {

/// A text as lines; a line of one point is a dot.
struct Strokes {
  std::vector<std::vector<Point>> lines;  ///< from the start of the base line, y up
  double width = 0;                       ///< to where a next glyph would start
};

/// The strokes of an ASCII text in which capitals are 0.72 `size` high. Other characters are boxes.
Strokes strokes_of(const std::string& text, double size);

}  // namespace swept::cli
