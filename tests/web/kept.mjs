// node kept.mjs POSITIONS CHARACTER RESULT MOTION.bvh: has RESULT, the character after `troupe convert --to`, everything that three.js
// finds in CHARACTER (meshes with every attribute and morph target, materials, textures and their pictures, cameras, its
// own animations), and are its joints where MOTION has them? MOTION is the same motion on the same character, as BVH in
// metres; POSITIONS is the program made of positions.c. Does the validator have no more to say about RESULT than about CHARACTER? Ends with "N passed, N failed, N skipped".
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Texture } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import validator from 'gltf-validator';
import { candidates, load, play, prepare } from './load.mjs';

const [program, character, result, motion] = process.argv.slice(2);
const limit = 1e-4; // [m]
const digest = (data) => createHash('sha256').update(data).digest('hex').slice(0, 16);
const digestArray = ({ array }) => digest(new Uint8Array(array.buffer, array.byteOffset, array.byteLength));

// Node shows no pictures: a texture carries the digest of its picture instead.
async function readPicture(parser, file, { uri, bufferView }) {
    if (bufferView !== undefined) return new Uint8Array(await parser.getDependency('bufferView', bufferView));
    if (uri.startsWith('data:')) return Buffer.from(uri.slice(uri.indexOf(',') + 1), 'base64');
    return readFileSync(join(dirname(file), decodeURIComponent(uri)));
}
async function loadWhole(file) {
    const loader = new GLTFLoader();
    loader.register((parser) => ({
        name: 'pictures',
        async loadTexture(number) {
            const { source } = parser.json.textures[number];
            const texture = new Texture();
            texture.userData.picture = digest(await readPicture(parser, file, parser.json.images[source]));
            return texture;
        },
    }));
    return loader.parseAsync(prepare(file, true), '');
}

function describeMaterial(material) {
    const facts = { type: material.type, name: material.name };
    for (const [key, value] of Object.entries(material))
        if (value?.isTexture) facts[key] = value.userData.picture;
        else if (value?.isColor) facts[key] = value.getHex();
        else if (['number', 'boolean'].includes(typeof value) && !['id', 'version', '_listeners'].includes(key)) facts[key] = value;
    return facts;
}
function describe(gltf) {
    const facts = { meshes: [], cameras: gltf.cameras.length, animations: [] };
    gltf.scene.traverse((object) => {
        if (!object.isMesh) return;
        const { attributes, morphAttributes, index } = object.geometry;
        facts.meshes.push({
            name: object.name,
            skinned: object.isSkinnedMesh === true,
            bones: object.skeleton?.bones.map(({ name }) => name),
            attributes: Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, digestArray(value)])),
            morphs: Object.entries(morphAttributes).map(([key, list]) => [key, list.map(digestArray)]),
            weights: object.morphTargetInfluences,
            index: index && digestArray(index),
            material: describeMaterial(object.material),
        });
    });
    // three.js names those without a name by their number, which the new one shifts.
    for (const { name, tracks } of gltf.animations)
        facts.animations.push([name.replace(/^animation_\d+$/, ''), ...tracks.map(({ name, times, values }) =>
            [name, digestArray({ array: times }), digestArray({ array: values })])]);
    return facts;
}

async function compareContent() {
    const before = describe(await loadWhole(character)), after = describe(await loadWhole(result));
    after.animations.shift(); // the new one
    if (JSON.stringify(before) !== JSON.stringify(after)) {
        for (const [i, mesh] of before.meshes.entries())
            if (JSON.stringify(mesh) !== JSON.stringify(after.meshes[i]))
                throw new Error(`a mesh differs:\n${JSON.stringify(mesh)}\n${JSON.stringify(after.meshes[i])}`);
        throw new Error('cameras or animations differ');
    }
    const count = (test) => before.meshes.filter(test).length;
    return `${before.meshes.length} meshes (${count(({ skinned }) => skinned)} skinned, ${count(({ morphs }) => morphs.length)} with ` +
        `morph targets, ${count(({ attributes }) => attributes.uv)} with UVs, ${count(({ material }) => material.map)} with a ` +
        `texture), ${before.animations.length} own animations`;
}

async function comparePlaces() {
    const theirs = await load(result);
    const [{ joints, clips: [{ frames }] }] = JSON.parse(execFileSync(program, [motion, '12'], { maxBuffer: 1 << 28, encoding: 'utf8' }));
    const places = play(theirs, theirs.gltf.animations[0], frames.map(({ time }) => time));
    let worst = 0, count = 0;
    joints.forEach((joint, i) => {
        const nodes = candidates(theirs.names, joint);
        if (nodes.length === 0) return; // BVH adds ends of bones
        const offs = nodes.map((node) => Math.max(...frames.map(({ points }, k) =>
            Math.hypot(...[0, 1, 2].map((axis) => points[i * 6 + axis] - places[k][node][axis])))));
        const off = Math.min(...offs);
        if (!(off <= worst)) worst = off;
        count++;
    });
    if (!(worst <= limit && count > 15)) throw new Error(`of ${count} joints, the worst is ${worst} m off`);
    return `${count} joints in ${frames.length} frames, the worst ${worst.toExponential(1)} m off`;
}

async function judge(file) {
    const { issues } = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
        uri: file,
        maxIssues: 0,
        externalResourceFunction: async (uri) => new Uint8Array(readFileSync(join(dirname(file), decodeURIComponent(uri)))),
    });
    return issues;
}
async function compareOpinions() {
    const before = await judge(character), after = await judge(result);
    for (const key of ['numErrors', 'numWarnings'])
        if (after[key] > before[key]) throw new Error(`${key} is ${after[key]}, it was ${before[key]}`);
    return `${after.numErrors} errors and ${after.numWarnings} warnings, the character had ${before.numErrors} and ${before.numWarnings}`;
}

let passed = 0, failed = 0;
for (const check of [compareContent, comparePlaces, compareOpinions]) {
    try {
        console.log(`ok      ${basename(result)}: ${await check()}`);
        passed++;
    } catch (error) {
        console.log(`FAILED  ${basename(result)}: ${error.message}`);
        failed++;
    }
}
console.log(`${passed} passed, ${failed} failed, 0 skipped`);
process.exit(failed > 0 ? 1 : 0);
