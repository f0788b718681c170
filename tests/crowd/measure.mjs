// What the judge measures. Metres, seconds; frames count from 0.
import { crosses, distanceToTriangle } from './solid.mjs'

export const NEAR = 0.1 // limbs further apart than this are not measured [m]
const STOREY = 1.5 // people whose hips differ by more in height are on different storeys [m]
const STILL = 0.05 // slower than this is standing [m/s]
const FLAT = 0.003 // a foot stands when heel and ball are within this of their height at rest [m]
const UNDER_FOOT = 0.03 // what ends no higher than this above the lower end of a foot is what it stands on, as the sides of slabs [m]
const KNEE = 0.5 // how far above a foot its floor is looked for [m]

const at = (person, frame, joint) => (frame * person.joints.length + joint) * 3

export class Worst {
    constructor(greatest) {
        this.greatest = greatest
        this.value = greatest ? -Infinity : Infinity
    }

    see(value, note) {
        if (this.greatest ? value > this.value : value < this.value) {
            this.value = value
            this.note = note
        }
    }

    report() {
        return Number.isFinite(this.value) ? { value: this.value, ...this.note } : { value: null }
    }
}

// The distance of people as discs about their hips, seen from above: negative where they overlap.
export function discDistance(a, b, frame, radii) {
    const i = at(a, frame, 0), j = at(b, frame, 0), p = a.positions, q = b.positions
    if (Math.abs(p[i + 1] - q[j + 1]) > STOREY) return Infinity
    return Math.hypot(p[i] - q[j], p[i + 2] - q[j + 2]) - radii
}

function segmentDistance(p, i, j, q, k, l) {
    // Ericson, 5.1.9: the nearest points of two segments.
    const d1x = p[j] - p[i], d1y = p[j + 1] - p[i + 1], d1z = p[j + 2] - p[i + 2]
    const d2x = q[l] - q[k], d2y = q[l + 1] - q[k + 1], d2z = q[l + 2] - q[k + 2]
    const rx = p[i] - q[k], ry = p[i + 1] - q[k + 1], rz = p[i + 2] - q[k + 2]
    const a = d1x * d1x + d1y * d1y + d1z * d1z, e = d2x * d2x + d2y * d2y + d2z * d2z
    const f = d2x * rx + d2y * ry + d2z * rz, c = d1x * rx + d1y * ry + d1z * rz, b = d1x * d2x + d1y * d2y + d1z * d2z
    const clamp = (x) => Math.min(1, Math.max(0, x)), denominator = a * e - b * b
    let s = denominator > 1e-12 ? clamp((b * f - c * e) / denominator) : 0
    let t = e > 1e-12 ? (b * s + f) / e : 0
    if (t < 0 || t > 1 || e <= 1e-12) {
        t = clamp(t)
        s = a > 1e-12 ? clamp((b * t - c) / a) : 0
    }
    return Math.hypot(rx + s * d1x - t * d2x, ry + s * d1y - t * d2y, rz + s * d1z - t * d2z)
}

// The box around all joints, grown by the thickest bone.
export function bodyBox(person, frame) {
    const low = [Infinity, Infinity, Infinity], high = [-Infinity, -Infinity, -Infinity], p = person.positions
    for (let i = 0; i < person.joints.length; i++)
        for (let k = 0; k < 3; k++) {
            const value = p[at(person, frame, i) + k]
            low[k] = Math.min(low[k], value)
            high[k] = Math.max(high[k], value)
        }
    const thick = Math.max(...person.radii)
    return { low: low.map((x) => x - thick), high: high.map((x) => x + thick) }
}

function boxGap(a, b) {
    let gap = -Infinity
    for (let k = 0; k < 3; k++) gap = Math.max(gap, a.low[k] - b.high[k], b.low[k] - a.high[k])
    return gap
}

// The least distance of the capsules along the bones of two people; Infinity where it is more than NEAR.
export function limbDistance(a, b, frame) {
    if (boxGap(a.boxes[frame], b.boxes[frame]) > NEAR) return Infinity
    let least = Infinity
    a.bones.forEach(([i, j], m) => b.bones.forEach(([k, l], n) => {
        const distance = segmentDistance(a.positions, at(a, frame, i), at(a, frame, j), b.positions, at(b, frame, k), at(b, frame, l))
        least = Math.min(least, distance - a.radii[m] - b.radii[n])
    }))
    return least > NEAR ? Infinity : least
}

const point = (positions, i) => [positions[i], positions[i + 1], positions[i + 2]]

