# SPDX-License-Identifier: BSD-3-Clause
# Completes tutti's command line in fish. The command itself prints the words that may come next.
function __tutti_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l found ($words[1] complete $words[2..] "$current" 2>/dev/null)
    if test "$found[1]" = :files
        __fish_complete_path "$current"
    else
        string join \n -- $found
    end
end
complete -c tutti -f -a '(__tutti_complete)'
