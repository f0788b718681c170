#!/usr/bin/env node
// crowds.mjs TROUPE [--seeds N] [--first SEED] [--only KIND,...] [--keep FOLDER]: plays the crowds that people get stuck in,
// and has each of them judged. A table, then "N passed, N failed, N skipped"; exit status 1 when one failed.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// Widths and lengths in metres; `flow`: least and most people a second through x = 0.
const crowds = [
    { kind: 'corridor', people: 10 },
    { kind: 'corridor', people: 40 },
    { kind: 'swap', people: 8, width: 0.9 },
    { kind: 'swap', people: 8, width: 1 },
    { kind: 'swap', people: 8, width: 1.5 },
    { kind: 'swap', people: 8, width: 3 },
    { kind: 'door', people: 60, flow: [1.0, 1.9] },
    { kind: 'crossing', people: 60 },
    { kind: 'bridge', people: 10 },
    { kind: 'plaza', people: 50 },
    { kind: 'office', people: 40 },
    { kind: 'maze', people: 20 },
    { kind: 'house', people: 10 },
    { kind: 'stairs', people: 10 },
]

const here = dirname(fileURLToPath(import.meta.url))
const [troupe, ...words] = process.argv.slice(2)
const options = { seeds: 1, first: 1, only: null, keep: null }
for (let i = 0; i < words.length; i += 2) {
    const name = words[i].replace(/^--/, '')
    if (!(name in options) || words[i + 1] === undefined) usage()
    options[name] = name === 'seeds' || name === 'first' ? Number(words[i + 1]) : words[i + 1]
}
if (!troupe) usage()

function usage() {
    console.error('usage: crowds.mjs TROUPE [--seeds N] [--first SEED] [--only KIND,...] [--keep FOLDER]')
    process.exit(2)
}

const run = (program, ...rest) => spawnSync(program, rest, { encoding: 'utf8', maxBuffer: 1 << 28 })

// The report of the judge with the sentences of `play`; or a sentence.
function play(folder, crowd, seed) {
    const name = join(folder, `${crowd.kind}${crowd.people}${crowd.width ? `w${crowd.width}` : ''}-${seed}`)
    const size = crowd.width ? ['--width', String(crowd.width)] : []
    const made = run(troupe, 'gen', 'crowd', '--kind', crowd.kind, '--people', String(crowd.people), '--seed', String(seed), ...size, '-o', `${name}.json`)
    if (made.status !== 0) return { sentence: made.stderr.trim() }
    const begin = Date.now(), played = run(troupe, 'play', `${name}.json`, '-o', `${name}.glb`, '--report', `${name}-report.json`)
    const seconds = (Date.now() - begin) / 1000
    if (played.status !== 0 && played.status !== 1) return { sentence: played.stderr.trim() || `play ended with ${played.status ?? played.signal}` }
    const judged = run(process.execPath, join(here, 'judge.mjs'), `${name}.glb`, `${name}.json`, ...(crowd.flow ? ['--gate', '0'] : []))
    if (judged.status !== 0 && judged.status !== 1) return { sentence: judged.stderr.trim() }
    const report = JSON.parse(judged.stdout)
    report.orders = JSON.parse(readFileSync(`${name}-report.json`, 'utf8')).actors.map(({ name, orders }) => ({ name, ...orders[orders.length - 1] }))
    return { report, seconds }
}

// An order that ended with a reason is no failure of those who did not arrive; the reason is shown.
function findFaults(crowd, report) {
    const reasons = new Map(report.orders.filter(({ reason }) => reason).map(({ name, reason }) => [name, reason]))
    const lost = report.people.filter(({ name, arrived }) => !arrived && !reasons.has(name))
    const faults = report.broken.filter((sentence) => !sentence.includes('have not arrived'))
    if (lost.length) faults.push(`${lost.length} neither arrived nor ended with a reason: ${lost.slice(0, 3).map(({ name }) => name).join(', ')}`)
    if (crowd.flow && !(report.flow.value >= crowd.flow[0] && report.flow.value <= crowd.flow[1]))
        faults.push(`${report.flow.value && report.flow.value.toFixed(2)} people a second pass, it should be ${crowd.flow.join(' to ')}`)
    return { faults, reasons }
}

const row = (...cells) => console.log(cells.map((cell, i) => (i ? String(cell).padStart(9) : String(cell).padEnd(22))).join(' '))
const number = (value, digits) => (value === null || value === undefined ? '-' : value.toFixed(digits))

const folder = options.keep || mkdtempSync(join(tmpdir(), 'troupe-crowds-'))
mkdirSync(folder, { recursive: true })
let passed = 0, failed = 0
row('crowd', 'arrived', 'seconds', 'took s', 'discs m', 'limbs m', 'slide mm', 'scene mm', 'below mm', 'still s', 'flow')
for (const crowd of crowds.filter(({ kind }) => !options.only || options.only.split(',').includes(kind)))
    for (let seed = options.first; seed < options.first + options.seeds; seed++) {
        const label = `${crowd.kind} ${crowd.people}${crowd.width ? ` ${crowd.width} m` : ''} #${seed}`
        const { report, seconds, sentence } = play(folder, crowd, seed)
        if (sentence) {
            failed++
            console.log(`FAILED  ${label}: ${sentence}`)
            continue
        }
        const { faults, reasons } = findFaults(crowd, report)
        row(label, `${report.arrived}/${report.people.length}`, number(report.seconds, 0), number(seconds, 1), number(report.discs.value, 3),
            number(report.limbs.value, 3), number(report.slide.value, 1), number(report.scene.value, 0), number(report.below.value, 1),
            number(Math.max(...report.people.map((person) => person.longest_still_s)), 0), number(report.flow && report.flow.value, 2))
        for (const [name, reason] of reasons) console.log(`        ${name}: ${reason}`)
        for (const fault of faults) console.log(`FAILED  ${label}: ${fault}`)
        if (faults.length) failed++
        else passed++
    }
if (!options.keep) rmSync(folder, { recursive: true })
console.log(`${passed} passed, ${failed} failed, 0 skipped`)
process.exitCode = failed ? 1 : 0
