#!/usr/bin/env node
// judge.mjs SHOT.glb [STAGE.json] [--OPTION VALUE ...]: what became of the people in a file that `troupe play` wrote.
// Reads the file by itself and reports as JSON: how near bodies came to each other, how feet slid, who was inside the
// scene or below its floor, who arrived and who stood still. Exit status 1: a limit is broken (the report says which);
// 2: the file cannot be read.
import { readFileSync } from 'node:fs'
import { apply, meshTriangles, readGlb, Shot } from './glb.mjs'
import { placeJoints, readPeople } from './people.mjs'
import { Solid } from './solid.mjs'
import { bodyBox, discDistance, floorState, footSlides, goalDistance, limbDistance, sceneDepth, standing, stands, Worst } from './measure.mjs'

const limits = {
    overlap: [0.05, 'm: how far discs may overlap. Hips sway about the middle of a disc by some centimetres'],
    limbs: [0.01, 'm: how far limbs of two people may be inside each other'],
    slide: [5, 'mm: of a foot that stands flat'],
    depth: [10, 'mm: of a bone inside the scene'],
    below: [10, 'mm: of ball or tip below the floor'],
    still: [Infinity, 's: at a stretch, before arriving'],
    arrive: [0.6, 'm: who stands so near to its goal, at some time, has arrived'],
    late: [0, 'people who may have not arrived'],
}
const settings = { gate: [NaN, 'm: the plane x = gate, through which the flow of people is measured'], radius: [0.3, 'm: of a disc, where the stage file does not say'], frames: [0, '1: figures of every frame, too'] }

function readArguments(words) {
    const options = {}, files = []
    for (const [name, [value]] of Object.entries({ ...limits, ...settings })) options[name] = value
    for (let i = 0; i < words.length; i++) {
        const name = words[i].startsWith('--') ? words[i].slice(2) : null
        if (name === null) files.push(words[i])
        else if (!(name in options) || !(Number(words[++i]) >= (name === 'gate' ? -Infinity : 0))) return null
        else options[name] = Number(words[i])
    }
    return files.length === 1 || files.length === 2 ? { options, files } : null
}

function usage() {
    console.error('usage: judge.mjs SHOT.glb [STAGE.json] [--OPTION VALUE ...]')
    for (const [name, [value, what]] of Object.entries({ ...limits, ...settings })) console.error(`  --${name.padEnd(8)} ${value} ${what}`)
    process.exit(2)
}

function transformed(triangles, m) {
    const moved = new Float64Array(triangles.length)
    for (let i = 0; i < triangles.length; i += 3) moved.set(apply(m, triangles[i], triangles[i + 1], triangles[i + 2]), i)
    return moved
}

// What stands, as one solid; what moves, as a solid of each frame.
function readScene(shot) {
    const still = [], movers = []
    shot.nodes.forEach((node, i) => {
        if (node.mesh === undefined || node.skin !== undefined) return
        const triangles = meshTriangles(shot.glb, node.mesh)
        if (!triangles.length) return
        if (shot.moves[i]) movers.push({ node: i, triangles })
        else still.push(transformed(triangles, shot.world(i, 0, new Map())))
    })
    const all = new Float64Array(still.reduce((sum, part) => sum + part.length, 0))
    let used = 0
    for (const part of still) {
        all.set(part, used)
        used += part.length
    }
    const fixed = new Solid(all), frames = new Map()
    return (frame) => {
        if (!movers.length) return [fixed]
        if (!frames.has(frame)) {
            const cache = new Map(), time = frame / shot.rate
            frames.set(frame, [fixed, ...movers.map(({ node, triangles }) => new Solid(transformed(triangles, shot.world(node, time, cache))))])
        }
        return frames.get(frame)
    }
}

// The last place that a character of the stage file is sent to; null: nowhere.
function goalOf(character) {
    const goes = (character.orders || []).filter((order) => order.go)
    return goes.length ? goes[goes.length - 1].go : character.goal || null
}

function readStage(path, people, options) {
    const characters = path ? JSON.parse(readFileSync(path, 'utf8')).characters : []
    for (const [i, person] of people.entries()) {
        const character = characters.find(({ name }) => name === person.name) || characters[i]
        person.goal = character ? goalOf(character) : null
        person.radius = (character && character.radius) || options.radius
    }
}

