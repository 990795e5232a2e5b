# SPDX-License-Identifier: BSD-3-Clause
# Completes tutti's command line in bash. The command itself prints the words that may come next.
_tutti() {
  local command="${COMP_WORDS[0]/#\~/$HOME}"
  mapfile -t COMPREPLY < <("$command" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ ${COMPREPLY[0]-} == :files ]]; then
    COMPREPLY=()
    compopt -o bashdefault -o default 2>/dev/null
  fi
}
complete -F _tutti tutti
