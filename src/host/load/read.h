// SPDX-License-Identifier: Apache-2.0
// From files and text to a Document: the XML reader, the JSON reader, and include expansion.
#pragma once

#include "host/load/element.h"

#include <swept/load.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace swept::load_detail {

/// Reads XML text.
///   name   of the file, for messages; file: the index that elements carry
/// Throws Error for malformed XML, more than one root, repeated attributes, too deep nesting.
Element xml_to_element(std::string_view text, const std::string& name, int file);

/// Reads the JSON spelling (see load.h). Throws Error as above.
Element json_to_element(std::string_view text, const std::string& name, int file);

/// Reads a file with everything that it includes.
Document read_file_document(const std::filesystem::path& path);

/// Reads text with everything that it includes.
Document read_text_document(std::string_view text, Format format, const std::string& name);

/// Reads a file with everything that it includes, and the models that its assets name.
Document read_document(const std::filesystem::path& path);

/// The same from text.
Document read_document(std::string_view text, Format format, const std::string& name);

}  // namespace swept::load_detail
