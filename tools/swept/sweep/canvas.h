// SPDX-License-Identifier: Apache-2.0
// Canvas: what plots are drawn on. x points right, y points down, from the upper left corner; lengths
// in points of the picture. Pictures have a white ground.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace swept::cli {

struct Colour {
  std::uint8_t r = 0, g = 0, b = 0;
};

struct Point {
  double x = 0, y = 0;
};

enum class Anchor { start, middle, end };

class Canvas {
 public:
  virtual ~Canvas() = default;
  Canvas() = default;
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  virtual void rectangle(Point corner, double width, double height, Colour colour) = 0;
  /// Lines through points, with round ends; a single point is a dot.
  virtual void line(const std::vector<Point>& points, double width, Colour colour) = 0;
  virtual void circle(Point middle, double radius, Colour colour) = 0;
  /// Text on a base line; its start, middle or end is at a point.
  ///   size     height of a line; capitals have 0.72 of it
  ///   upwards  read from below to above
  virtual void text(Point at, const std::string& text, double size, Anchor anchor, Colour colour,
                    bool upwards = false) = 0;
  /// Write the picture. Throws Error if it cannot be written.
  virtual void save(const std::filesystem::path& path) = 0;
};

/// A canvas for an SVG file, and one for a PNG file with `scale` pixels per point.
std::unique_ptr<Canvas> make_svg_canvas(double width, double height);
std::unique_ptr<Canvas> make_png_canvas(double width, double height, double scale);

}  // namespace swept::cli
