// The labyrinth of Bandi & Thalmann 1998, figure 9. Walls stand in the middle of cells of the paper's grid,
// every seventh one, and stay inside their cells: a corridor is six cells wide, four without its border. The
// plan is fixed, so that the two ways of the figure exist for every seed: the narrow corridor A directly
// between start and goal, and the wide arch B in the far corner.
#include "sample_storey.h"

#define CELL 0.3f
#define PITCH (7 * CELL)
#define COLUMNS 10 // of the plan
#define ROWS 13
#define HALF_WALL 0.11f
#define HALF_POST 0.14f // no wider than a cell, so that posts and mouldings fill no other cell
#define WALL_TOP 2.42f
#define TOP 2.5f
#define CRATES 6

// '-' and '|' walls, '/' arches, 'L' the low lintel, 'N' the narrow corridor A. Arch B is the last of its
// line.
static const char *const plan[2 * ROWS + 1] = {
    "+-+-+-+-+-+-+-+-+-+-+", //
    "|     |       |     |", //
    "+ +-+ +-+ +-+ + +-+ +", //
    "|   |     |   |   | |", //
    "+-+ +-+-+ + +-+ + + +", //
    "|   /   | |   / | | |", //
    "+ +-+ + + +-+ + +-+ +", //
    "| |   | |   | |     |", //
    "+ + +-+ +-+ + +-+-+/+", //
    "|   |     | |   |   |", //
    "+-+ + +-+ + +-+ + +-+", //
    "|     |       |     |", //
    "+-+-+-+-+ +L+-+-+-+/+", //
    "|       |N| |       |", //
    "+ +-+-+ + + +-+ +-+ +", //
    "| |   |     |   |   |", //
    "+ + + +-+/+-+ +-+ +-+", //
    "|   |     |   |     |", //
    "+-+ +-+ + + +-+ +-+ +", //
    "|   |   | |     |   |", //
    "+ +-+ +-+ +-+-+ + +-+", //
    "| /   |     |   |   |", //
    "+ + +-+-+ + + +-+-+ +", //
    "|   |     | /     | |", //
    "+-+ + +-+-+ +-+-+ + +", //
    "|                   |", //
    "+-+-+-+-+-+-+-+-+-+-+",
};

typedef enum { WALL, ARCH, LINTEL, PIECES } piece_kind;
static const char *const piece_names[PIECES] = {"wall", "arch", "low lintel"};

// A box of a piece that runs along x or z from the middle of one post to the next.
static void piece_box(sample_builder *builder, bool along_z, float from, float to, float low, float high,
                      float half) {
    if (along_z)
        sample_box(builder, -half, low, from, half, high, to);
    else
        sample_box(builder, from, low, -half, to, high, half);
}

static void draw_wall(sample_builder *builder, bool along_z) {
    float from = HALF_POST, to = PITCH - HALF_POST;
    piece_box(builder, along_z, from, to, 0, 0.3f, HALF_POST); // plinth, wall, cornice
    piece_box(builder, along_z, from, to, 0.3f, WALL_TOP, HALF_WALL);
    piece_box(builder, along_z, from, to, WALL_TOP, TOP, HALF_POST);
}

// The opening is four cells wide and nowhere lower than 2 m.
static void draw_arch(sample_builder *builder, bool along_z) {
    float from = HALF_POST, to = PITCH - HALF_POST, jamb = 1.43f * CELL, spring = 2.0f;
    piece_box(builder, along_z, from, jamb, 0, TOP, HALF_WALL);
    piece_box(builder, along_z, PITCH - jamb, to, 0, TOP, HALF_WALL);
    tr_box over = {{jamb, spring, -HALF_WALL}, {PITCH - jamb, TOP, HALF_WALL}};
    if (along_z) {
        tr_box turned = {{-HALF_WALL, spring, jamb}, {HALF_WALL, TOP, PITCH - jamb}};
        over = turned;
    }
    sample_shape_arch(&builder->shape, over, along_z, 0.35f, 10);
}

static void draw_lintel(sample_builder *builder, bool along_z) {
    piece_box(builder, along_z, HALF_POST, PITCH - HALF_POST, 1.46f, TOP, HALF_WALL);
}

static uint32_t make_piece(sample_builder *builder, piece_kind kind, bool along_z) {
    if (kind == WALL)
        draw_wall(builder, along_z);
    else if (kind == ARCH)
        draw_arch(builder, along_z);
    else
        draw_lintel(builder, along_z);
    return sample_mesh(builder, piece_names[kind]);
}

// The middle of the post at a crossing of the plan's lines.
static tr_vec3 post_at(uint32_t column, uint32_t row) {
    return sample_at(PITCH * (float)column + CELL / 2, 0, PITCH * (float)row + CELL / 2);
}

