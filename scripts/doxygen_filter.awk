# scripts/doxygen_filter.awk - print a public header or a Markdown page as doxygen wants it; scripts/docs.sh uses it.
#
# Headers: plain comments become doxygen comments, before what they describe. Trailing comments move up; a comment for
# several fields of one declaration is repeated for each.
# Pages: headings get labels, relative links become references to pages, headers and examples.
# In both, public names become links. NAMES (environment) is a file that lists them.

BEGIN {
    while ((getline name < ENVIRON["NAMES"]) > 0)
        known[name] = 1
}
{ line[++lines] = $0 }
END {
    path = FILENAME
    if (index(path, ENVIRON["PWD"] "/") == 1)
        path = substr(path, length(ENVIRON["PWD"]) + 2)
    if (path ~ /\.md$/)
        page()
    else
        header()
}

function exists(file,    ignored, found) {
    found = (getline ignored < file) >= 0
    close(file)
    return found
}

# The label of a Markdown page.
function label(file) {
    if (file == "README.md")
        return "index"
    if (file == "docs/README.md")
        return "page_docs"
    sub(/^docs\//, "", file)
    sub(/\.md$/, "", file)
    gsub(/[^A-Za-z0-9]/, "_", file)
    return "page_" tolower(file)
}

# A code span. One that is the name of something public is a link. An apostrophe would end a span of one backtick.
function code(s) {
    if (s in known)
        return "<code>#" s "</code>"
    return s ~ /\047/ ? "``" s "``" : "`" s "`"
}

# --- Headers ---

# Prose of a comment: nothing in it is markup, except code between backticks.
function text(s,    out, span, before) {
    while (match(s, /`[^`]*`/)) {
        before = substr(s, 1, RSTART - 1)
        span = substr(s, RSTART + 1, RLENGTH - 2)
        s = substr(s, RSTART + RLENGTH)
        out = out prose(before) code(span)
    }
    return out prose(s)
}

function prose(s,    out, word) {
    while (match(s, /[A-Za-z_][A-Za-z0-9_]*/)) {
        out = out escaped(substr(s, 1, RSTART - 1))
        word = substr(s, RSTART, RLENGTH)
        s = substr(s, RSTART + RLENGTH)
        # doxygen would take a dot or arguments for a part of the name.
        if (word in known && s !~ /^[.][A-Za-z]/ && (s !~ /^\(/ || s ~ /^\(\)/))
            word = "#" word
        else if (word ~ /^_/)
            word = "\\" word
        out = out word
    }
    return out escaped(s)
}

function escaped(s) {
    gsub(/[][\\@&<>#%*~]/, "\\\\&", s)
    gsub(/--/, "\\--", s)
    return s
}

# A paragraph must not begin like an item of a list.
function paragraph(s) {
    s = text(s)
    return s ~ /^([-+]|[0-9]+\.) / ? "\\&zwj;" s : s
}

function capital(s) {
    return toupper(substr(s, 1, 1)) substr(s, 2)
}

# Where the first sentence of a paragraph ends.
function sentence_end(s,    at, before) {
    while (match(substr(s, at + 1), /[.] +[^a-z]/)) {
        at += RSTART
        before = substr(s, 1, at)
        if (gsub(/`/, "", before) % 2 == 0) # not inside code
            return at
    }
    return length(s)
}

# Lines of a comment that stand further in: a list, names with their meaning, or something to show as it is.
function print_indented(margin, from, to,    i, s, item, is_list, is_names, mark) {
    is_list = comment[from] ~ /^ *[0-9]+\. /
    is_names = comment[from] ~ /^ *[A-Za-z_][A-Za-z_ ]*[A-Za-z_]  +[^ ]/ && comment[from] !~ /=/
    if (path ~ /pp$/ || !is_list && !is_names) {
        emit(margin "/// @code{." (path ~ /pp$/ ? "cpp" : "unparsed") "}")
        for (i = from; i <= to; i++)
            emit(margin "/// " substr(comment[i], 3))
        emit(margin "/// @endcode")
        return
    }
    mark = is_names ? "/// - " : "/// -# "
    for (i = from; i <= to; i++) {
        s = comment[i]
        sub(/^ +/, "", s)
        if (comment[i] ~ /^  [^ ]/ && (is_names ? s ~ /[^ ]  +[^ ]/ : s ~ /^[0-9]+\. /)) {
            if (item != "")
                emit(margin mark item)
            if (is_names) {
                item = s
                sub(/  .*/, "", item)
                s = substr(s, length(item) + 1)
                sub(/^ +/, "", s)
                item = text(item) ": " text(s)
            } else {
                sub(/^[0-9]+\. /, "", s)
                item = text(s)
            }
        } else
            item = item " " text(s)
    }
    emit(margin mark item)
}

