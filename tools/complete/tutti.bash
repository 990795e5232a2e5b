# SPDX-License-Identifier: BSD-3-Clause
# Completion of tutti's command line in bash: the command itself says what may stand next.
_tutti() {
  local command="${COMP_WORDS[0]/#\~/$HOME}"
  mapfile -t COMPREPLY < <("$command" complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ ${COMPREPLY[0]-} == :files ]]; then
    COMPREPLY=()
    compopt -o bashdefault -o default 2>/dev/null
  fi
}
complete -F _tutti tutti
