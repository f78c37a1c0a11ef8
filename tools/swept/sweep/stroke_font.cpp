// SPDX-License-Identifier: Apache-2.0
// The glyphs: strokes are apart by blanks, each is a row of points, each point two digits, x and y.
#include "tools/swept/sweep/stroke_font.h"

#include <algorithm>
#include <string_view>

namespace swept::cli {

namespace {

constexpr double base_line = 2;
constexpr double capital = 6;  // height in units of the grid
constexpr double gap = 1.6;    // between glyphs
constexpr char first = '!', last = '~';
constexpr std::string_view box = "0208484202";

constexpr std::string_view glyphs[] = {
    "2824 22",                              // !
    "1816 3836",                            // "
    "1218 3238 0444 0646",                  // #
    "473818070615354443321203 2921",        // $
    "0248 0807171808 3332424333",           // %
    "4216172837360403122244",               // &
    "2826",                                 // '
    "38262432",                             // (
    "18262412",                             // )
    "2723 0644 0446",                       // *
    "2327 0545",                            // +
    "222110",                               // ,
    "1535",                                 // -
    "12",                                   // .
    "0248",                                 // /
    "180703123243473818",                   // 0
    "172822 1232",                          // 1
    "07183847460242",                       // 2
    "07183847463525 354443321203",          // 3
    "3238 380444",                          // 4
    "480805354443321203",                   // 5
    "4738180703123243443504",               // 6
    "084812",                               // 7
    "180706153546473818 1504031232434435",  // 8
    "0312324347381807061545",               // 9
    "13 16",                                // :
    "16 131201",                            // ;
    "471543",                               // <
    "0444 0646",                            // =
    "174513",                               // >
    "07183847462524 22",                    // ?
    "4435242333444738180703123242",         // @
    "022842 1434",                          // A
    "02083847463505 3544433202",            // B
    "4738180703123243",                     // C
    "02082846442202",                       // D
    "48080242 0535",                        // E
    "480802 0535",                          // F
    "47381807031232434525",                 // G
    "0208 4248 0545",                       // H
    "1232 1838 2228",                       // I
    "4843321203",                           // J
    "0208 4804 1542",                       // K
    "080242",                               // L
    "0208254842",                           // M
    "02084248",                             // N
    "180703123243473818",                   // O
    "02083847463505",                       // P
    "180703123243473818 2442",              // Q
    "02083847463505 2542",                  // R
    "473818070615354443321203",             // S
    "0848 2822",                            // T
    "080312324348",                         // U
    "082248",                               // V
    "0812253248",                           // W
    "0248 0842",                            // X
    "082548 2522",                          // Y
    "08480242",                             // Z
    "38181232",                             // [
    "0842",                                 // backslash
    "18383212",                             // ]
    "062846",                               // ^
    "0141",                                 // _
    "1827",                                 // `
    "4642 4536160503123243",                // a
    "0802 0516364543321203",                // b
    "4536160503123243",                     // c
    "4842 4536160503123243",                // d
    "04444536160503123243",                 // e
    "382722 1636",                          // f
    "46413010 4536160503123243",            // g
    "0802 0516364542",                      // h
    "2622 28",                              // i
    "262110 28",                            // j
    "0802 3604 1542",                       // k
    "2822",                                 // l
    "0602 05162522 25364542",               // m
    "0602 0516364542",                      // n
    "160503123243453616",                   // o
    "0600 0516364543321203",                // p
    "4640 4536160503123243",                // q
    "0602 051636",                          // r
    "45361605143443321203",                 // s
    "282332 1636",                          // t
    "0603123243 4642",                      // u
    "062246",                               // v
    "0612253246",                           // w
    "0246 0642",                            // x
    "0622 4610",                            // y
    "06460242",                             // z
    "38272615242332",                       // {
    "2820",                                 // |
    "18272635242312",                       // }
    "05163445",                             // ~
};
static_assert(std::size(glyphs) == last - first + 1);

// the smallest and largest x of a glyph
std::pair<double, double> extent_of(std::string_view glyph) {
  double low = 9, high = 0;
  for (std::size_t i = 0; i < glyph.size(); i += 2) {
    i += glyph[i] == ' ' ? 1 : 0;
    low = std::min(low, static_cast<double>(glyph[i] - '0'));
    high = std::max(high, static_cast<double>(glyph[i] - '0'));
  }
  return {low, high};
}

}  // namespace

Strokes strokes_of(const std::string& text, double size) {
  const double unit = 0.72 * size / capital;
  Strokes strokes;
  double x = 0;
  for (const char c : text) {
    if (c == ' ') {
      x += 3;
      continue;
    }
    const std::string_view glyph = c >= first && c <= last ? glyphs[c - first] : box;
    const auto [low, high] = extent_of(glyph);
    strokes.lines.emplace_back();
    for (std::size_t i = 0; i < glyph.size(); i += 2) {
      if (glyph[i] == ' ') {
        strokes.lines.emplace_back();
        ++i;
      }
      strokes.lines.back().push_back(
          {unit * (x + glyph[i] - '0' - low), unit * (glyph[i + 1] - '0' - base_line)});
    }
    x += high - low + gap;
  }
  strokes.width = unit * x;
  return strokes;
}

}  // namespace swept::cli
