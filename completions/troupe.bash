# Completion of troupe for bash. It asks the tool for its commands, options and samples, so that it knows what the tool
# knows.

# The lines of a list that the tool prints begin so.
_troupe_names() { # PATTERN, list on the standard input
    local line
    while IFS= read -r line; do
        [[ $line =~ $1 ]] && printf '%s\n' "${BASH_REMATCH[1]}"
    done
}

_troupe_files() { # ENDING, or nothing for all files
    local IFS=$'\n' found
    compopt -o filenames 2>/dev/null
    found=($(compgen -f -X "!*${1-}" -- "$current"))
    # Where no file ends so, any may do: what is written can have another ending.
    if [ ${#found[@]} -gt 0 ]; then
        found+=($(compgen -d -- "$current"))
    else
        found=($(compgen -f -- "$current"))
    fi
    COMPREPLY+=("${found[@]}")
}

_troupe_words() { COMPREPLY+=($(compgen -W "$1" -- "$current")); }

# What the help calls the value of an option says what it can be.
_troupe_value() { # OPTION VALUE
    case $2 in
        NAME)
            case $1 in
                --sample) _troupe_words "$("$tool" gen --list | _troupe_names '^([a-z]+) ' | grep -vx crowd)" ;;
                --kind) _troupe_words "$("$tool" gen --list | _troupe_names '^  ([a-z]+) ')" ;;
            esac
            ;;
        BODY)
            _troupe_words mannequin
            _troupe_files
            ;;
        FOLDER)
            local IFS=$'\n'
            compopt -o filenames 2>/dev/null
            COMPREPLY+=($(compgen -d -- "$current"))
            ;;
        FILE) _troupe_files ;;
        FILE.*) _troupe_files "${2#FILE}" ;;
        *'|'*) _troupe_words "${2//|/ }" ;;
    esac
}

_troupe() {
    local tool=${1/#\~/$HOME} current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]} help line
    local option='^  (-[a-z], )?(--[a-z-]+)( ([^ ]+))? +[^ ]'
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ] || { [ "$COMP_CWORD" -eq 2 ] && [ "$command" = help ]; }; then
        _troupe_words "$("$tool" help 2>/dev/null | _troupe_names '^  ([a-z]+) ')"
        [ "$COMP_CWORD" -eq 2 ] || _troupe_words "help version --help --version"
        return
    fi
    help=$("$tool" help "$command" 2>/dev/null) || return
    # --option=value comes as three words.
    if [ "$current" = = ]; then
        current=
    elif [ "$previous" = = ]; then
        previous=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    while IFS= read -r line; do
        [[ $line =~ $option ]] || continue
        if [ -n "${BASH_REMATCH[4]}" ] && { [ "$previous" = "${BASH_REMATCH[2]}" ] ||
            [ "$previous" = "${BASH_REMATCH[1]%, }" ]; }; then
            _troupe_value "${BASH_REMATCH[2]}" "${BASH_REMATCH[4]}"
            return
        fi
        [[ $current == -* ]] && _troupe_words "${BASH_REMATCH[1]%, } ${BASH_REMATCH[2]}"
    done <<<"$help"
    if [[ $current == -* ]]; then
        _troupe_words --help
        return
    fi
    case $command in
        gen) _troupe_words "$("$tool" gen --list | _troupe_names '^([a-z]+) ')" ;;
        bench) _troupe_words "$(_troupe_names '^  ([a-z]+) ' <<<"$help")" ;;
        play) _troupe_files .json ;;
        behaviors)
            _troupe_words 'human skateboarder horse'
            _troupe_files .json
            ;;
        audit | convert) _troupe_files ;;
    esac
}
complete -F _troupe troupe
