#!/bin/sh
# scripts/man.sh TOOL FOLDER - write the man pages troupe.1 and troupe-COMMAND.1 to FOLDER. Names, synopses, options and
# notes are what TOOL says with --help, so that a page cannot differ from it. man/PAGE.man has what help does not say: its
# text up to the first .SH begins the description, the rest follows the options.
set -eu
export LC_ALL=C
tool=${1:?usage: man.sh TOOL FOLDER}
folder=${2:?usage: man.sh TOOL FOLDER}
sources=$(dirname "$0")/../man
version=$("$tool" version)
commands=$("$tool" help | sed -n 's/^  \([a-z][a-z]*\)  *.*/\1/p')
mkdir -p "$folder"
rm -f "$folder"/*.1

# page NAME [COMMAND]
page() {
    text=$sources/$1.man
    [ -f "$text" ] || text=/dev/null
    "$tool" help ${2:+"$2"} >"$folder/$1.help"
    {
        if [ $# -gt 1 ]; then "$tool" help | sed -n "s/^  $2  */summary /p"; fi
        sed 's/^/help /' "$folder/$1.help"
        sed 's/^/text /' "$text"
    } | awk -v name="$1" -v version="$version" -v commands="$(echo $commands)" '
        # Text for troff: no escapes, and no line that begins with a dot or an apostrophe.
        function plain(s) {
            gsub(/\\/, "\\e", s)
            return s ~ /^[.\047]/ ? "\\&" s : s
        }
        function literal(s) {
            gsub(/-/, "\\-", s)
            return s
        }
        # Options in a sentence are bold.
        function sentence(s,    out, before) {
            s = plain(s)
            while (match(s, /--?[a-z][a-z-]*/)) {
                before = RSTART > 1 ? substr(s, RSTART - 1, 1) : out == "" ? " " : substr(out, length(out), 1)
                out = out substr(s, 1, RSTART - 1)
                if (before ~ /[A-Za-z0-9)]/)
                    out = out substr(s, RSTART, RLENGTH)
                else
                    out = out "\\fB" literal(substr(s, RSTART, RLENGTH)) "\\fP"
                s = substr(s, RSTART + RLENGTH)
            }
            return out s
        }
        # A word of a usage: what is typed as it stands is bold, what it stands for is italic.
        function word(s,    head, tail) {
            match(s, /^[[(]*/)
            head = substr(s, 1, RLENGTH)
            s = substr(s, RLENGTH + 1)
            # Only a bracket that was opened outside of the word is no part of it.
            if (s !~ /[[(]/ && match(s, /[])]+$/)) {
                tail = substr(s, RSTART)
                s = substr(s, 1, RSTART - 1)
            }
            if (s ~ /^[A-Z]/)
                s = "\\fI" literal(s) "\\fP"
            else if (s ~ /^[-a-z0-9]/)
                s = "\\fB" literal(s) "\\fP"
            return head s tail
        }
        function synopsis(s,    words, count, i, from, out) {
            count = split(s, words, " ")
            if (words[1] == "troupe") {
                from = words[2] ~ /^[a-z]/ ? 2 : 1
                if (in_synopsis)
                    print ".YS"
                print from == 2 ? ".SY \"troupe " words[2] "\"" : ".SY troupe"
                in_synopsis = 1
            }
            for (i = from + 1; i <= count; i++)
                out = out (out == "" ? "" : " ") word(words[i])
            if (out != "")
                print out
        }
        function option(s,    letter, head, value, out) {
            sub(/^  /, "", s)
            if (s ~ /^-[a-z], /) {
                letter = substr(s, 1, 2)
                s = substr(s, 5)
            }
            head = s
            sub(/ .*/, "", head)
            s = substr(s, length(head) + 1)
            out = (letter == "" ? "" : word(letter) ", ") word(head)
            if (s ~ /^ [^ ]/) {
                value = substr(s, 2)
                sub(/ .*/, "", value)
                s = substr(s, length(value) + 2)
                out = out " " word(value)
            }
            sub(/^ +/, "", s)
            options = options ".TP\n" out "\n" sentence(s) "\n"
        }
        function item(s,    head) {
            sub(/^  /, "", s)
            head = s
            sub(/ .*/, "", head)
            sub(/^[^ ]+ +/, "", s)
            if (name == "troupe")
                items = items ".TP\n.BR troupe\\-" head " (1)\n" sentence(s) "\n"
            else
                notes = notes ".TP\n\\fB" head "\\fP\n" sentence(s) "\n"
        }
        function see_also(    words, count, i, out) {
            count = split("troupe " commands, words, " ")
            for (i = 1; i <= count; i++) {
                if (i > 1)
                    words[i] = "troupe-" words[i]
                if (words[i] != name)
                    out = out (out == "" ? "" : ",\n") ".BR " literal(words[i]) " (1)"
            }
            return out
        }
        $1 == "summary" { summary = substr($0, 9) }
        $1 == "help" {
            line = substr($0, 6)
            if (line == "")
                part++
            if (part == 0)
                usage[++usages] = line
            else if (line ~ /^  -/)
                option(line)
            else if (line ~ /^  /)
                item(line)
            else if (name == "troupe" && part == 1 && line != "")
                summary = line
            else
                notes = notes (line == "" ? (notes == "" ? "" : ".PP\n") : sentence(line) "\n")
        }
        $1 == "text" {
            line = substr($0, 6)
            sections = sections || line ~ /^\.SH/
            if (sections)
                rest = rest line "\n"
            else
                text = text line "\n"
        }
        END {
            sub(/\.PP\n$/, "", notes)
            print ".\\\" Made by scripts/man.sh from the help of the tool and from man/" name ".man."
            printf ".TH %s 1 \"\" \"%s\" \"Troupe\"\n", literal(toupper(name)), version
            print ".SH NAME"
            sub(/\.$/, "", summary)
            print literal(name) " \\- " (name == "troupe" ? tolower(substr(summary, 1, 1)) substr(summary, 2) : summary)
            print ".SH SYNOPSIS"
            for (i = 1; i <= usages; i++) {
                sub(/^usage: /, "", usage[i])
                synopsis(usage[i])
            }
            print ".YS"
            print ".SH DESCRIPTION"
            printf "%s", text
            if (text != "")
                print ".PP"
            printf "%s", notes
            if (items != "")
                printf ".SH COMMANDS\n%s", items
            if (options != "")
                printf ".SH OPTIONS\n%s", options
            printf "%s", rest
            print ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nNo plan exists, or a check failed.\n.TP\n2\nBad usage or input."
            print ".SH SEE ALSO"
            print see_also()
        }' >"$folder/$1.1"
    rm "$folder/$1.help"
}

page troupe
for command in $commands; do
    page "troupe-$command" "$command"
done
