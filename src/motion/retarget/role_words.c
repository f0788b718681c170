// The meaning of joint names: "mixamorig:LeftUpLeg", "Bip01 L Thigh", "thigh.l", "lfemur",
// "J_Bip_L_UpperLeg".
#include "role_parts.h"

#include <string.h>

#define WORDS_MAX 16
#define TEXT_MAX 96

// A name in lower case without digits and signs, split into words at signs, digits and capitals.
typedef struct name_words {
    char text[TEXT_MAX]; // all of them together
    uint32_t length, count;
    uint32_t begin[WORDS_MAX + 1];
    tr_role_side side;
} name_words;

typedef struct keyword {
    const char *text;
    tr_role_part part;
    bool whole; // must be a whole word: short ones occur within others
} keyword;

// The first match counts: words that exclude a joint come first, then particular words before general ones.
static const keyword keywords[] = {
    {"ik", TR_PART_IGNORED, true},
    {"fk", TR_PART_IGNORED, true},
    {"pole", TR_PART_IGNORED, true},
    {"target", TR_PART_IGNORED, false},
    {"ctrl", TR_PART_IGNORED, false},
    {"control", TR_PART_IGNORED, false},
    {"endsite", TR_PART_IGNORED, false},
    {"end", TR_PART_IGNORED, true},
    {"nub", TR_PART_IGNORED, false},
    {"leaf", TR_PART_IGNORED, false},
    {"tip", TR_PART_IGNORED, true},
    {"helper", TR_PART_IGNORED, false},
    {"slot", TR_PART_IGNORED, false},
    {"socket", TR_PART_IGNORED, false},
    {"attach", TR_PART_IGNORED, false},
    {"twist", TR_PART_IGNORED, false},
    {"roll", TR_PART_IGNORED, false},
    {"effector", TR_PART_IGNORED, false},
    {"mch", TR_PART_IGNORED, true},
    {"org", TR_PART_IGNORED, true},
    {"armor", TR_PART_IGNORED, false},
    {"armour", TR_PART_IGNORED, false},
    {"eye", TR_PART_IGNORED, false},
    {"ear", TR_PART_IGNORED, true},
    {"hair", TR_PART_IGNORED, false},
    {"jaw", TR_PART_IGNORED, false},
    {"tongue", TR_PART_IGNORED, false},
    {"brow", TR_PART_IGNORED, false},
    {"teeth", TR_PART_IGNORED, false},
    {"lip", TR_PART_IGNORED, true},
    {"nose", TR_PART_IGNORED, true},
    {"tail", TR_PART_IGNORED, false},
    {"wing", TR_PART_IGNORED, false},
    {"skirt", TR_PART_IGNORED, false},
    {"cloth", TR_PART_IGNORED, false},
    {"cape", TR_PART_IGNORED, true},
    {"breast", TR_PART_IGNORED, false},
    {"bust", TR_PART_IGNORED, true},
    {"pectoral", TR_PART_IGNORED, false},
    {"weapon", TR_PART_IGNORED, false},
    {"sword", TR_PART_IGNORED, false},
    {"shield", TR_PART_IGNORED, false},
    {"prop", TR_PART_IGNORED, true},
    {"heel", TR_PART_IGNORED, false},
    {"muscle", TR_PART_IGNORED, false},
    {"camera", TR_PART_IGNORED, false},
    {"spine", TR_PART_SPINE, false},
    {"abdomen", TR_PART_SPINE, false},
    {"belly", TR_PART_SPINE, false},
    {"stomach", TR_PART_SPINE, false},
    {"waist", TR_PART_SPINE, false},
    {"torso", TR_PART_SPINE, false},
    {"lowerback", TR_PART_SPINE, false},
    {"upperback", TR_PART_SPINE, false},
    {"back", TR_PART_SPINE, true},
    {"trunk", TR_PART_SPINE, false},
    {"chest", TR_PART_SPINE, false},
    {"thorax", TR_PART_SPINE, false},
    {"ribcage", TR_PART_SPINE, false},
    {"finger", TR_PART_IGNORED, false},
    {"thumb", TR_PART_IGNORED, false},
    {"index", TR_PART_IGNORED, false},
    {"middle", TR_PART_IGNORED, false},
    {"ring", TR_PART_IGNORED, true},
    {"pinky", TR_PART_IGNORED, false},
    {"little", TR_PART_IGNORED, false},
    {"metacarp", TR_PART_IGNORED, false},
    {"knuckle", TR_PART_IGNORED, false},
    {"clavicle", TR_PART_COLLAR, false},
    {"collar", TR_PART_COLLAR, false},
    {"scapula", TR_PART_COLLAR, false},
    {"forearm", TR_PART_FOREARM, false},
    {"lowerarm", TR_PART_FOREARM, false},
    {"lowarm", TR_PART_FOREARM, false},
    {"armlower", TR_PART_FOREARM, false},
    {"elbow", TR_PART_FOREARM, false},
    {"radius", TR_PART_FOREARM, false},
    {"ulna", TR_PART_FOREARM, false},
    {"upperarm", TR_PART_UPPER_ARM, false},
    {"uparm", TR_PART_UPPER_ARM, false},
    {"armupper", TR_PART_UPPER_ARM, false},
    {"bicep", TR_PART_UPPER_ARM, false},
    {"humerus", TR_PART_UPPER_ARM, false},
    {"shoulder", TR_PART_SHOULDER, false},
    {"shldr", TR_PART_SHOULDER, false},
    {"hand", TR_PART_HAND, false},
    {"wrist", TR_PART_HAND, false},
    {"palm", TR_PART_HAND, false},
    {"thigh", TR_PART_THIGH, false},
    {"upleg", TR_PART_THIGH, false},
    {"upperleg", TR_PART_THIGH, false},
    {"legupper", TR_PART_THIGH, false},
    {"femur", TR_PART_THIGH, false},
    {"shin", TR_PART_SHANK, false},
    {"shank", TR_PART_SHANK, false},
    {"calf", TR_PART_SHANK, false},
    {"knee", TR_PART_SHANK, false},
    {"lowerleg", TR_PART_SHANK, false},
    {"lowleg", TR_PART_SHANK, false},
    {"leglower", TR_PART_SHANK, false},
    {"tibia", TR_PART_SHANK, false},
    {"toe", TR_PART_TOES, false},
    {"ball", TR_PART_TOES, true},
    {"foot", TR_PART_FOOT, false},
    {"ankle", TR_PART_FOOT, false},
    {"pelvis", TR_PART_HIPS, false},
    {"hip", TR_PART_HIPS, false},
    {"neck", TR_PART_NECK, false},
    {"head", TR_PART_HEAD, false},
    {"skull", TR_PART_HEAD, false},
    {"arm", TR_PART_ARM, false},
    {"leg", TR_PART_LEG, false},
};
#define KEYWORD_COUNT (sizeof keywords / sizeof keywords[0])

static bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
static bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

// "LeftHand" and "LHipJoint" are split before a capital that follows a small letter, and before the last of
// several capitals if a small letter follows.
static bool begins_word(const char *name, const char *at) {
    if (at == name || (!is_lower(at[-1]) && !is_upper(at[-1])))
        return true;
    return is_upper(*at) && (is_lower(at[-1]) || is_lower(at[1]));
}

static tr_role_side side_of_word(const char *word, uint32_t length) {
    if (length == 1)
        return *word == 'l' ? TR_SIDE_LEFT : *word == 'r' ? TR_SIDE_RIGHT : TR_SIDE_NONE;
    if (length == 4 && memcmp(word, "left", 4) == 0)
        return TR_SIDE_LEFT;
    return length == 5 && memcmp(word, "right", 5) == 0 ? TR_SIDE_RIGHT : TR_SIDE_NONE;
}

// Ends the current word: one that only names a side or the armature is dropped.
static void end_word(name_words *words) {
    uint32_t begin = words->begin[words->count], length = words->length - begin;
    tr_role_side side = side_of_word(words->text + begin, length);
    bool says_nothing = length == 8 && memcmp(words->text + begin, "armature", 8) == 0;
    if (side != TR_SIDE_NONE)
        words->side = side;
    if (side != TR_SIDE_NONE || says_nothing)
        words->length = begin;
    else if (length > 0 && words->count < WORDS_MAX - 1)
        words->count++;
    words->begin[words->count] = words->length;
}

// The text before the last colon or bar is the name of a file or of a character.
static const char *skip_namespace(const char *name) {
    const char *begin = name;
    for (const char *at = name; *at; at++)
        if ((*at == ':' || *at == '|') && at[1])
            begin = at + 1;
    return begin;
}

static name_words split(const char *name) {
    name_words words = {.side = TR_SIDE_NONE};
    name = skip_namespace(name);
    for (const char *at = name; *at && words.length + 1 < TEXT_MAX; at++) {
        bool letter = is_lower(*at) || is_upper(*at);
        if (!letter || begins_word(name, at))
            end_word(&words);
        if (letter)
            words.text[words.length++] = is_upper(*at) ? (char)(*at - 'A' + 'a') : *at;
    }
    end_word(&words);
    words.text[words.length] = 0;
    return words;
}

static bool fits(const name_words *words, const keyword *key) {
    if (!key->whole)
        return strstr(words->text, key->text) != NULL;
    size_t length = strlen(key->text);
    for (uint32_t i = 0; i < words->count; i++)
        if (words->begin[i + 1] - words->begin[i] == length &&
            memcmp(words->text + words->begin[i], key->text, length) == 0)
            return true;
    return false;
}

static const keyword *find_keyword(const name_words *words) {
    for (uint32_t i = 0; i < KEYWORD_COUNT; i++)
        if (fits(words, &keywords[i]))
            return &keywords[i];
    return NULL;
}

static bool begins_with_keyword(const char *text) {
    for (uint32_t i = 0; i < KEYWORD_COUNT; i++)
        if (strncmp(text, keywords[i].text, strlen(keywords[i].text)) == 0)
            return true;
    return false;
}

// "leftarm", "armright", "lfemur": the side without a separator.
static tr_role_side side_inside(const name_words *words) {
    if (strstr(words->text, "left"))
        return TR_SIDE_LEFT;
    if (strstr(words->text, "right"))
        return TR_SIDE_RIGHT;
    if ((words->text[0] == 'l' || words->text[0] == 'r') && !begins_with_keyword(words->text) &&
        begins_with_keyword(words->text + 1))
        return words->text[0] == 'l' ? TR_SIDE_LEFT : TR_SIDE_RIGHT;
    return TR_SIDE_NONE;
}

static bool names_an_end(const keyword *key) {
    static const char *const ends[] = {"endsite", "end", "nub", "leaf", "tip"};
    for (uint32_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (strcmp(key->text, ends[i]) == 0)
            return true;
    return false;
}

tr_role_reading tr_role_read_name(const char *name) {
    name_words words = split(name ? name : "");
    const keyword *key = find_keyword(&words);
    tr_role_reading reading = {TR_PART_UNKNOWN, words.side, false};
    if (!key)
        return reading;
    reading.part = key->part;
    reading.is_end = names_an_end(key);
    if (reading.side == TR_SIDE_NONE)
        reading.side = side_inside(&words);
    if (reading.part == TR_PART_HIPS && reading.side != TR_SIDE_NONE)
        reading.part = TR_PART_HIP;
    return reading;
}
