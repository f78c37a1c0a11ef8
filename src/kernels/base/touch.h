// SPDX-License-Identifier: Apache-2.0
// A hook on every access through the accessors of model, scratch, contacts and rows. It exists in
// builds with SWEPT_TRACE only, which define touched() themselves (a test that counts the memory
// sectors of neighbouring lanes); elsewhere it is nothing and a List is a pointer.
#pragma once

#include "kernels/base/real.h"

namespace swept::SWEPT_NS {

#ifdef SWEPT_TRACE

/// Told of every access: where, and how many bytes.
void touched(const volatile void* place, int bytes);

/// An array that reports which elements are used.
template <class T>
struct List {
  T* p;

  List(T* first = nullptr) : p(first) {}
  operator T*() const { return p; }
  T& operator*() const { return (*this)[0]; }
  template <class I>
  T& operator[](I i) const {
    touched(p + i, static_cast<int>(sizeof(T)));
    return p[i];
  }
  List& operator+=(long long n) {
    p += n;
    return *this;
  }
};

template <class T>
T& element(T* place) {
  touched(place, static_cast<int>(sizeof(T)));
  return *place;
}

#else

/// An array in the device's memory.
template <class T>
using List = T*;

/// The element at a place.
template <class T>
SWEPT_FN T& element(T* place) {
  return *place;
}

#endif

}  // namespace swept::SWEPT_NS
