// A reader of GLB files, written from the glTF 2.0 specification alone: node tree, skins, triangle meshes and
// one animation, sampled at any time. Nothing of it is taken from the library that wrote the file.
import { readFileSync } from 'node:fs'

const components = { SCALAR: 1, VEC2: 2, VEC3: 3, VEC4: 4, MAT4: 16 }
const arrays = { 5120: Int8Array, 5121: Uint8Array, 5122: Int16Array, 5123: Uint16Array, 5125: Uint32Array, 5126: Float32Array }

export function readGlb(path) {
    const file = readFileSync(path)
    if (file.length < 20 || file.readUInt32LE(0) !== 0x46546c67 || file.readUInt32LE(4) !== 2)
        throw new Error(`${path} is not a GLB file of version 2`)
    let json = null, binary = null
    for (let at = 12; at + 8 <= file.length;) {
        const size = file.readUInt32LE(at), kind = file.readUInt32LE(at + 4)
        const chunk = file.subarray(at + 8, at + 8 + size)
        if (kind === 0x4e4f534a) json = JSON.parse(chunk.toString('utf8'))
        if (kind === 0x004e4942) binary = chunk
        at += 8 + size
    }
    if (!json) throw new Error(`${path} has no JSON chunk`)
    return { json, binary }
}

// The values of an accessor as one flat array of numbers.
export function readAccessor(glb, index) {
    const accessor = glb.json.accessors[index], view = glb.json.bufferViews[accessor.bufferView]
    const width = components[accessor.type], Type = arrays[accessor.componentType]
    const begin = glb.binary.byteOffset + (view.byteOffset || 0) + (accessor.byteOffset || 0)
    const stride = view.byteStride || width * Type.BYTES_PER_ELEMENT
    const values = new Float64Array(accessor.count * width)
    const bytes = new DataView(glb.binary.buffer)
    const read = {
        5120: (at) => bytes.getInt8(at), 5121: (at) => bytes.getUint8(at), 5122: (at) => bytes.getInt16(at, true),
        5123: (at) => bytes.getUint16(at, true), 5125: (at) => bytes.getUint32(at, true), 5126: (at) => bytes.getFloat32(at, true),
    }[accessor.componentType]
    const largest = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 }[accessor.componentType]
    for (let i = 0; i < accessor.count; i++)
        for (let k = 0; k < width; k++) {
            const value = read(begin + i * stride + k * Type.BYTES_PER_ELEMENT)
            values[i * width + k] = accessor.normalized ? value / largest : value
        }
    return values
}

// --- Transforms: 12 numbers, the rows of a 3 x 4 matrix. ---

function compose(t, q, s) {
    const [x, y, z, w] = q
    return [
        (1 - 2 * (y * y + z * z)) * s[0], 2 * (x * y - z * w) * s[1], 2 * (x * z + y * w) * s[2], t[0],
        2 * (x * y + z * w) * s[0], (1 - 2 * (x * x + z * z)) * s[1], 2 * (y * z - x * w) * s[2], t[1],
        2 * (x * z - y * w) * s[0], 2 * (y * z + x * w) * s[1], (1 - 2 * (x * x + y * y)) * s[2], t[2],
    ]
}

export function multiply(a, b) {
    const c = new Array(12)
    for (let row = 0; row < 12; row += 4)
        for (let column = 0; column < 4; column++)
            c[row + column] = a[row] * b[column] + a[row + 1] * b[4 + column] + a[row + 2] * b[8 + column] +
                (column === 3 ? a[row + 3] : 0)
    return c
}

export function apply(m, x, y, z) {
    return [m[0] * x + m[1] * y + m[2] * z + m[3], m[4] * x + m[5] * y + m[6] * z + m[7], m[8] * x + m[9] * y + m[10] * z + m[11]]
}

// The inverse of a column-major 4 x 4 matrix that is affine, as rows.
export function invertColumns(m) {
    const [a, d, g, , b, e, h, , c, f, i, , x, y, z] = m
    const k = 1 / (a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g))
    const r = [(e * i - f * h) * k, (c * h - b * i) * k, (b * f - c * e) * k, (f * g - d * i) * k, (a * i - c * g) * k,
        (c * d - a * f) * k, (d * h - e * g) * k, (b * g - a * h) * k, (a * e - b * d) * k]
    return [r[0], r[1], r[2], -(r[0] * x + r[1] * y + r[2] * z), r[3], r[4], r[5], -(r[3] * x + r[4] * y + r[5] * z),
        r[6], r[7], r[8], -(r[6] * x + r[7] * y + r[8] * z)]
}

// --- Animation ---

