// Kuffner's maze. A random walk that backs out of dead ends joins the cells into a spanning tree, so that any
// two are connected; then a few more walls are removed, so that there are alternative ways. Triangles that
// are left over make posts round.
#include "sample_build.h"
#include "troupe/base/scalar.h"

#define PITCH 2.177f    // from wall to wall [m]: nine of them and the border make 20 m
#define BORDER 0.2035f  // ground outside the outer walls' middle [m]
#define HALF_WALL 0.08f // [m]
#define HALF_POST 0.11f
#define WALL_HEIGHT 2.2f
#define SIDE_LEAST 3
#define ROUND_SIDES 8
#define BOX_TRIANGLES 12
#define ROUND_TRIANGLES (4 * ROUND_SIDES - 4)

typedef enum { OPEN_EAST = 1, OPEN_SOUTH = 2, VISITED = 4, TAKEN = 8 } cell_flag;

typedef struct maze_plan {
    uint32_t side; // cells
    uint8_t *cells;
    uint32_t *trail;
} maze_plan;

static uint32_t loops_of(uint32_t side) {
    return side * side / 12;
}

static uint32_t movables_of(uint32_t side) {
    return side < 64 ? side - 1 : 63;
}

// The number of boxes in a maze of this size, for every seed: walls, posts, movable boxes.
static uint64_t boxes_of(uint64_t side) {
    uint64_t inner = 2 * side * (side - 1) - (side * side - 1) - loops_of((uint32_t)side);
    return inner + 4 * side + (side + 1) * (side + 1) + movables_of((uint32_t)side);
}

static uint32_t side_for(uint32_t triangles) {
    uint32_t side = SIDE_LEAST;
    while (BOX_TRIANGLES * boxes_of(side + 1) + 2 <= triangles)
        side++;
    return side;
}

static bool neighbour_of(const maze_plan *maze, uint32_t cell, uint32_t direction, uint32_t *neighbour) {
    uint32_t column = cell % maze->side, row = cell / maze->side;
    if ((direction == 0 && column + 1 == maze->side) || (direction == 1 && row + 1 == maze->side) ||
        (direction == 2 && column == 0) || (direction == 3 && row == 0))
        return false;
    *neighbour = direction == 0   ? cell + 1
                 : direction == 1 ? cell + maze->side
                 : direction == 2 ? cell - 1
                                  : cell - maze->side;
    return true;
}

static void open_wall(maze_plan *maze, uint32_t cell, uint32_t direction, uint32_t neighbour) {
    maze->cells[direction < 2 ? cell : neighbour] |= direction & 1 ? OPEN_SOUTH : OPEN_EAST;
}

static void carve_tree(maze_plan *maze, tr_random *random) {
    uint32_t length = 1;
    maze->trail[0] = 0;
    maze->cells[0] |= VISITED;
    while (length > 0) {
        uint32_t cell = maze->trail[length - 1], first = tr_random_below(random, 4), neighbour = 0, turn = 0;
        for (; turn < 4; turn++)
            if (neighbour_of(maze, cell, (first + turn) % 4, &neighbour) &&
                !(maze->cells[neighbour] & VISITED))
                break;
        if (turn == 4) {
            length--;
            continue;
        }
        open_wall(maze, cell, (first + turn) % 4, neighbour);
        maze->cells[neighbour] |= VISITED;
        maze->trail[length++] = neighbour;
    }
}

static void open_loops(maze_plan *maze, tr_random *random) {
    uint32_t wanted = loops_of(maze->side);
    while (wanted > 0) {
        uint32_t cell = tr_random_below(random, maze->side * maze->side);
        uint32_t direction = tr_random_below(random, 2), neighbour;
        uint8_t flag = direction ? OPEN_SOUTH : OPEN_EAST;
        if (!neighbour_of(maze, cell, direction, &neighbour) || maze->cells[cell] & flag)
            continue;
        maze->cells[cell] |= flag;
        wanted--;
    }
}

static float line(const maze_plan *maze, uint32_t index) {
    return PITCH * ((float)index - 0.5f * (float)maze->side);
}

static void place_wall(sample_builder *builder, uint32_t mesh, float x, float z, bool along_z) {
    sample_place(builder, "wall", mesh, sample_at(x, 0, z), along_z ? 0.5 * TR_PI : 0, 0);
}

