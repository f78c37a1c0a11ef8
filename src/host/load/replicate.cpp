// SPDX-License-Identifier: Apache-2.0
// References to what `replicate` copies: whatever refers to a replicated element from outside the
// tree is copied with it. The copies stand at the end of their list, copy by copy, each in document
// order.
#include "host/load/build.h"

#include <algorithm>

namespace swept::load_detail {
namespace {

/// Replaces the elements that refer to `names` by one renamed copy per affix. Adds their old names
/// to `moved`.
template <class T>
void replicate_list(const PartNames& names, const std::vector<Affix>& affixes, std::vector<T>* list,
                    NameSet* moved) {
  const auto first = std::stable_partition(list->begin(), list->end(), [&names](const T& element) {
    return !refers_into(names, element);
  });
  const std::vector<T> originals(std::make_move_iterator(first),
                                 std::make_move_iterator(list->end()));
  list->erase(first, list->end());
  if (moved != nullptr) {
    collect_if(
        originals, [](const T&) { return true; }, moved);
  }
  for (const Affix& affix : affixes) {
    for (const T& original : originals) {
      list->push_back(original);
      rename_element(names, affix, &list->back());
    }
  }
}

}  // namespace

void replicate_references(const Trail& element, PartNames names, const std::vector<Affix>& affixes,
                          Spec* spec, std::vector<PartialKey>* keys) {
  replicate_list(names, affixes, &spec->pairs, nullptr);
  replicate_list(names, affixes, &spec->excludes, nullptr);
  replicate_list(names, affixes, &spec->tendons, &names.tendons);
  replicate_list(names, affixes, &spec->actuators, &names.actuators);
  for (const Tuple& tuple : spec->tuples) {
    if (refers_into(names, tuple) && !refers_only_into(names, tuple)) {
      element.fail("tuple '" + tuple.name + "' mixes replicated elements with others",
                   "make two tuples, or name the copies with their suffix");
    }
  }
  replicate_list(names, affixes, &spec->tuples, nullptr);
  // keyframes are not copied: they set the first copy
  rename_keys(names, affixes.front(), keys);
}

std::size_t count_elements(const Body& body) {
  std::size_t count = 1 + body.joints.size() + body.geoms.size() + body.sites.size() +
                      body.cameras.size() + body.lights.size() + (body.inertial ? 1 : 0);
  for (const Body& child : body.bodies) {
    count += count_elements(child);
  }
  return count;
}

}  // namespace swept::load_detail
