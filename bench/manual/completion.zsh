#compdef paotai
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion for zsh; works like completion.bash.
local -a found
found=(${(f)"$("$words[1]" help --completion "${(@)words[2,CURRENT]}" 2>/dev/null)"})
if (( $#found )); then compadd -V paotai -- $found; else _files; fi
