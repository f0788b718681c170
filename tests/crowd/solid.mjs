// The triangles of a scene, found by place: what is near a box, where the floor is, how far a point is off.

export function distanceToTriangle(p, t, at) {
    // Ericson, Real-Time Collision Detection, 5.1.5: the region of the triangle that the point is nearest to.
    const ax = t[at], ay = t[at + 1], az = t[at + 2]
    const abx = t[at + 3] - ax, aby = t[at + 4] - ay, abz = t[at + 5] - az
    const acx = t[at + 6] - ax, acy = t[at + 7] - ay, acz = t[at + 8] - az
    const apx = p[0] - ax, apy = p[1] - ay, apz = p[2] - az
    const off = (u, v) => Math.hypot(apx - u * abx - v * acx, apy - u * aby - v * acy, apz - u * abz - v * acz)
    const d1 = abx * apx + aby * apy + abz * apz, d2 = acx * apx + acy * apy + acz * apz
    if (d1 <= 0 && d2 <= 0) return off(0, 0)
    const bpx = apx - abx, bpy = apy - aby, bpz = apz - abz
    const d3 = abx * bpx + aby * bpy + abz * bpz, d4 = acx * bpx + acy * bpy + acz * bpz
    if (d3 >= 0 && d4 <= d3) return off(1, 0)
    const vc = d1 * d4 - d3 * d2
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return off(d1 / (d1 - d3), 0)
    const cpx = apx - acx, cpy = apy - acy, cpz = apz - acz
    const d5 = abx * cpx + aby * cpy + abz * cpz, d6 = acx * cpx + acy * cpy + acz * cpz
    if (d6 >= 0 && d5 <= d6) return off(0, 1)
    const vb = d5 * d2 - d1 * d6
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return off(0, d2 / (d2 - d6))
    const va = d3 * d6 - d5 * d4
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) {
        const w = (d4 - d3) / (d4 - d3 + d5 - d6)
        return off(1 - w, w)
    }
    const sum = va + vb + vc
    return sum > 0 ? off(vb / sum, vc / sum) : off(0, 0)
}

// Does the line from p to q go through the triangle? Möller and Trumbore.
export function crosses(p, q, t, at) {
    const dx = q[0] - p[0], dy = q[1] - p[1], dz = q[2] - p[2]
    const e1x = t[at + 3] - t[at], e1y = t[at + 4] - t[at + 1], e1z = t[at + 5] - t[at + 2]
    const e2x = t[at + 6] - t[at], e2y = t[at + 7] - t[at + 1], e2z = t[at + 8] - t[at + 2]
    const hx = dy * e2z - dz * e2y, hy = dz * e2x - dx * e2z, hz = dx * e2y - dy * e2x
    const det = e1x * hx + e1y * hy + e1z * hz
    if (Math.abs(det) < 1e-14) return false
    const sx = p[0] - t[at], sy = p[1] - t[at + 1], sz = p[2] - t[at + 2]
    const u = (sx * hx + sy * hy + sz * hz) / det
    if (u < 0 || u > 1) return false
    const qx = sy * e1z - sz * e1y, qy = sz * e1x - sx * e1z, qz = sx * e1y - sy * e1x
    const v = (dx * qx + dy * qy + dz * qz) / det
    if (v < 0 || u + v > 1) return false
    const along = (e2x * qx + e2y * qy + e2z * qz) / det
    return along >= 0 && along <= 1
}

const CELL = 1 // of the index [m]

export class Solid {
    // `triangles`: nine numbers each, in the world.
    constructor(triangles) {
        this.triangles = triangles
        this.count = triangles.length / 9
        this.low = new Float64Array(3 * this.count)
        this.high = new Float64Array(3 * this.count)
        this.up = new Float64Array(this.count) // y of the normal
        this.cells = new Map()
        for (let i = 0; i < this.count; i++) this.add(i)
    }

    add(i) {
        const t = this.triangles, at = 9 * i
        for (let k = 0; k < 3; k++) {
            this.low[3 * i + k] = Math.min(t[at + k], t[at + 3 + k], t[at + 6 + k])
            this.high[3 * i + k] = Math.max(t[at + k], t[at + 3 + k], t[at + 6 + k])
        }
        const ux = t[at + 3] - t[at], uy = t[at + 4] - t[at + 1], uz = t[at + 5] - t[at + 2]
        const vx = t[at + 6] - t[at], vy = t[at + 7] - t[at + 1], vz = t[at + 8] - t[at + 2]
        const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx
        const length = Math.hypot(nx, ny, nz)
        this.up[i] = length > 0 ? ny / length : 0
        for (let x = Math.floor(this.low[3 * i] / CELL); x <= Math.floor(this.high[3 * i] / CELL); x++)
            for (let z = Math.floor(this.low[3 * i + 2] / CELL); z <= Math.floor(this.high[3 * i + 2] / CELL); z++) {
                const key = x * 1048576 + z
                if (!this.cells.has(key)) this.cells.set(key, [])
                this.cells.get(key).push(i)
            }
    }

    // Triangles whose box meets the box [low, high].
    near(low, high) {
        const found = new Set()
        for (let x = Math.floor(low[0] / CELL); x <= Math.floor(high[0] / CELL); x++)
            for (let z = Math.floor(low[2] / CELL); z <= Math.floor(high[2] / CELL); z++)
                for (const i of this.cells.get(x * 1048576 + z) || []) {
                    const a = 3 * i
                    if (this.low[a] <= high[0] && this.high[a] >= low[0] && this.low[a + 1] <= high[1] &&
                        this.high[a + 1] >= low[1] && this.low[a + 2] <= high[2] && this.high[a + 2] >= low[2])
                        found.add(i)
                }
        return found
    }

    // The highest level face (less steep than 45 degrees) under (x, z) that is no higher than y; -Infinity: none.
    floor(x, y, z) {
        const t = this.triangles
        let highest = -Infinity
        for (const i of this.cells.get(Math.floor(x / CELL) * 1048576 + Math.floor(z / CELL)) || []) {
            if (Math.abs(this.up[i]) < 0.7 || this.low[3 * i + 1] > y) continue
            const at = 9 * i, side = (a, b) => (t[at + b] - t[at + a]) * (z - t[at + a + 2]) - (t[at + b + 2] - t[at + a + 2]) * (x - t[at + a])
            const c = side(0, 3), a = side(3, 6), b = side(6, 0), sum = a + b + c
            if (!((a >= 0 && b >= 0 && c >= 0) || (a <= 0 && b <= 0 && c <= 0)) || sum === 0) continue
            const height = (a * t[at + 1] + b * t[at + 4] + c * t[at + 7]) / sum
            if (height <= y && height > highest) highest = height
        }
        return highest
    }
}
