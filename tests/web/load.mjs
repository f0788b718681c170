// node load.mjs FILE [TIME...]: what three.js makes of a glTF or GLB file, as JSON: how many skinned meshes and animations
// there are, and where every node is at rest and while each animation plays, at the times given [s from its first key].
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AnimationMixer, LoopOnce, Vector3 } from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

// What three.js expects of a browser.
globalThis.self ??= globalThis;
globalThis.ProgressEvent ??= class extends Event {};
const moves = /\.(position|quaternion|scale)$/;

// Buffers beside the file move into it, and pictures out of it unless they are wanted: node has no fetch for files and no
// images.
export function prepare(file, withPictures = false) {
    const bytes = readFileSync(file);
    const isBinary = bytes.toString('latin1', 0, 4) === 'glTF';
    const jsonEnd = isBinary ? 20 + bytes.readUInt32LE(12) : bytes.length;
    const json = JSON.parse(bytes.toString('utf8', isBinary ? 20 : 0, jsonEnd));
    for (const material of withPictures ? [] : json.materials ?? []) {
        for (const key of ['normalTexture', 'occlusionTexture', 'emissiveTexture']) delete material[key];
        const look = material.pbrMetallicRoughness ?? {};
        for (const key of ['baseColorTexture', 'metallicRoughnessTexture']) delete look[key];
    }
    for (const [i, buffer] of (json.buffers ?? []).entries()) {
        const inside = isBinary && i === 0 && !buffer.uri;
        if (buffer.uri?.startsWith('data:')) continue;
        const data = inside ? bytes.subarray(jsonEnd + 8) : readFileSync(join(dirname(file), decodeURIComponent(buffer.uri)));
        buffer.uri = 'data:application/octet-stream;base64,' + data.subarray(0, buffer.byteLength).toString('base64');
    }
    return JSON.stringify(json);
}

export async function load(file) {
    const gltf = await new GLTFLoader().parseAsync(prepare(file), '');
    const nodes = [];
    for (const [object, place] of gltf.parser.associations)
        if (place?.nodes !== undefined && object.isObject3D)
            nodes[place.nodes] ??= object;
    return { gltf, nodes, names: (gltf.parser.json.nodes ?? []).map((node) => node.name ?? '') };
}

// The time of the first key that moves, turns or scales a node.
export function beginOf(clip) {
    return Math.min(...clip.tracks.filter((track) => moves.test(track.name)).map((track) => track.times[0]));
}

// A key within rounding of the time is that time: keys are single floats, and a step happens at the key.
function nearKey(clip, time) {
    for (const track of clip.tracks)
        for (const key of track.times)
            if (Math.abs(key - time) < 1e-5) return key;
    return time;
}

// Two points of each node: its origin and (0.3, 0.5, 0.7) in its axes, six numbers together.
export function pointsOf({ gltf, nodes }) {
    for (const node of nodes) node.quaternion.normalize(); // some files round them to three digits
    gltf.scene.updateMatrixWorld(true);
    return nodes.map((node) => [...node.localToWorld(new Vector3()).toArray(),
                                ...node.localToWorld(new Vector3(0.3, 0.5, 0.7)).toArray()]);
}

// The points of all nodes at each time since the first key.
export function play(loaded, clip, times) {
    const mixer = new AnimationMixer(loaded.gltf.scene);
    const action = mixer.clipAction(clip);
    action.setLoop(LoopOnce);
    action.clampWhenFinished = true;
    const begin = beginOf(clip);
    const frames = times.map((time) => {
        action.reset().play();
        mixer.setTime(nearKey(clip, begin + time));
        return pointsOf(loaded);
    });
    action.stop();
    return frames;
}

// Names may stand in the file more than once, and are unique in ours: any node of that name that does the same will do.
export function candidates(names, joint) {
    const plain = joint.replace(/_\d+(?=(_end)?$)/, '');
    const found = [];
    names.forEach((name, i) => {
        if (name === joint || name === plain || `node_${i}` === joint) found.push(i);
    });
    return found;
}

export function countSkinned(gltf) {
    let count = 0;
    gltf.scene.traverse((object) => (count += object.isSkinnedMesh ? 1 : 0));
    return count;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    const loaded = await load(process.argv[2]);
    const times = process.argv.slice(3).map(Number);
    console.log(JSON.stringify({
        skinned_meshes: countSkinned(loaded.gltf),
        nodes: loaded.names,
        rest: pointsOf(loaded),
        animations: loaded.gltf.animations.map((clip) => ({
            name: clip.name,
            duration: clip.duration,
            frames: play(loaded, clip, times).map((points, i) => ({ time: times[i], points })),
        })),
    }));
}
