# What the tests of the command-line tool share; they source it with `troupe` and `json_check` set, in a folder of their own.
checks=0 failures=0

fail() {
    failures=$((failures + 1))
    echo "FAILED  $*"
    sed 's/^/        stdout: /' out | head -5
    sed 's/^/        stderr: /' err | head -5
}
# run STATUS ARGUMENT...: the tool must end with this exit status; `out` and `err` hold what it printed.
run() {
    expected=$1
    shift
    what="troupe $*"
    "$troupe" "$@" >out 2>err
    status=$?
    checks=$((checks + 1))
    [ $status -eq "$expected" ] || fail "$what: exit status $status, expected $expected"
}
# said out|err TEXT: the text stands in what was printed.
said() {
    checks=$((checks + 1))
    grep -qF -e "$2" "$1" || fail "$what: \"$2\" is not in $1"
}
silent() {
    checks=$((checks + 1))
    [ ! -s "$1" ] || fail "$what: $1 is not empty"
}
# refused SENTENCE ARGUMENT...: exit status 2, nothing on stdout, and the sentence on stderr.
refused() {
    sentence=$1
    shift
    run 2 "$@"
    said err "troupe: "
    said err "$sentence"
    silent out
}
equal() {
    checks=$((checks + 1))
    [ "$1" = "$2" ] || fail "$what: \"$1\" is not \"$2\""
}
# has KEY...: the document in `out` has these members.
has() {
    for key in "$@"; do
        checks=$((checks + 1))
        "$json_check" out "$key" >/dev/null 2>&1 || fail "$what: no $key"
    done
}
value() {
    "$json_check" out "$1"
}
# is_png FILE: it begins as a PNG file does.
is_png() {
    equal "$(head -c 8 "$1" | od -An -tx1 | tr -d ' \n')" 89504e470d0a1a0a
}
finish_checks() {
    echo "$checks checks, $failures failed"
    [ $failures -eq 0 ]
}

# A leg as the hierarchy of a BVH file: 15 channels a frame. "Frames:" comes next.
leg_of_bvh() {
    cat <<END
HIERARCHY
ROOT Hips
{
	OFFSET 0.0 0.0 0.0
	CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
	JOINT LeftUpLeg
	{
		OFFSET 10.0 -5.0 0.0
		CHANNELS 3 Zrotation Xrotation Yrotation
		JOINT LeftLeg
		{
			OFFSET 0.0 -42.0 0.0
			CHANNELS 3 Zrotation Xrotation Yrotation
			JOINT LeftFoot
			{
				OFFSET 0.0 -41.0 0.0
				CHANNELS 3 Zrotation Xrotation Yrotation
				End Site
				{
					OFFSET 0.0 -7.0 15.0
				}
			}
		}
	}
}
MOTION
END
}
