#!/usr/bin/env bash
# tests/install/complete.sh SHELL SHARE WORD... - print what SHELL (bash, zsh, fish) offers for the last of the words, with the
# completions installed below SHARE. The first word must be found on the PATH.
set -euo pipefail
shell=$1 share=$2
shift 2
case $shell in
    bash)
        bash --norc -c '
            source "$1/bash-completion/completions/troupe"
            shift
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            $(complete -p troupe | sed "s/.*-F \([^ ]*\) .*/\1/") "$1" "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
            printf "%s\n" "${COMPREPLY[@]}"' bash "$share" "$@"
        ;;
    zsh) # what the functions of its completion system are given
        zsh -f -c '
            _describe() { local words=${@[-1]}; print -rl -- ${(P)words%%:*}; }
            _files() { print -r -- "files $*"; }
            compset() { :; }
            file=$1
            shift
            words=("$@") CURRENT=$#
            source $file' zsh "$share/zsh/site-functions/_troupe" "$@"
        ;;
    fish)
        fish --no-config -c '
            source $argv[1]/fish/vendor_completions.d/troupe.fish
            complete --do-complete (string join " " -- $argv[2..])' "$share" "$@" | sed 's/\t.*//'
        ;;
esac
