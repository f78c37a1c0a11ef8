// SPDX-License-Identifier: Apache-2.0
// Pictures as SVG 1.1 text.
#include "tools/swept/sweep/canvas.h"

#include <swept/error.h>

#include <fmt/format.h>

#include <fstream>
#include <iterator>

namespace swept::cli {

namespace {

std::string name_of(Colour colour) {
  return fmt::format("#{:02x}{:02x}{:02x}", colour.r, colour.g, colour.b);
}

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  }
  return safe;
}

class SvgCanvas final : public Canvas {
 public:
  SvgCanvas(double width, double height)
      : text_(fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" "
                          "height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\">\n",
                          width, height)) {
    rectangle({0, 0}, width, height, {255, 255, 255});
  }

  void rectangle(Point corner, double width, double height, Colour colour) override {
    // neighbours share their edges without a seam
    put("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\" "
        "shape-rendering=\"crispEdges\"/>\n",
        corner.x, corner.y, width, height, name_of(colour));
  }

  void line(const std::vector<Point>& points, double width, Colour colour) override {
    text_ += "<polyline points=\"";
    for (const Point& point : points) {
      put("{}{:.2f},{:.2f}", &point == &points.front() ? "" : " ", point.x, point.y);
    }
    put("\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:g}\" stroke-linecap=\"round\" "
        "stroke-linejoin=\"round\"/>\n",
        name_of(colour), width);
  }

  void circle(Point middle, double radius, Colour colour) override {
    put("<circle cx=\"{:.2f}\" cy=\"{:.2f}\" r=\"{:g}\" fill=\"{}\"/>\n", middle.x, middle.y,
        radius, name_of(colour));
  }

  void text(Point at, const std::string& text, double size, Anchor anchor, Colour colour,
            bool upwards) override {
    constexpr const char* anchors[] = {"start", "middle", "end"};
    const std::string turned =
        upwards ? fmt::format(" transform=\"rotate(-90 {:.2f} {:.2f})\"", at.x, at.y) : "";
    put("<text x=\"{:.2f}\" y=\"{:.2f}\" font-family=\"sans-serif\" font-size=\"{:g}\" "
        "text-anchor=\"{}\" fill=\"{}\"{}>{}</text>\n",
        at.x, at.y, size, anchors[static_cast<int>(anchor)], name_of(colour), turned,
        escaped(text));
  }

  void save(const std::filesystem::path& path) override {
    std::ofstream file(path, std::ios::binary);
    file << text_ << "</svg>\n";
    file.close();
    if (file.fail()) {
      throw Error(Place{path.string(), 0, {}}, "the plot cannot be written",
                  "give --plot a path that can be written");
    }
  }

 private:
  template <class... Parts>
  void put(fmt::format_string<Parts...> format, Parts&&... parts) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Parts>(parts)...);
  }

  std::string text_;
};

}  // namespace

std::unique_ptr<Canvas> make_svg_canvas(double width, double height) {
  return std::make_unique<SvgCanvas>(width, height);
}

}  // namespace swept::cli