function judgePairs(people, shot, options, report, perFrame) {
    const discs = new Worst(false), limbs = new Worst(false)
    let discFrames = 0, limbFrames = 0
    for (let frame = 0; frame < shot.frames; frame++) {
        let disc = Infinity, limb = Infinity
        for (let i = 0; i < people.length; i++)
            for (let j = 0; j < i; j++) {
                const a = people[i], b = people[j], between = discDistance(a, b, frame, a.radius + b.radius)
                const note = { frame, pair: [b.name, a.name] }, near = between < 3 ? limbDistance(a, b, frame) : Infinity
                disc = Math.min(disc, between)
                limb = Math.min(limb, near)
                discs.see(between, note)
                limbs.see(near, note)
                a.nearest = Math.min(a.nearest, between)
                b.nearest = Math.min(b.nearest, between)
            }
        discFrames += disc < -options.overlap
        limbFrames += limb < -options.limbs
        perFrame.disc_m.push(Number.isFinite(disc) ? disc : null)
        perFrame.limb_m.push(Number.isFinite(limb) ? limb : null)
    }
    report.discs = { measures: 'hips of two people over the ground, less both radii [m]', ...discs.report(), frames: discFrames }
    report.limbs = { measures: 'capsules along the bones of two people [m], where they are less than 0.1 m apart', ...limbs.report(), frames: limbFrames }
}

function judgeScene(people, shot, solidsAt, options, report, perFrame) {
    const depth = new Worst(true), below = new Worst(true), slide = new Worst(true)
    let depthFrames = 0, belowFrames = 0, airFrames = 0
    for (let frame = 0; frame < shot.frames; frame++) {
        let deepest = 0, lowest = 0, loose = 0
        for (const person of people) {
            const inside = 1000 * sceneDepth(person, frame, solidsAt(frame)), state = floorState(person, frame, solidsAt(frame))
            const note = { frame, who: person.name }
            depth.see(inside, note)
            below.see(1000 * state.below, note)
            deepest = Math.max(deepest, inside)
            lowest = Math.max(lowest, 1000 * state.below)
            loose += !state.held
            person.inside += inside > options.depth
            person.deepest = Math.max(person.deepest, inside)
        }
        depthFrames += deepest > options.depth
        belowFrames += lowest > options.below
        airFrames += loose > 0
        perFrame.scene_mm.push(deepest)
        perFrame.below_mm.push(lowest)
    }
    for (const person of people)
        footSlides(person, shot.frames, solidsAt, (distance, note) => {
            slide.see(1000 * distance, { ...note, who: person.name })
            person.slide = Math.max(person.slide, 1000 * distance)
        })
    report.scene = { measures: 'capsules along the bones inside triangles of the scene [mm]', ...depth.report(), frames: depthFrames }
    report.below = { measures: 'ball and tip of a foot below the floor, soles counted [mm]', ...below.report(), frames: belowFrames }
    report.air = { measures: 'frames in which somebody has no floor under either foot', frames: airFrames }
    report.slide = { measures: 'a foot that stands flat: the one of heel, ball and tip that moves least [mm]', ...slide.report() }
}

// When people pass a gate: the flow is measured between the first tenth of them and the last.
function judgeFlow(people, shot, gate) {
    const times = []
    for (const { positions, joints } of people)
        for (let frame = 1; frame < shot.frames; frame++) {
            const before = positions[(frame - 1) * joints.length * 3] - gate, after = positions[frame * joints.length * 3] - gate
            if (before < 0 !== after < 0) times.push(frame / shot.rate)
        }
    times.sort((a, b) => a - b)
    const first = Math.floor(times.length / 10), last = times.length - 1 - first
    return { measures: `people a second through x = ${gate}`, passages: times.length, value: last > first ? (last - first) / (times[last] - times[first]) : null }
}

// Somebody arrives where it first stands near its goal. It may be asked to step aside for others afterwards.
function arrival(person, shot, options) {
    for (let frame = 0; person.goal && frame < shot.frames; frame++)
        if (goalDistance(person, frame, person.goal) <= options.arrive && stands(person, frame, shot.frames, shot.rate)) return frame
    return null
}

