#compdef paotai
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for zsh; works like completion.bash.
local -a found
found=(${(f)"$("$words[1]" help --completion "${(@)words[2,CURRENT]}" 2>/dev/null)"})
local files=$(( ! $#found ))
if [[ $found[-1] == @files ]]; then files=1; found[-1]=(); fi
# No blank follows a key of a player.
if (( $#found )); then
    if [[ $found[1] == *= ]]; then compadd -V paotai -S '' -- $found; else compadd -V paotai -- $found; fi
fi
if (( files )); then
    [[ -e $words[CURRENT] ]] || compset -P '*[=,]'
    _files
fi
