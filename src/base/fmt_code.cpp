// SPDX-License-Identifier: BSD-3-Clause
// Compiles the code of the library fmt into tutti's libraries. Debian has libfmt only as a shared
// library. It would be loaded into every program, and by preloading also into programs built with
// another version. fmt in header files alone costs seconds of compilation for each file that
// formats. The templates below are those that fmt's headers declare and leave to its library.
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE

#if FMT_VERSION >= 120000
template locale_ref::locale_ref(const std::locale&);
template auto locale_ref::get<std::locale>() const -> std::locale;
#else
template detail::locale_ref::locale_ref(const std::locale&);
template auto detail::locale_ref::get<std::locale>() const -> std::locale;
#endif

namespace detail {

template auto dragonbox::to_decimal(float) noexcept -> dragonbox::decimal_fp<float>;
template auto dragonbox::to_decimal(double) noexcept -> dragonbox::decimal_fp<double>;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template auto thousands_sep_impl(locale_ref) -> thousands_sep_result<wchar_t>;
template auto decimal_point_impl(locale_ref) -> char;
template auto decimal_point_impl(locale_ref) -> wchar_t;
template void buffer<char>::append(const char*, const char*);
template void buffer<wchar_t>::append(const wchar_t*, const wchar_t*);

}  // namespace detail
FMT_END_NAMESPACE