function judgePerson(person, shot, options) {
    const arrived = arrival(person, shot, options)
    const still = standing(person, arrived === null ? shot.frames : arrived, shot.rate)
    const off = person.goal ? goalDistance(person, shot.frames - 1, person.goal) : null
    return {
        name: person.name, arrived: person.goal ? arrived !== null : null, arrived_s: arrived === null ? null : arrived / shot.rate,
        goal_m: Number.isFinite(off) ? off : null, still_s: still.all, longest_still_s: still.longest,
        nearest_m: Number.isFinite(person.nearest) ? person.nearest : null, slide_mm: person.slide, scene_mm: person.deepest, scene_frames: person.inside,
    }
}

function findBroken(report, options) {
    const broken = [], tell = (fine, sentence) => fine || broken.push(sentence)
    const { discs, limbs, slide, scene, below, air, people } = report, mm = (metres) => `${(1000 * metres).toFixed(0)} mm`
    tell(!(discs.value < -options.overlap), `discs of ${(discs.pair || []).join(' and ')} overlap by ${mm(-discs.value)} in frame ${discs.frame}; ${discs.frames} frames`)
    tell(!(limbs.value < -options.limbs), `limbs of ${(limbs.pair || []).join(' and ')} are ${mm(-limbs.value)} inside each other in frame ${limbs.frame}; ${limbs.frames} frames`)
    tell(!(slide.value > options.slide), `the ${slide.foot} foot of ${slide.who} slides ${slide.value && slide.value.toFixed(1)} mm by frame ${slide.frame}`)
    tell(!(scene.value > options.depth), `${scene.who} is ${scene.value && scene.value.toFixed(0)} mm inside the scene in frame ${scene.frame}; ${scene.frames} frames`)
    tell(!(below.value > options.below), `${below.who} is ${below.value && below.value.toFixed(0)} mm below the floor in frame ${below.frame}; ${below.frames} frames`)
    tell(!air.frames, `somebody has no floor under the feet in ${air.frames} frames`)
    const late = people.filter(({ arrived }) => arrived === false), stuck = people.filter(({ longest_still_s }) => longest_still_s > options.still)
    tell(late.length <= options.late, `${late.length} of ${people.length} have not arrived: ${late.slice(0, 5).map(({ name }) => name).join(', ')}`)
    tell(!stuck.length, `${stuck.length} stood still for more than ${options.still} s: ${stuck.slice(0, 5).map(({ name }) => name).join(', ')}`)
    return broken
}

export function judge(shotPath, stagePath, options) {
    const shot = new Shot(readGlb(shotPath)), people = readPeople(shot), solidsAt = readScene(shot)
    const perFrame = { disc_m: [], limb_m: [], scene_mm: [], below_mm: [] }
    readStage(stagePath, people, options)
    for (const person of people) {
        person.positions = placeJoints(shot, person)
        person.boxes = Array.from({ length: shot.frames }, (_, frame) => bodyBox(person, frame))
        Object.assign(person, { nearest: Infinity, slide: 0, deepest: 0, inside: 0 })
    }
    const report = { shot: shotPath, stage: stagePath || null, frames: shot.frames, seconds: shot.seconds }
    judgePairs(people, shot, options, report, perFrame)
    judgeScene(people, shot, solidsAt, options, report, perFrame)
    report.people = people.map((person) => judgePerson(person, shot, options))
    if (!Number.isNaN(options.gate)) report.flow = judgeFlow(people, shot, options.gate)
    report.arrived = report.people.filter(({ arrived }) => arrived).length
    report.broken = findBroken(report, options)
    if (options.frames) report.per_frame = perFrame
    return report
}

const request = readArguments(process.argv.slice(2))
if (!request) usage()
try {
    const report = judge(request.files[0], request.files[1], request.options)
    console.log(JSON.stringify(report, (_, value) => (typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(6)) : value), 1))
    process.exitCode = report.broken.length ? 1 : 0
} catch (error) {
    console.error(`judge: ${error.message}`)
    process.exitCode = 2
}