static void place_pieces(sample_builder *builder) {
    uint32_t meshes[PIECES][2];
    for (uint32_t i = 0; i < 2 * PIECES; i++)
        meshes[i / 2][i % 2] = make_piece(builder, (piece_kind)(i / 2), i % 2);
    for (uint32_t line = 0; line < 2 * ROWS + 1; line++)
        for (uint32_t i = 1 - line % 2; i < 2 * COLUMNS + 1; i += 2) {
            char sign = plan[line][i];
            if (sign == ' ')
                continue;
            piece_kind kind = sign == '/' ? ARCH : sign == 'L' ? LINTEL : WALL;
            sample_place(builder, piece_names[kind], meshes[kind][line % 2], post_at(i / 2, line / 2), 0,
                         kind == LINTEL ? TR_TAG_CRAWL_UNDER : 0);
        }
}

static bool is_wall(uint32_t line, uint32_t i) {
    return line < 2 * ROWS + 1 && i < 2 * COLUMNS + 1 && plan[line][i] != ' ';
}

// Posts join walls; where one ends, there is a round pillar.
static void place_posts(sample_builder *builder) {
    sample_box(builder, -0.13f, 0, -0.13f, 0.13f, WALL_TOP, 0.13f);
    sample_box(builder, -HALF_POST, WALL_TOP, -HALF_POST, HALF_POST, TOP + 0.06f, HALF_POST);
    uint32_t square = sample_mesh(builder, "post");
    sample_box(builder, -HALF_POST, 0, -HALF_POST, HALF_POST, 0.2f, HALF_POST);
    sample_shape_column(&builder->shape, 12, 0.135f, 0.115f, 0.2f, WALL_TOP - 0.1f);
    sample_box(builder, -HALF_POST, WALL_TOP - 0.1f, -HALF_POST, HALF_POST, TOP + 0.06f, HALF_POST);
    uint32_t round = sample_mesh(builder, "pillar");
    for (uint32_t row = 0; row <= ROWS; row++)
        for (uint32_t column = 0; column <= COLUMNS; column++) {
            uint32_t line = 2 * row, i = 2 * column;
            int walls = is_wall(line, i + 1) + is_wall(line + 1, i) + is_wall(line, i - 1) +
                        is_wall(line - 1, i); // 0 - 1 is beyond the last
            if (walls > 0)
                sample_place(builder, walls == 1 ? "pillar" : "post", walls == 1 ? round : square,
                             post_at(column, row), 0, 0);
        }
}

// Two buttresses leave two cells between them, and both are border: a body would fit, but no path leads
// through.
static void place_narrows(sample_builder *builder) {
    for (uint32_t row = 0; row < ROWS; row++)
        for (uint32_t column = 0; column < COLUMNS; column++) {
            if (plan[2 * row + 1][2 * column + 1] != 'N')
                continue;
            tr_vec3 at = sample_at(PITCH * (float)column, 0, PITCH * (float)row);
            float near = 1.05f * CELL, far = 6.95f * CELL;
            sample_box(builder, at.x + near, 0, at.z + near, at.x + 2.95f * CELL, TOP, at.z + far);
            sample_box(builder, at.x + 5.05f * CELL, 0, at.z + near, at.x + far, TOP, at.z + far);
            sample_finish(builder, "narrow corridor", 0);
        }
}

static tr_vec3 middle_of(uint32_t column, uint32_t row) {
    return sample_at(PITCH * ((float)column + 0.5f) + CELL / 2, 0, PITCH * ((float)row + 0.5f) + CELL / 2);
}

static bool is_dead_end(uint32_t column, uint32_t row) {
    uint32_t line = 2 * row + 1, i = 2 * column + 1;
    int open = (plan[line][i - 1] == ' ') + (plan[line][i + 1] == ' ') + (plan[line - 1][i] == ' ') +
               (plan[line + 1][i] == ' ');
    return open == 1 && plan[line][i] == ' ';
}

// Crates stand at the ends of blind alleys, where they block no path.
static void place_crates(sample_builder *builder) {
    const float half = 0.25f, aside = 0.55f;
    sample_shape_box(&builder->shape, sample_at(-half, 0, -half), sample_at(half, 0.5f, half));
    uint32_t mesh = sample_mesh(builder, "crate"), ends[COLUMNS * ROWS], count = 0;
    for (uint32_t cell = 0; cell < COLUMNS * ROWS; cell++)
        if (is_dead_end(cell % COLUMNS, cell / COLUMNS))
            ends[count++] = cell;
    sample_movable_from_here(builder);
    for (uint32_t i = 0; i < CRATES && i < count; i++) {
        uint32_t drawn = i + tr_random_below(&builder->random, count - i), end = ends[drawn];
        ends[drawn] = ends[i];
        tr_vec3 at = middle_of(end % COLUMNS, end / COLUMNS);
        uint32_t corner = tr_random_below(&builder->random, 4);
        at.x += corner & 1 ? aside : -aside;
        at.z += corner & 2 ? aside : -aside;
        sample_place(builder, "crate", mesh, at, 0, 0);
    }
    sample_movable_to_here(builder);
}

void sample_labyrinth_make(sample_builder *builder) {
    sample_grid(builder, 72, 23, 93, CELL, 0.12f);
    builder->sample.start = middle_of(1, 0);
    builder->sample.goal = middle_of(4, 12);
    place_pieces(builder);
    place_posts(builder);
    place_narrows(builder);
    place_crates(builder);
    sample_storey_floor(builder, &builder->sample.ground, 1);
}