// Where `time` lies between the keys: the first of the two and the share of the second.
function locate(times, time) {
    const last = times.length - 1
    if (time <= times[0]) return [0, 0]
    if (time >= times[last]) return [last, 0]
    let low = 0, high = last
    while (high - low > 1) {
        const middle = (low + high) >> 1
        if (times[middle] <= time) low = middle
        else high = middle
    }
    return [low, (time - times[low]) / (times[high] - times[low])]
}

function blendTurns(a, i, j, share) {
    let dot = 0
    for (let k = 0; k < 4; k++) dot += a[4 * i + k] * a[4 * j + k]
    const sign = dot < 0 ? -1 : 1
    dot *= sign
    let u = 1 - share, v = share
    if (dot < 0.9999) {
        const angle = Math.acos(dot), sine = Math.sin(angle)
        u = Math.sin((1 - share) * angle) / sine
        v = Math.sin(share * angle) / sine
    }
    const q = [0, 0, 0, 0]
    for (let k = 0; k < 4; k++) q[k] = u * a[4 * i + k] + v * sign * a[4 * j + k]
    const length = Math.hypot(...q)
    return q.map((value) => value / length)
}

function sampleTrack(track, time) {
    const [i, share] = locate(track.times, time), width = track.width, values = track.values
    if (track.mode === 'CUBICSPLINE') throw new Error('animations with cubic splines are not read')
    if (share === 0 || track.mode === 'STEP') return Array.from(values.subarray(i * width, (i + 1) * width))
    if (width === 4) return blendTurns(values, i, i + 1, share)
    const blended = new Array(width)
    for (let k = 0; k < width; k++) blended[k] = values[i * width + k] * (1 - share) + values[(i + 1) * width + k] * share
    return blended
}

// The file as something that can be asked where its nodes are at a time.
export class Shot {
    constructor(glb) {
        const { nodes, animations } = glb.json
        this.glb = glb
        this.nodes = nodes
        this.parents = new Int32Array(nodes.length).fill(-1)
        nodes.forEach((node, i) => (node.children || []).forEach((child) => { this.parents[child] = i }))
        this.tracks = nodes.map(() => ({}))
        this.seconds = 0
        const animation = (animations || [])[0]
        const inputs = new Map()
        for (const { sampler, target } of animation ? animation.channels : []) {
            const { input, output, interpolation } = animation.samplers[sampler]
            if (!inputs.has(input)) inputs.set(input, readAccessor(glb, input))
            const times = inputs.get(input)
            this.tracks[target.node][target.path] = {
                times, values: readAccessor(glb, output), width: target.path === 'rotation' ? 4 : 3, mode: interpolation || 'LINEAR',
            }
            this.seconds = Math.max(this.seconds, times[times.length - 1])
        }
        this.rate = (animation && animation.extras && animation.extras.frames_per_second) || 30
        this.frames = Math.round(this.seconds * this.rate) + 1
        this.moves = nodes.map((_, i) => this.isMoved(i))
    }

    isMoved(node) {
        for (let i = node; i >= 0; i = this.parents[i]) if (Object.keys(this.tracks[i]).length) return true
        return false
    }

    local(node, time) {
        const { matrix, translation, rotation, scale } = this.nodes[node], track = this.tracks[node]
        if (matrix) return [matrix[0], matrix[4], matrix[8], matrix[12], matrix[1], matrix[5], matrix[9], matrix[13], matrix[2], matrix[6], matrix[10], matrix[14]]
        return compose(track.translation ? sampleTrack(track.translation, time) : translation || [0, 0, 0],
            track.rotation ? sampleTrack(track.rotation, time) : rotation || [0, 0, 0, 1],
            track.scale ? sampleTrack(track.scale, time) : scale || [1, 1, 1])
    }

    // In the world. `cache` (a Map) holds what is known at this time already.
    world(node, time, cache) {
        let m = cache.get(node)
        if (m) return m
        m = this.local(node, time)
        if (this.parents[node] >= 0) m = multiply(this.world(this.parents[node], time, cache), m)
        cache.set(node, m)
        return m
    }
}

// The triangles of a mesh in its own axes: nine numbers each.
export function meshTriangles(glb, mesh) {
    const corners = []
    for (const primitive of glb.json.meshes[mesh].primitives) {
        if ((primitive.mode ?? 4) !== 4) continue // lines show ways, they are nothing to run into
        const positions = readAccessor(glb, primitive.attributes.POSITION)
        const indices = primitive.indices === undefined ? null : readAccessor(glb, primitive.indices)
        const count = indices ? indices.length : positions.length / 3
        for (let i = 0; i < count; i++) {
            const at = 3 * (indices ? indices[i] : i)
            corners.push(positions[at], positions[at + 1], positions[at + 2])
        }
    }
    return Float64Array.from(corners)
}
