# Completion of troupe for fish. It asks the tool for its commands, options and samples, so that it knows what the tool
# knows.

function __troupe_list --description 'Print names and summaries' --argument-names pattern
    cat | string replace --filter --regex $pattern '$1\t$2' # string reads only what is piped to it directly
end

function __troupe_value --description 'What the value of an option can be' --argument-names tool option value
    switch $value
        case NAME
            switch $option
                case --sample
                    $tool gen --list | __troupe_list '^([a-z]+) +(.*)$' | string match --invert --regex '^crowd\t'
                case --kind
                    $tool gen --list | __troupe_list '^  ([a-z]+) +(.*)$'
            end
        case BODY
            echo mannequin
            __fish_complete_path (commandline -ct)
        case FOLDER
            __fish_complete_directories (commandline -ct)
        case FILE
            __fish_complete_path (commandline -ct)
        case 'FILE.*'
            __fish_complete_suffix (string replace FILE '' -- $value)
        case '*|*'
            string split '|' -- $value
    end
end

function __troupe_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l tool $words[1]
    set -l command $words[2]
    if test (count $words) -eq 1; or test (count $words) -eq 2 -a "$command" = help
        $tool help 2>/dev/null | __troupe_list '^  ([a-z]+) +(.*)$'
        if test (count $words) -eq 1
            printf '%s\t%s\n' help 'the help of a command' version 'the version' --help 'this help' --version 'the version'
        end
        return
    end
    set -l help ($tool help $command 2>/dev/null); or return
    for line in $help
        set -l found (string match --regex '^  ((?:-[a-z], )?)(--[a-z-]+)((?: [^ ]+)?) +([^ ].*)$' -- $line); or continue
        set -l letter (string replace ', ' '' -- $found[2])
        set -l option $found[3]
        set -l value (string trim -- $found[4])
        if test -n "$value"
            if contains -- $words[-1] $option $letter
                __troupe_value $tool $option $value
                return
            else if string match --quiet -- "$option=*" $current
                __troupe_value $tool $option $value | string replace --regex -- '^' "$option="
                return
            end
        end
        if string match --quiet -- '-*' $current
            test -n "$letter"; and printf '%s\t%s\n' $letter $found[5]
            printf '%s\t%s\n' $option $found[5]
        end
    end
    if string match --quiet -- '-*' $current
        printf '%s\t%s\n' --help 'this help'
        return
    end
    switch $command
        case gen
            $tool gen --list | __troupe_list '^([a-z]+) +(.*)$'
        case bench
            printf '%s\n' $help | __troupe_list '^  ([a-z]+) +(.*)$'
        case play
            __fish_complete_suffix .json
        case behaviors
            printf '%s\n' human skateboarder horse
            __fish_complete_suffix .json
        case audit convert
            __fish_complete_path $current
    end
end

complete --command troupe --no-files --arguments '(__troupe_complete)'