# The comment that was gathered, as a doxygen comment. `whole`: all of its first paragraph is the brief description.
function print_comment(margin, whole,    i, from, s, briefed, end) {
    for (i = 1; i <= comments; i++) {
        if (comment[i] == "") {
            emit(margin "///")
        } else if (comment[i] ~ /^  /) {
            for (from = i; i < comments && comment[i + 1] ~ /^  /; i++)
                ;
            emit(margin "///")
            print_indented(margin, from, i)
            emit(margin "///")
        } else {
            for (s = comment[i]; i < comments && comment[i + 1] ~ /^[^ ]/; i++)
                s = s " " comment[i + 1]
            if (!briefed) {
                end = whole ? length(s) : sentence_end(s)
                emit(margin "/// @brief " text(substr(s, 1, end)))
                s = substr(s, end + 1)
                sub(/^ +/, "", s)
                if (s != "")
                    emit(margin "///")
                briefed = 1
            }
            if (s != "")
                emit(margin "/// " paragraph(s))
        }
    }
    comments = 0
}

function add_comment(s) {
    sub(/^ *\/\/ ?/, "", s)
    sub(/ +$/, "", s)
    comment[++comments] = s
}

# The comment at the beginning of a file. Returns the number of the line after it.
function print_file_comment(    i, room, noun, from) {
    i = 1
    if (line[1] !~ /^\/\/ troupe\/[^ ]+ - /)
        return i
    sub(/^\/\/ troupe\/[^ ]+ - /, "// ", line[1])
    for (; line[i] ~ /^\/\//; i++)
        add_comment(line[i])
    comment[1] = capital(comment[1])
    emit("/// @file")
    print_comment("", 1)
    room = path
    sub(/^include\/troupe\//, "", room)
    noun = room
    sub(/\.h(pp)?$/, "", noun)
    if (exists("docs/" noun ".md"))
        emit("///\n/// The page @ref " label("docs/" noun ".md") " explains it" \
            (exists("examples/" noun ".c") ? ", and the example @ref " noun ".c shows it." : "."))
    if (!sub(/\/.*/, "", room))
        room = "troupe"
    emit("///\n/// @ingroup layer_" room "\n")
    return i
}

# A comment that stands before a type or a limit, but speaks about the function after it.
function is_about_a_function(s) {
    return s ~ /^(Adds|Computes|Draws|Fills|Finds|Reads|Returns|Sets|Straightens|Writes) / || s ~ / calls this /
}

# Does a declaration that needs a comment follow line i directly?
function is_followed(i) {
    return line[i + 1] ~ /^(TR_API|static|typedef)/
}

# Is a function without a comment covered by that of a function above it? It is if that comment has its name, or a
# parameter that only this one has.
function is_covered(name, all,    s, word) {
    s = first_comment
    if (s ~ /^ (Each|Both) / || match(s, name "[^a-z0-9_]"))
        return 1
    while (match(s, /`[a-z0-9_]+`/)) {
        word = "[ *]" substr(s, RSTART + 1, RLENGTH - 2) "[][,)]"
        s = substr(s, RSTART + RLENGTH)
        if (all ~ word && first_all !~ word)
            return 1
    }
    return 0
}

# Print one declaration, with the comment for it.
function print_declaration(margin, note, whole,    i, s, names, n, rest) {
    if (note != "") {
        if (!comments)
            whole = 1
        else
            comment[++comments] = ""
        comment[++comments] = note
    }
    s = statement[1]
    for (i = 2; i <= statements; i++)
        s = s " " statement[i]
    # Several fields: doxygen would give the comment to the first alone.
    if (comments && scope && s ~ /^[^(]*,[^(]*;$/) {
        sub(/;$/, "", s)
        n = split(s, names, /, */)
        match(names[1], /\**[A-Za-z_][A-Za-z0-9_]*(\[[^]]*\])*$/)
        rest = substr(names[1], 1, RSTART - 1)
        names[1] = substr(names[1], RSTART)
        for (i = 1; i <= n; i++) {
            s = comments
            print_comment(margin, whole)
            comments = s
            emit(rest names[i] ";")
        }
        comments = 0
        return
    }
    print_comment(margin, whole)
    for (i = 1; i <= statements; i++)
        emit(statement[i])
}

# A section of a header is a group of its functions. They come after everything else that the section declares, because
# doxygen lists groups in the order in which it meets any member.
function close_section() {
    if (section != "" && functions != "")
        print "/// @name " section "\n/// @{\n\n" functions "/// @}\n"
    section = functions = ""
}

function emit(s) {
    if (section != "" && to_functions)
        functions = functions s "\n"
    else
        print s
}

function header(    i, j, s, col, note, margin, all, kind, body, in_enum, first, kept, k) {
    for (i = print_file_comment(); i <= lines; i++) {
        s = line[i]
        if (body) {
            emit(s)
            body += gsub(/{/, "{", s) - gsub(/}/, "}", s)
            continue
        }
        if (s ~ /^\/\/ ---/) {
            close_section()
            gsub(/^[\/ -]+|[ -]+$/, "", s)
            section = capital(s)
            continue
        }
        if (s ~ /^ *\/\//) {
            add_comment(s)
            first = ""
            continue
        }
        if (s ~ /^ *$/) {
            emit("")
            first = ""
            continue
        }

        # Gather a declaration: up to its semicolon or brace, to the comma in an enum, to the end of the line for macros.
        statements = 0
        note = all = ""
        for (j = i; j <= lines; j++) {
            s = line[j]
            if (j > i && s ~ /^#/) { # attributes for some compilers
                while (j < lines && line[j] !~ /^#endif/)
                    j++
                continue
            }
            if (match(s, / *\/\/ /)) {
                col = index(s, "// ")
                note = note (note == "" ? "" : " ") substr(s, col + 3)
                s = substr(s, 1, RSTART - 1)
                for (; line[j + 1] ~ /^ *\/\// && index(line[j + 1], "// ") == col; j++)
                    note = note " " substr(line[j + 1], col + 3)
            }
            statement[++statements] = s
            all = all s
            if (s ~ /[;{}:]$/ || in_enum || all ~ /^#/ && s !~ /\\$/ || all ~ /^TR_[A-Z]+_DECLARATIONS/)
                break
        }
        i = j
        match(statement[1], /^ */)
        margin = substr(statement[1], 1, RLENGTH)

        if (all ~ /^#define/)
            kind = "macro"
        else if (all ~ /^#|^TR_[A-Z]+_DECLARATIONS|^ *(public|private):$/)
            kind = ""
        else if (all ~ /\)[a-z ]*\{$/ || all ~ /^(TR_API|static inline) /)
            kind = "function"
        else if (all ~ /^typedef|\{$/)
            kind = "type"
        else
            kind = "field"

        if (all ~ /^ *}/) {
            in_enum = 0
            scope--
        }
        if (all ~ /^TR_END_DECLARATIONS/)
            close_section()

        to_functions = kind == "function"
        # Hold a comment that is about what follows, until that comes.
        if (held && !comments && !scope && all !~ /^}/) {
            for (k = 1; k <= held; k++)
                comment[k] = held_comment[k]
            comments = held
            held = 0
        }
        kept = 0
        if (comments && (kind == "macro" || kind == "type" && is_about_a_function(comment[1]))) {
            for (k = i; all ~ /\{$/ && k < lines && line[k] !~ /^}/; k++)
                ;
            kept = is_followed(k)
        } else if (comments && kind == "function" && all ~ /_default\(/ && is_about_a_function(comment[1]))
            kept = is_followed(i)
        if (kept) {
            for (k = 1; k <= comments; k++)
                held_comment[k] = comment[k]
            held = comments
            comments = 0
        }

        if (kind == "function") {
            match(all, /[a-z0-9_]+\(/)
            s = substr(all, RSTART, RLENGTH - 1)
            if (comments) {
                first = s
                first_all = all
                first_comment = ""
                for (k = 1; k <= comments; k++)
                    first_comment = first_comment " " comment[k]
            } else if (note == "" && first != "" && is_covered(s, all))
                emit("/// @see " first "()")
        }
        if (kind == "") {
            for (k = 1; k <= statements; k++)
                emit(statement[k])
        } else
            print_declaration(margin, note, kind == "field")

        if (kind == "function")
            body = gsub(/{/, "{", all) - gsub(/}/, "}", all)
        else if (all ~ /\{$/) {
            scope++
            in_enum = all ~ /enum/
        }
    }
    close_section()
}

# --- Pages ---

# The anchor of a heading, as GitHub makes it, with the label of its page.
function anchor(page_label, slug) {
    gsub(/-/, "_", slug)
    return page_label "_" slug
}

function slug_of(title) {
    title = tolower(title)
    gsub(/[^a-z0-9 _-]/, "", title)
    gsub(/ /, "-", title)
    return title
}

# The path of a link, from the root.
function resolve(url,    folder) {
    folder = path
    if (!sub(/\/[^\/]*$/, "", folder))
        folder = ""
    while (sub(/^\.\.\//, "", url))
        if (!sub(/\/[^\/]*$/, "", folder))
            folder = ""
    return folder == "" ? url : folder "/" url
}

function link(words, url,    file, slug, plain) {
    gsub(/\n */, " ", words)
    if (url ~ /^(https?|mailto):/)
        return "[" inline(words) "](" url ")"
    if (match(url, /#/)) {
        slug = substr(url, RSTART + 1)
        url = substr(url, 1, RSTART - 1)
    }
    file = url == "" ? path : resolve(url)
    plain = words
    gsub(/`/, "", plain)
    if (file == "README.md" || file == "CHANGELOG.md" || file ~ /^docs\/.*\.md$/)
        return "[" plain "](@ref " (slug == "" ? label(file) : anchor(label(file), slug)) ")"
    if (file ~ /^include\/troupe\//)
        return "[" plain "](@ref " substr(file, 9) ")"
    if (file ~ /^examples\/.*\.c$/)
        return "[" plain "](@ref " substr(file, 10) ")"
    if (file ~ /^docs\//) {
        sub(/.*\//, "", file)
        return "<a href=\"" file "\">" plain "</a>"
    }
    return (plain == file ? "" : inline(words) " (") "`" file "`" (plain == file ? "" : ")")
}

# Text of a page: escapes what doxygen would take for a command; code, links and pictures apart.
function inline(s,    out, rest, ticks, words, url) {
    while (match(s, /`+|!?\[/)) {
        out = out plain_text(substr(s, 1, RSTART - 1))
        rest = substr(s, RSTART + RLENGTH)
        ticks = substr(s, RSTART, RLENGTH)
        if (ticks ~ /`/) {
            url = index(rest, ticks)
            if (!url) {
                out = out ticks
                s = rest
                continue
            }
            words = substr(rest, 1, url - 1)
            gsub(/\n */, " ", words)
            out = out code(words)
            s = substr(rest, url + length(ticks))
        } else if (match(rest, /^[^]]*\]\([^) ]*\)/)) {
            words = substr(rest, 1, RLENGTH)
            s = substr(rest, RLENGTH + 1)
            url = words
            sub(/^[^]]*\]\(/, "", url)
            sub(/\)$/, "", url)
            sub(/\].*/, "", words)
            if (ticks ~ /!/) {
                sub(/.*\//, "", url)
                gsub(/"/, "", words)
                out = out "\n@image html " url " \"" words "\"\n"
            } else
                out = out link(words, url)
        } else {
            out = out "\\" ticks
            s = rest
        }
    }
    return out plain_text(s)
}

function plain_text(s) {
    gsub(/[\\@&<>#%]/, "\\\\&", s)
    gsub(/--/, "\\--", s)
    return s
}

function print_block() {
    if (block != "")
        print inline(block)
    block = ""
}

function page(    i, s, fence, title, language, hashes) {
    for (i = 1; i <= lines; i++) {
        s = line[i]
        if (s ~ /^ *```/) {
            print_block()
            language = s
            gsub(/^ *```| .*$/, "", language)
            sub(/```.*/, "```", s)
            if (!fence)
                s = s "{." (language ~ /^(c|cpp)$/ ? language : "unparsed") "}"
            fence = !fence
            print s
        } else if (fence || s ~ /^[ |:-]*$/) {
            print_block()
            print s
        } else if (s ~ /^#+ /) {
            print_block()
            hashes = s
            sub(/ .*/, "", hashes)
            title = substr(s, length(hashes) + 2)
            if (hashes == "#")
                print "# " plain_text(title) (path == "README.md" ? "" : " {#" label(path) "}")
            else {
                s = anchor(label(path), slug_of(title))
                print hashes " " inline(title) (seen[s]++ ? "" : " {#" s "}")
            }
            print ""
        } else
            block = block (block == "" ? "" : "\n") s
    }
    print_block()
}
