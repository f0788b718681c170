// node compare.mjs POSITIONS FILE...: are the joints of each BVH, glTF or GLB file where three.js has them? POSITIONS is
// the program made of positions.c. The largest distance may be 1e-4: of the file's units for BVH, of the size of the
// figure for glTF. Ends with "N passed, N failed, N skipped".
import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';
import { candidates, countSkinned, load, play, pointsOf } from './load.mjs';
import { loadBvh } from './bvh.mjs';

const [program, ...files] = process.argv.slice(2);
const limit = 1e-4;
// How far the two points of a joint are from theirs; NaN where one of them is not a number.
function distance(frame, joint, theirs) {
    const off = (from) => Math.hypot(...[0, 1, 2].map((k) => frame.points[joint * 6 + from + k] - theirs[from + k]));
    return Math.max(off(0), off(3));
}

function compareBvh(file, [figure]) {
    const theirs = loadBvh(file);
    const [clip] = figure.clips;
    if (theirs.names.length !== figure.joints.length)
        throw new Error(`${figure.joints.length} joints, three.js has ${theirs.names.length}`);
    let worst = 0, count = 0;
    for (const frame of clip.frames) {
        const points = theirs.points(Math.round(frame.time * clip.frames_per_second));
        for (let i = 0; i < points.length; i++, count++) {
            const off = distance(frame, i, points[i]);
            if (!(off <= worst)) worst = off; // NaN counts
        }
    }
    return { worst, count, what: `${figure.joints.length} joints, ${clip.frames.length} frames` };
}

function sizeOf(frames) {
    let size = 0;
    for (const frame of frames)
        for (const number of frame.points) size = Math.max(size, Math.abs(number));
    return size || 1;
}

// The largest distance of any joint in frames of ours from theirs, relative to the size of the figure.
function worstOf(figure, frames, names, theirs) {
    const size = sizeOf(frames);
    return figure.joints.reduce((worst, joint, i) => {
        const offs = candidates(names, joint).map((node) =>
            frames.reduce((most, frame, k) => Math.max(most, distance(frame, i, theirs[k][node])), 0));
        if (offs.length === 0) throw new Error(`three.js has no node "${joint}"`);
        const off = Math.min(...offs) / size;
        return off <= worst ? worst : off;
    }, 0);
}

async function compareGltf(file, figures) {
    const theirs = await load(file);
    let worst = 0, count = 0, clips = 0;
    const take = (figure, frames, points) => {
        const off = worstOf(figure, frames, theirs.names, points);
        if (!(off <= worst)) worst = off;
        count += frames.length * figure.joints.length;
    };
    for (const figure of figures) take(figure, [figure.rest], [pointsOf(theirs)]);
    for (const figure of figures)
        for (const clip of figure.clips) {
            const animation = theirs.gltf.animations.find(({ name }) => name === clip.name);
            if (!animation) throw new Error(`three.js has no animation "${clip.name}"`);
            take(figure, clip.frames, play(theirs, animation, clip.frames.map(({ time }) => time)));
            clips++;
        }
    return { worst, count, what: `${countSkinned(theirs.gltf)} skinned meshes, ${clips} clips` };
}

let passed = 0, failed = 0;
for (const file of files) {
    try {
        const ours = JSON.parse(execFileSync(program, [file, '40'], { maxBuffer: 1 << 30, encoding: 'utf8' }));
        const { worst, count, what } = file.endsWith('.bvh') ? compareBvh(file, ours) : await compareGltf(file, ours);
        const good = worst <= limit && count > 0;
        good ? passed++ : failed++;
        console.log(`${good ? 'ok     ' : 'FAILED '} ${basename(file)}: ${what}, ${count} joints placed, the worst ${worst.toExponential(1)} off`);
    } catch (error) {
        failed++;
        console.log(`FAILED  ${basename(file)}: ${error.message}`);
    }
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed > 0 ? 1 : 0);
