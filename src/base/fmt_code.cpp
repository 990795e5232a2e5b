// SPDX-License-Identifier: BSD-3-Clause
// The code of the library fmt, compiled into what we install. Debian has libfmt as a shared library
// only: linked with it, our libraries would load it into every program, by preloading also into
// programs that were built with another version of it. All in header files, as fmt offers too,
// costs seconds for each file that formats something. The templates named here are those that fmt's
// headers declare and leave to its library (decision 0048).
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
