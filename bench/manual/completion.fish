# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for fish; works like completion.bash.
function __paotai_offered
    set -l words (commandline -opc) (commandline -ct)
    test (count $words) -eq (count (commandline -opc)); and set words $words ''
    $words[1] help --completion $words[2..] 2>/dev/null
end
function __paotai_files
    set -l offered (__paotai_offered)
    test (count $offered) -eq 0; or test "$offered[-1]" = @files
end
complete -c paotai -f -k -a '(__paotai_offered | string match -v @files)'
complete -c paotai -n __paotai_files -F