static void place_walls(sample_builder *builder, const maze_plan *maze) {
    float half = PITCH / 2 - HALF_WALL;
    sample_shape_box(&builder->shape, sample_at(-half, 0, -HALF_WALL),
                     sample_at(half, WALL_HEIGHT, HALF_WALL));
    uint32_t mesh = sample_mesh(builder, "wall");
    for (uint32_t row = 0; row < maze->side; row++)
        for (uint32_t column = 0; column < maze->side; column++) {
            uint8_t flags = maze->cells[row * maze->side + column];
            float x = line(maze, column) + PITCH / 2, z = line(maze, row) + PITCH / 2;
            if (!(flags & OPEN_EAST))
                place_wall(builder, mesh, x + PITCH / 2, z, true);
            if (!(flags & OPEN_SOUTH))
                place_wall(builder, mesh, x, z + PITCH / 2, false);
            if (column == 0)
                place_wall(builder, mesh, x - PITCH / 2, z, true);
            if (row == 0)
                place_wall(builder, mesh, x, z - PITCH / 2, false);
        }
}

// `spare` triangles beyond those of square posts go into round ones, spread evenly.
static void place_posts(sample_builder *builder, const maze_plan *maze, uint32_t spare) {
    uint32_t count = (maze->side + 1) * (maze->side + 1);
    uint32_t round = spare / (ROUND_TRIANGLES - BOX_TRIANGLES);
    round = round < count ? round : count;
    sample_shape_box(&builder->shape, sample_at(-HALF_POST, 0, -HALF_POST),
                     sample_at(HALF_POST, WALL_HEIGHT, HALF_POST));
    uint32_t square_mesh = sample_mesh(builder, "post");
    sample_shape_column(&builder->shape, ROUND_SIDES, 0.16f, 0.16f, 0, WALL_HEIGHT + 0.2f);
    uint32_t round_mesh = sample_mesh(builder, "pillar");
    for (uint32_t i = 0; i < count; i++) {
        bool is_round = (uint64_t)(i + 1) * round / count != (uint64_t)i * round / count;
        tr_vec3 at = sample_at(line(maze, i % (maze->side + 1)), 0, line(maze, i / (maze->side + 1)));
        sample_place(builder, is_round ? "pillar" : "post", is_round ? round_mesh : square_mesh, at, 0, 0);
    }
}

// A cell without a box, of one colour of a chessboard: boxes in two neighbouring cells could block the way
// between them.
static uint32_t draw_cell(maze_plan *maze, tr_random *random) {
    for (;;) {
        uint32_t column = tr_random_below(random, maze->side), row = tr_random_below(random, maze->side);
        if ((column + row) % 2)
            column = column > 0 ? column - 1 : 1;
        uint32_t cell = row * maze->side + column;
        if (!(maze->cells[cell] & TAKEN)) {
            maze->cells[cell] |= TAKEN;
            return cell;
        }
    }
}

// Boxes stand in a corner of a cell and leave room for a body to pass.
static void place_movables(sample_builder *builder, maze_plan *maze) {
    const float half = 0.15f, aside = PITCH / 2 - HALF_WALL - half - 0.01f;
    sample_shape_box(&builder->shape, sample_at(-half, 0, -half), sample_at(half, 0.5f, half));
    uint32_t mesh = sample_mesh(builder, "box");
    sample_movable_from_here(builder);
    for (uint32_t i = 0; i < movables_of(maze->side); i++) {
        uint32_t cell = draw_cell(maze, &builder->random);
        uint32_t corner = tr_random_below(&builder->random, 4);
        float x = line(maze, cell % maze->side) + PITCH / 2 + (corner & 1 ? aside : -aside);
        float z = line(maze, cell / maze->side) + PITCH / 2 + (corner & 2 ? aside : -aside);
        sample_place(builder, "box", mesh, sample_at(x, 0, z), 0, 0);
    }
    sample_movable_to_here(builder);
}

void sample_maze_make(sample_builder *builder) {
    const tr_allocator *allocator = &builder->shape.allocator;
    maze_plan maze = {.side = side_for(builder->wish)};
    size_t count = (size_t)maze.side * maze.side;
    maze.cells = tr_allocate_zero(allocator, count, sizeof *maze.cells);
    maze.trail = tr_allocate(allocator, count, sizeof *maze.trail);
    if (maze.cells && maze.trail) {
        carve_tree(&maze, &builder->random);
        open_loops(&maze, &builder->random);
        float half = PITCH * (float)maze.side / 2 + BORDER;
        uint32_t least = (uint32_t)(BOX_TRIANGLES * boxes_of(maze.side)) + 2;
        place_walls(builder, &maze);
        place_posts(builder, &maze, builder->wish - least);
        place_movables(builder, &maze);
        sample_floor(builder, sample_ground(half, half), 2);
    } else {
        builder->status =
            tr_fail(builder->error, TR_OUT_OF_MEMORY, "no memory for a maze of %u cells a side", maze.side);
    }
    tr_release(allocator, maze.cells, count, sizeof *maze.cells);
    tr_release(allocator, maze.trail, count, sizeof *maze.trail);
}
