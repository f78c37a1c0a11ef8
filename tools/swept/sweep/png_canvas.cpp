// SPDX-License-Identifier: Apache-2.0
// Pictures as pixels: what covers a part of a pixel is mixed with what was there. Written by lodepng.
#include "tools/swept/sweep/canvas.h"
#include "tools/swept/sweep/stroke_font.h"

#include <swept/error.h>

#include <fmt/format.h>
#include <lodepng.h>

#include <algorithm>
#include <cmath>

namespace swept::cli {

namespace {

class PngCanvas final : public Canvas {
 public:
  PngCanvas(double width, double height, double scale)
      : scale_(scale),
        width_(static_cast<int>(std::lround(width * scale))),
        height_(static_cast<int>(std::lround(height * scale))),
        pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 3, 255) {}

  void rectangle(Point corner, double width, double height, Colour colour) override {
    // whole pixels, so that neighbours share their edges without a seam
    const int left = pixel(corner.x), right = pixel(corner.x + width);
    const int top = pixel(corner.y), bottom = pixel(corner.y + height);
    for (int y = std::max(top, 0); y < std::min(bottom, height_); ++y) {
      for (int x = std::max(left, 0); x < std::min(right, width_); ++x) {
        mix(x, y, colour, 1);
      }
    }
  }

  void line(const std::vector<Point>& points, double width, Colour colour) override {
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
      segment(points[i], points[i + 1], width / 2, colour);
    }
    if (points.size() == 1) {
      segment(points[0], points[0], width / 2, colour);
    }
  }

  void circle(Point middle, double radius, Colour colour) override {
    segment(middle, middle, radius, colour);
  }

  void text(Point at, const std::string& text, double size, Anchor anchor, Colour colour,
            bool upwards) override {
    const Strokes strokes = strokes_of(text, size);
    const double shift = anchor == Anchor::start    ? 0
                         : anchor == Anchor::middle ? -strokes.width / 2
                                                    : -strokes.width;
    for (std::vector<Point> points : strokes.lines) {
      for (Point& point : points) {
        const double along = point.x + shift, above = point.y;
        point = upwards ? Point{at.x - above, at.y - along} : Point{at.x + along, at.y - above};
      }
      line(points, (points.size() > 1 ? 0.1 : 0.16) * size, colour);
    }
  }

  void save(const std::filesystem::path& path) override {
    const unsigned code = lodepng::encode(path.string(), pixels_, static_cast<unsigned>(width_),
                                          static_cast<unsigned>(height_), LCT_RGB, 8);
    if (code != 0) {
      throw Error(Place{path.string(), 0, {}},
                  fmt::format("the plot cannot be written ({})", lodepng_error_text(code)),
                  "give --plot a path that can be written");
    }
  }

 private:
  int pixel(double x) const { return static_cast<int>(std::lround(x * scale_)); }

  void mix(int x, int y, Colour colour, double part) {
    std::uint8_t* at =
        &pixels_[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                      static_cast<std::size_t>(x))];
    const std::uint8_t own[] = {colour.r, colour.g, colour.b};
    for (int i = 0; i < 3; ++i) {
      at[i] = static_cast<std::uint8_t>(std::lround(at[i] + part * (own[i] - at[i])));
    }
  }

  // all within `radius` of a segment
  void segment(Point a, Point b, double radius, Colour colour) {
    a = {a.x * scale_, a.y * scale_};
    b = {b.x * scale_, b.y * scale_};
    const double reach = radius * scale_ + 0.5;
    const double dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    const int top = std::max(0, static_cast<int>(std::min(a.y, b.y) - reach) - 1);
    const int bottom = std::min(height_ - 1, static_cast<int>(std::max(a.y, b.y) + reach) + 1);
    const int left = std::max(0, static_cast<int>(std::min(a.x, b.x) - reach) - 1);
    const int right = std::min(width_ - 1, static_cast<int>(std::max(a.x, b.x) + reach) + 1);
    for (int y = top; y <= bottom; ++y) {
      for (int x = left; x <= right; ++x) {
        const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
        const double along =
            length2 > 0 ? std::clamp((px * dx + py * dy) / length2, 0.0, 1.0) : 0.0;
        const double part = reach - std::hypot(px - along * dx, py - along * dy);
        if (part > 0) {
          mix(x, y, colour, std::min(part, 1.0));
        }
      }
    }
  }

  double scale_;
  int width_, height_;
  std::vector<std::uint8_t> pixels_;  // [height, width, 3]
};

}  // namespace

std::unique_ptr<Canvas> make_png_canvas(double width, double height, double scale) {
  return std::make_unique<PngCanvas>(width, height, scale);
}

}  // namespace swept::cli
