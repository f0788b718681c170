// test_judge.mjs TROUPE: does the judge see what it is there to see? A good shot must pass; the same shot, doctored in its
// bytes, must be reported, and by the right amount. Ends with "N passed, N failed, N skipped".
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const troupe = process.argv[2], here = dirname(fileURLToPath(import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'troupe-judge-'))
let passed = 0, failed = 0

function check(fine, sentence) {
    if (fine) passed++
    else failed++
    if (!fine) console.log(`FAILED  ${sentence}`)
}

function judge(shot, stage, ...options) {
    const ran = spawnSync(process.execPath, [join(here, 'judge.mjs'), shot, stage, ...options], { encoding: 'utf8', maxBuffer: 1 << 28 })
    return { status: ran.status, report: ran.status === 2 ? null : JSON.parse(ran.stdout), said: ran.stderr }
}

const hall = {
    scene: { sample: 'corridor' }, seconds: 20,
    characters: [
        { name: 'Ada', start: [-14, -2], heading_degrees: 90, goal: [-9, -2] },
        { name: 'Ben', height: 1.9, start: [-14, 2], heading_degrees: 90, goal: [-9, 2] },
    ],
}

// A copy of the shot in which the hips of one person are moved by move(time, [x, y, z]).
function doctor(shot, name, person, move) {
    const file = Buffer.from(readFileSync(shot)), size = file.readUInt32LE(12), json = JSON.parse(file.toString('utf8', 20, 20 + size))
    const animation = json.animations[0], hips = json.skins[person].joints[0]
    const { sampler } = animation.channels.find(({ target }) => target.node === hips && target.path === 'translation')
    const { input, output } = animation.samplers[sampler]
    const place = (index) => {
        const accessor = json.accessors[index], view = json.bufferViews[accessor.bufferView]
        const width = accessor.type === 'VEC3' ? 3 : 1
        return { count: accessor.count, at: 28 + size + (view.byteOffset || 0) + (accessor.byteOffset || 0), stride: view.byteStride || 4 * width }
    }
    const times = place(input), values = place(output)
    for (let i = 0; i < values.count; i++) {
        const at = values.at + i * values.stride, time = file.readFloatLE(times.at + i * times.stride)
        const moved = move(time, [0, 4, 8].map((k) => file.readFloatLE(at + k)))
        moved.forEach((value, k) => file.writeFloatLE(value, at + 4 * k))
    }
    const path = join(folder, name)
    writeFileSync(path, file)
    return path
}

const has = (report, words) => report.broken.some((sentence) => sentence.includes(words))
const near = (value, expected, tolerance) => Math.abs(value - expected) <= tolerance

function play(stage, name) {
    const path = join(folder, `${name}.json`), shot = join(folder, `${name}.glb`)
    writeFileSync(path, JSON.stringify(stage))
    execFileSync(troupe, ['play', path, '-o', shot], { stdio: 'ignore' })
    return [shot, path]
}

function testGood(shot, stage) {
    const { status, report } = judge(shot, stage, '--frames', '1')
    check(status === 0 && report.broken.length === 0, `a good shot is refused: ${report && report.broken}`)
    check(report.arrived === 2 && report.people.every(({ goal_m }) => goal_m < 0.1), 'people who arrived are said not to have')
    check(near(report.discs.value, 4 - 0.6, 0.15), `two who walk 4 m apart are ${report.discs.value} m apart`)
    check(report.per_frame.disc_m.length === report.frames, 'there is no figure for every frame')
    check(report.slide.value < 2, `a good shot slides by ${JSON.stringify(report.slide)}`)
    check(report.scene.value === 0 && report.below.value < 1, 'a good shot touches something')
}

function testBodies(shot, stage) {
    // Ben walks where Ada does: 4 m aside, at the same speed.
    const { status, report } = judge(doctor(shot, 'merged.glb', 1, (_, [x, y, z]) => [x, y, z - 4]), stage)
    check(status === 1 && has(report, 'discs of Ada and Ben overlap') && has(report, 'limbs of Ada and Ben'), 'two people in one place go unnoticed')
    check(report.discs.value < -0.5 && report.discs.value >= -0.6, `their discs overlap by ${-report.discs.value} m`)
    check(report.limbs.value < -0.05, `their limbs are ${-report.limbs.value} m inside each other`)
    // Side by side with 0.35 m from hips to hips: shoulders touch, and discs overlap by 0.25 m.
    const beside = judge(doctor(shot, 'beside.glb', 1, (_, [x, y, z]) => [x, y, z - 3.65]), stage).report
    check(near(beside.discs.value, 0.35 - 0.6, 0.15) && has(beside, 'discs of'), `beside each other: ${beside.discs.value}`)
    // A metre apart is fine for discs and limbs.
    const apart = judge(doctor(shot, 'apart.glb', 1, (_, [x, y, z]) => [x, y, z - 3]), stage)
    check(apart.report.discs.frames === 0 && apart.report.limbs.frames === 0, 'two people a metre apart are said to touch')
}

