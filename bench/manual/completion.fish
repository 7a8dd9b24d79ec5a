# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for fish; works like completion.bash, but fish itself adds file names.
function __paotai_words
    set -l words (commandline -opc) (commandline -ct)
    test (count $words) -eq (count (commandline -opc)); and set words $words ''
    $words[1] help --completion $words[2..] 2>/dev/null
end
complete -c paotai -k -a '(__paotai_words)'
