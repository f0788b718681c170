// The people of a shot: where every joint of each of them is in every frame, and how thick its bones are.
import { apply, invertColumns, readAccessor } from './glb.mjs'

const THINNEST = 0.01 // [m]

// How far p is from the line through a and b, and where along it (0 at a, 1 at b).
function besideLine(p, a, b) {
    const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]], length = d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
    const t = length > 0 ? ((p[0] - a[0]) * d[0] + (p[1] - a[1]) * d[1] + (p[2] - a[2]) * d[2]) / length : 0
    return [Math.hypot(p[0] - a[0] - t * d[0], p[1] - a[1] - t * d[1], p[2] - a[2] - t * d[2]), t]
}

// How thick each bone is: three quarters of the skin beside it, as far as it hangs mostly on its joint, is further away in
// the rest pose. So a capsule lies inside the skin: what it touches is touched.
function measureBones(glb, mesh, rest, bones) {
    const ends = new Map(bones.map(([a, b]) => [a, b])), distances = new Map(bones.map(([a]) => [a, []]))
    for (const { attributes } of mesh === undefined ? [] : glb.json.meshes[mesh].primitives) {
        if (attributes.JOINTS_0 === undefined) continue
        const positions = readAccessor(glb, attributes.POSITION), owners = readAccessor(glb, attributes.JOINTS_0)
        const weights = readAccessor(glb, attributes.WEIGHTS_0)
        for (let i = 0; i < positions.length / 3; i++) {
            let best = 0
            for (let k = 1; k < 4; k++) if (weights[4 * i + k] > weights[4 * i + best]) best = k
            const joint = owners[4 * i + best], end = ends.get(joint)
            if (end === undefined) continue
            const [distance, along] = besideLine(positions.subarray(3 * i, 3 * i + 3), rest[joint], rest[end])
            if (along > 0.1 && along < 0.9) distances.get(joint).push(distance)
        }
    }
    return bones.map(([a]) => {
        const sorted = distances.get(a).sort((x, y) => x - y)
        return sorted.length ? Math.max(THINNEST, sorted[Math.floor(sorted.length / 4)]) : THINNEST
    })
}

// The child that a bone leads to: of several the one that lies straightest on.
function findBones(shot, joints, rest) {
    const numbers = new Map(joints.map((node, i) => [node, i])), bones = []
    joints.forEach((node, i) => {
        const children = (shot.nodes[node].children || []).map((child) => numbers.get(child)).filter((child) => child !== undefined)
        if (!children.length) return
        const trunk = children.find((child) => /spine|chest|neck|head/.test(shot.nodes[joints[child]].name || ''))
        bones.push([i, trunk === undefined ? children[0] : trunk])
    })
    return bones
}

export function readPeople(shot) {
    const { glb } = shot, people = []
    ;(glb.json.skins || []).forEach((skin, number) => {
        const holder = shot.nodes.find((node) => node.skin === number)
        const inverse = readAccessor(glb, skin.inverseBindMatrices)
        const rest = skin.joints.map((_, i) => apply(invertColumns(inverse.subarray(16 * i, 16 * i + 16)), 0, 0, 0))
        const names = skin.joints.map((node) => (shot.nodes[node].name || '').toLowerCase())
        const bones = findBones(shot, skin.joints, rest)
        const find = (side, part) => names.findIndex((name) => name.includes(side) && name.endsWith(part))
        const feet = ['left', 'right'].map((side) => [find(side, 'foot'), find(side, 'toes'), find(side, 'toes_end')])
        if (feet.flat().some((joint) => joint < 0)) throw new Error(`skin ${number} has no feet named left_foot, left_toes, left_toes_end`)
        const person = {
            name: skin.name || `person ${number}`, joints: skin.joints, rest, names, bones, feet,
            radii: measureBones(glb, holder && holder.mesh, rest, bones),
            isFoot: bones.map(([a]) => /foot|toes/.test(names[a])),
            hips: rest[0][1],
        }
        const resting = Float64Array.from(rest.flat())
        drawBackTips(person, resting, 0)
        person.rest = rest.map((_, i) => Array.from(resting.subarray(3 * i, 3 * i + 3)))
        people.push(person)
    })
    return people
}

// The ends of fingers, toes and head drawn back by the thickness of their bones, so that a capsule ends where the skin does.
function drawBackTips(person, positions, frame) {
    const count = person.joints.length
    person.bones.forEach(([a, b], bone) => {
        if (person.bones.some(([from]) => from === b)) return
        const i = (frame * count + a) * 3, j = (frame * count + b) * 3
        const d = [0, 1, 2].map((k) => positions[j + k] - positions[i + k]), length = Math.hypot(...d)
        const kept = length > 0 ? Math.max(0, 1 - person.radii[bone] / length) : 0
        for (let k = 0; k < 3; k++) positions[j + k] = positions[i + k] + kept * d[k]
    })
}

// positions[frame * joints * 3 ...]: the joints of one person in the world.
export function placeJoints(shot, person) {
    const count = person.joints.length, positions = new Float64Array(shot.frames * count * 3)
    const constant = new Map() // nodes above the joints that never move
    for (let i = shot.parents[person.joints[0]]; i >= 0; i = shot.parents[i])
        if (!shot.moves[i]) shot.world(i, 0, constant)
    for (let frame = 0; frame < shot.frames; frame++) {
        const cache = new Map(constant), time = frame / shot.rate
        person.joints.forEach((node, i) => {
            const m = shot.world(node, time, cache)
            positions.set([m[3], m[7], m[11]], (frame * count + i) * 3)
        })
        drawBackTips(person, positions, frame)
    }
    return positions
}
