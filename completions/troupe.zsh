#compdef troupe
# Completion of troupe for zsh. It asks the tool for its commands, options and samples, so that it knows what the tool
# knows.

# Lines "NAME SUMMARY" as "NAME:SUMMARY".
_troupe_list() { # PATTERN LINE...
    local pattern=$1 line
    shift
    reply=()
    for line in "$@"; do
        [[ $line =~ $pattern ]] && reply+=("$match[1]:$match[2]")
    done
}

# What the help calls the value of an option says what it can be.
_troupe_value() { # TOOL OPTION VALUE
    local -a reply
    case $3 in
        NAME)
            case $2 in
                --sample)
                    _troupe_list '^([a-z]+) +(.*)$' ${(f)"$($1 gen --list)"}
                    reply=(${reply:#crowd:*})
                    _describe 'sample' reply
                    ;;
                --kind)
                    _troupe_list '^  ([a-z]+) +(.*)$' ${(f)"$($1 gen --list)"}
                    _describe 'kind of crowd' reply
                    ;;
            esac
            ;;
        BODY)
            reply=(mannequin)
            _describe 'body' reply
            _files
            ;;
        FOLDER) _files -/ ;;
        FILE) _files ;;
        FILE.*) _files -g "*${3#FILE}" || _files ;;
        *'|'*)
            reply=(${(s:|:)3})
            _describe 'value' reply
            ;;
    esac
}

_troupe() {
    local tool=${words[1]/#\~/$HOME} command=$words[2] current=$words[CURRENT] previous=$words[CURRENT-1] line
    local -a reply help options match mbegin mend
    if (( CURRENT == 2 )) || [[ $CURRENT == 3 && $command == help ]]; then
        _troupe_list '^  ([a-z]+) +(.*)$' ${(f)"$($tool help 2>/dev/null)"}
        (( CURRENT == 3 )) ||
            reply+=('help:the help of a command' 'version:the version' '--help:this help' '--version:the version')
        _describe 'command' reply
        return
    fi
    help=(${(f)"$($tool help $command 2>/dev/null)"})
    for line in $help; do
        [[ $line =~ '^  (-[a-z], )?(--[a-z-]+)( ([^ ]+))? +([^ ].*)$' ]] || continue
        local letter=${match[1]%, } option=$match[2] value=$match[4] says=$match[5]
        if [[ -n $value && ( $previous == $option || ( -n $letter && $previous == $letter ) ) ]]; then
            _troupe_value $tool $option $value
            return
        fi
        if [[ -n $value && $current == $option=* ]]; then
            compset -P '*='
            _troupe_value $tool $option $value
            return
        fi
        [[ -z $letter ]] || options+=("$letter:$says")
        options+=("$option:$says")
    done
    if [[ $current == -* ]]; then
        options+=('--help:this help')
        _describe -o 'option' options
        return
    fi
    case $command in
        gen)
            _troupe_list '^([a-z]+) +(.*)$' ${(f)"$($tool gen --list)"}
            _describe 'sample' reply
            ;;
        bench)
            _troupe_list '^  ([a-z]+) +(.*)$' $help
            _describe 'suite' reply
            ;;
        play) _files -g '*.json' || _files ;;
        behaviors)
            compadd human skateboarder horse
            _files -g '*.json' || _files
            ;;
        audit | convert) _files ;;
    esac
}

_troupe "$@"
