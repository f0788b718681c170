# The document of `troupe route --times --json`: how many ways there are, and how near two people come to each other [m],
# seen from above, looked at every 20 ms.
function list(text, key, end) {
    sub(".*\"" key "\":\\[", "", text)
    sub(end ".*", "", text)
    return text
}
function find(who, time, i, share) {
    for (i = 1; i < count[who] && at[who, i + 1] <= time; i++)
        ;
    share = i < count[who] ? (time - at[who, i]) / (at[who, i + 1] - at[who, i]) : 0
    found_x = x[who, i] + (i < count[who] ? share * (x[who, i + 1] - x[who, i]) : 0)
    found_z = z[who, i] + (i < count[who] ? share * (z[who, i + 1] - z[who, i]) : 0)
}
BEGIN { RS = "\"status\"" }
/"times":\[[0-9]/ {
    points = list($0, "points", "\\]\\]")
    gsub(/^\[/, "", points)
    gsub(/\],\[/, " ", points)
    n = split(points, place, " ")
    split(list($0, "times", "\\]"), times, ",")
    for (i = 1; i <= n; i++) {
        split(place[i], numbers, ",")
        x[people, i] = numbers[1]
        z[people, i] = numbers[3]
        at[people, i] = times[i]
    }
    count[people++] = n
}
END {
    least = 1e9
    for (time = 0; time < 90; time += 0.02)
        for (a = 0; a < people; a++) {
            find(a, time)
            here_x = found_x
            here_z = found_z
            for (b = 0; b < a; b++) {
                find(b, time)
                apart = sqrt((found_x - here_x) ^ 2 + (found_z - here_z) ^ 2)
                least = apart < least ? apart : least
            }
        }
    print people, least
}