function testScene(shot, stage) {
    const wall = judge(doctor(shot, 'wall.glb', 0, (_, [x, y, z]) => [x, y, z - 3]), stage)
    check(wall.status === 1 && has(wall.report, 'Ada is') && wall.report.scene.frames > 100, 'somebody inside a wall goes unnoticed')
    const sunk = judge(doctor(shot, 'sunk.glb', 0, (_, [x, y, z]) => [x, y - 0.1, z]), stage)
    check(has(sunk.report, 'below the floor') && near(sunk.report.below.value, 100, 2), `somebody 100 mm below the floor is ${sunk.report.below.value} mm below`)
    const lifted = judge(doctor(shot, 'lifted.glb', 0, (_, [x, y, z]) => [x, y + 0.6, z]), stage)
    check(has(lifted.report, 'no floor under the feet') && lifted.report.air.frames === lifted.report.frames, 'somebody in mid-air goes unnoticed')
    const slow = judge(doctor(shot, 'drift.glb', 0, (time, [x, y, z]) => [x, y, z + 0.05 * time]), stage)
    check(has(slow.report, 'foot of Ada slides'), 'a foot that slides at 5 cm/s goes unnoticed')
    check(slow.report.people[1].slide_mm < 2, 'the other person is said to slide')
}

function testGoals(shot, stage) {
    const elsewhere = structuredClone(hall)
    elsewhere.characters[1].goal = [-9, 4]
    const path = join(folder, 'elsewhere.json')
    writeFileSync(path, JSON.stringify(elsewhere))
    const { status, report } = judge(shot, path)
    check(status === 1 && has(report, '1 of 2 have not arrived: Ben') && near(report.people[1].goal_m, 2, 0.1), 'somebody who did not arrive goes unnoticed')
    check(report.people[1].longest_still_s > 0.5 && report.people[0].longest_still_s < 1.5, 'standing still is not measured')
    check(judge(shot, path, '--late', '1').status === 0, 'the limit of people who are late is not heeded')
    check(judge(shot, path, '--late', '1', '--still', '0.2').status === 1, 'the limit of standing still is not heeded')
}

// Where a node of the file stands: what moves, where it ends.
function placeOf(shot, name) {
    const file = readFileSync(shot), json = JSON.parse(file.toString('utf8', 20, 20 + file.readUInt32LE(12)))
    return json.nodes.find((node) => node.name === name).translation
}

// A cart drives through somebody who was put in its way: only a reader that follows time tells when.
function testMovers() {
    const stage = {
        scene: { sample: 'bridge' }, seconds: 10, moves: [{ object: 'cart', keys: [[0, 0, 0, 0], [8, 4, 0, 0]] }],
        characters: [{ name: 'Ada', start: [9, 0], orders: [{ wait: 9 }] }],
    }
    const [shot, path] = play(stage, 'cart'), cart = placeOf(shot, 'cart')
    check(judge(shot, path).report.scene.frames === 0, 'somebody far from a cart is said to touch it')
    const { report } = judge(doctor(shot, 'hit.glb', 0, (_, [, y]) => [cart[0] - 2, y, cart[2]]), path, '--frames', '1')
    // The cart is 1.2 m long and its front reaches the middle of the body after 1.4 m: 2.8 s.
    const first = report.per_frame.scene_mm.findIndex((depth) => depth > 10), last = report.per_frame.scene_mm.findLastIndex((depth) => depth > 10)
    check(first > 30 && first <= 2.8 * 30, `the cart comes in frame ${first}`)
    check(last >= 5.2 * 30 && last < 7.5 * 30, `the cart is gone in frame ${last}`)
}

function testBadFiles(shot, stage) {
    const path = join(folder, 'bad.glb')
    writeFileSync(path, 'glTF, but not really')
    check(judge(path, stage).status === 2, 'a bad file is judged')
    check(judge(join(folder, 'absent.glb'), stage).status === 2, 'an absent file is judged')
    check(judge(shot, stage, '--colour', '1').status === 2, 'an option that does not exist is taken')
}

try {
    const [shot, stage] = play(hall, 'hall')
    testGood(shot, stage)
    testBodies(shot, stage)
    testScene(shot, stage)
    testGoals(shot, stage)
    testMovers()
    testBadFiles(shot, stage)
} finally {
    rmSync(folder, { recursive: true })
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`)
process.exitCode = failed ? 1 : 0
