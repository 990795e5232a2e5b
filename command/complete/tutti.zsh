#compdef tutti
# SPDX-License-Identifier: BSD-3-Clause
# Completes tutti's command line in zsh. The command itself prints the words that may come next.
_tutti() {
  local -a found
  found=("${(@f)$(${(Q)~words[1]} complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $found[1] == :files ]]; then
    _files
  elif [[ -n $found[1] ]]; then
    compadd -Q -- $found
  fi
}
_tutti "$@"
