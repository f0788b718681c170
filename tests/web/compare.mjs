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

// Are our joints at rest as far from each other as in the pose in which three.js binds the skins?
function standsAsBound({ gltf, nodes, names }, figure) {
    const bound = new Map();
    gltf.scene.traverse((object) => {
        if (!object.isSkinnedMesh) return;
        object.skeleton.bones.forEach((bone, i) => {
            const place = object.skeleton.boneInverses[i].clone().invert();
            bound.set(nodes.indexOf(bone), { mesh: object.skeleton, at: [12, 13, 14].map((k) => place.elements[k]) });
        });
    });
    const joints = figure.joints.map((joint, i) => ({ i, bone: bound.get(candidates(names, joint)[0]) })).filter(({ bone }) => bone);
    const size = sizeOf([figure.rest]), at = (i) => figure.rest.points.slice(i * 6, i * 6 + 3);
    const gap = (a, b) => Math.hypot(...[0, 1, 2].map((k) => a[k] - b[k]));
    let scale = 0, worst = 0, compared = 0;
    for (const a of joints)
        for (const b of joints) {
            if (a.bone.mesh !== b.bone.mesh) continue;
            const ours = gap(at(a.i), at(b.i)), theirs = gap(a.bone.at, b.bone.at);
            if (!scale && theirs > 0) scale = ours / theirs;
            worst = Math.max(worst, Math.abs(ours - scale * theirs) / size);
            compared++;
        }
    return compared > 100 && worst <= 1e-3;
}

async function compareGltf(file, figures) {
    const theirs = await load(file);
    let worst = 0, count = 0, clips = 0;
    const take = (figure, frames, points) => {
        const off = worstOf(figure, frames, theirs.names, points);
        if (!(off <= worst)) worst = off;
        count += frames.length * figure.joints.length;
    };
    // Our rest pose is the one in which the meshes were bound; most files hold that in their nodes, too. Where the nodes
    // hold another pose, clips tell whether the joints are right.
    const nodes = pointsOf(theirs);
    for (const figure of figures)
        if (worstOf(figure, [figure.rest], theirs.names, [nodes]) <= limit || !figure.clips.length || !standsAsBound(theirs, figure))
            take(figure, [figure.rest], [nodes]);
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
