// Comparisons of floating-point numbers of 16 bits and of pairs of them: part of small_floats.h.
// With a NaN they are false, and those whose names end in u are true.
#pragma once

// Of two numbers; whether it holds for both of a pair (b); for each, 1.0 or 0.0; for each, all bits
// or none.
#define SIMT_COMPARISON(name, comparison)                                                 \
  template <simt::Small F>                                                                \
  inline bool __h##name(F a, simt::Same<F> b) {                                           \
    const float x = float(a), y = float(b);                                               \
    return comparison;                                                                    \
  }                                                                                       \
  template <simt::Small F>                                                                \
  inline bool __hb##name##2(simt::Pair<F> a, simt::Same<simt::Pair<F>> b) {               \
    return __h##name(a.x, b.x) && __h##name(a.y, b.y);                                    \
  }                                                                                       \
  template <simt::Small F>                                                                \
  inline simt::Pair<F> __h##name##2(simt::Pair<F> a, simt::Same<simt::Pair<F>> b) {       \
    return {F(__h##name(a.x, b.x) ? 1.0f : 0.0f), F(__h##name(a.y, b.y) ? 1.0f : 0.0f)};  \
  }                                                                                       \
  template <simt::Small F>                                                                \
  inline unsigned __h##name##2_mask(simt::Pair<F> a, simt::Same<simt::Pair<F>> b) {       \
    return (__h##name(a.x, b.x) ? 0xffffu : 0) | (__h##name(a.y, b.y) ? 0xffff0000u : 0); \
  }
SIMT_COMPARISON(eq, x == y)
SIMT_COMPARISON(ne, x<y || x> y)
SIMT_COMPARISON(lt, x < y)
SIMT_COMPARISON(le, x <= y)
SIMT_COMPARISON(gt, x > y)
SIMT_COMPARISON(ge, x >= y)
SIMT_COMPARISON(equ, !(x < y || x > y))
SIMT_COMPARISON(neu, x != y)
SIMT_COMPARISON(ltu, !(x >= y))
SIMT_COMPARISON(leu, !(x > y))
SIMT_COMPARISON(gtu, !(x <= y))
SIMT_COMPARISON(geu, !(x < y))
#undef SIMT_COMPARISON

#define SIMT_PAIR_OPERATOR(operation, name)                          \
  template <simt::Small F>                                           \
  inline bool operator operation(simt::Pair<F> a, simt::Pair<F> b) { \
    return name(a, b);                                               \
  }
SIMT_PAIR_OPERATOR(==, __hbeq2)
SIMT_PAIR_OPERATOR(!=, __hbneu2)
SIMT_PAIR_OPERATOR(<, __hblt2)
SIMT_PAIR_OPERATOR(<=, __hble2)
SIMT_PAIR_OPERATOR(>, __hbgt2)
SIMT_PAIR_OPERATOR(>=, __hbge2)
#undef SIMT_PAIR_OPERATOR
template <simt::Small F>
inline simt::Pair<F> __hisnan2(simt::Pair<F> a) {
  return __hneu2(a, a);
}