// How deep the bones are inside the triangles of the scene: 0 where nothing touches. Both ends and the middle of
// a bone are tried; a bone that goes through a triangle is in by its whole radius. What feet stand on is left out.
export function sceneDepth(person, frame, solids) {
    const box = person.boxes[frame], p = person.positions
    let deepest = 0
    for (const solid of solids)
        for (const triangle of solid.near(box.low, box.high)) {
            const a = 3 * triangle, level = Math.abs(solid.up[triangle]) > 0.7
            person.bones.forEach(([i, j], bone) => {
                const r = person.radii[bone], u = at(person, frame, i), v = at(person, frame, j)
                if (person.isFoot[bone] && (level || solid.high[a + 1] < Math.min(p[u + 1], p[v + 1]) + UNDER_FOOT)) return
                for (let k = 0; k < 3; k++)
                    if (solid.low[a + k] > Math.max(p[u + k], p[v + k]) + r || solid.high[a + k] < Math.min(p[u + k], p[v + k]) - r) return
                const from = point(p, u), to = point(p, v), middle = from.map((x, k) => (x + to[k]) / 2)
                let depth = crosses(from, to, solid.triangles, 9 * triangle) ? r : 0
                for (const place of [from, middle, to]) depth = Math.max(depth, r - distanceToTriangle(place, solid.triangles, 9 * triangle))
                deepest = Math.max(deepest, depth)
            })
        }
    return deepest
}

// Height of a joint of a foot above the floor under it, less its height at rest: negative below the floor.
function footHeight(person, frame, joint, solids) {
    const i = at(person, frame, joint), p = person.positions
    let floor = -Infinity
    for (const solid of solids) floor = Math.max(floor, solid.floor(p[i], p[i + 1] + KNEE, p[i + 2]))
    return p[i + 1] - floor - person.rest[joint][1]
}

// Ball and tip of the feet below the floor [m, >= 0], and whether the body has no floor within reach of its legs.
export function floorState(person, frame, solids) {
    let below = 0, held = false
    for (const [, ball, tip] of person.feet)
        for (const joint of [ball, tip]) {
            const height = footHeight(person, frame, joint, solids)
            below = Math.max(below, -height)
            held = held || height < 0.25
        }
    return { below, held }
}

// The furthest that a foot slides while it stands flat: of heel (the ankle), ball and tip the one that moves least,
// because a foot may turn about any of them. The first and the last frame of a stand are left out: there the foot is
// still landing, or leaving.
export function footSlides(person, frames, solidsAt, see) {
    const p = person.positions
    for (const [side, foot] of person.feet.entries()) {
        let begin = -1
        for (let frame = 0; frame < frames; frame++) {
            const flat = foot.slice(0, 2).every((joint) => Math.abs(footHeight(person, frame, joint, solidsAt(frame))) < FLAT)
            if (!flat) begin = -1
            else if (begin < 0) begin = frame + 1
            const last = frame - 1
            if (begin < 0 || last <= begin) continue
            const drift = foot.map((joint) => {
                const i = at(person, begin, joint), j = at(person, last, joint)
                return Math.hypot(p[j] - p[i], p[j + 2] - p[i + 2])
            })
            see(Math.min(...drift), { frame: last, foot: side ? 'right' : 'left' })
        }
    }
}

// How long a person stood before `end` (frames): in all and at a stretch, measured over a quarter of a second.
export function standing(person, end, rate) {
    const step = Math.max(1, Math.round(rate / 4)), p = person.positions
    let all = 0, longest = 0, stretch = 0
    for (let frame = step; frame < end; frame += step) {
        const i = at(person, frame - step, 0), j = at(person, frame, 0)
        const still = Math.hypot(p[j] - p[i], p[j + 2] - p[i + 2]) < (STILL * step) / rate
        stretch = still ? stretch + step / rate : 0
        all += still ? step / rate : 0
        longest = Math.max(longest, stretch)
    }
    return { all, longest }
}

// Does a person stand at `frame`, over the quarter of a second that follows (or, at the end, went before)?
export function stands(person, frame, frames, rate) {
    const step = Math.max(1, Math.round(rate / 4)), from = Math.max(0, Math.min(frame, frames - 1 - step)), p = person.positions
    const i = at(person, from, 0), j = at(person, Math.min(frames - 1, from + step), 0)
    return Math.hypot(p[j] - p[i], p[j + 2] - p[i + 2]) < (STILL * step) / rate
}

// How far the hips are from a goal [x, z] or [x, y, z]; on another storey, Infinity.
export function goalDistance(person, frame, goal) {
    const i = at(person, frame, 0), p = person.positions, z = goal[goal.length - 1]
    if (goal.length === 3 && Math.abs(p[i + 1] - person.hips - goal[1]) > STOREY) return Infinity
    return Math.hypot(p[i] - goal[0], p[i + 2] - z)
}
