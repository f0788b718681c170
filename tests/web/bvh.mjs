// node bvh.mjs FILE [FRAME...]: what three.js makes of a BVH file, as JSON: where every joint is in the frames given.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { Vector3 } from 'three';
import { BVHLoader } from 'three/addons/loaders/BVHLoader.js';

export function loadBvh(file) {
    const { skeleton, clip } = new BVHLoader().parse(readFileSync(file, 'utf8'));
    const bones = skeleton.bones;
    const tracks = new Map(clip.tracks.map((track) => [track.name, track]));
    return {
        names: bones.map((bone) => bone.name),
        frameCount: clip.tracks[0]?.times.length ?? 0,
        frameTime: clip.tracks[0]?.times.length > 1 ? clip.tracks[0].times[1] : 0,
        // Two points of each joint, ends included, in the order of the file: see load.mjs.
        points(frame) {
            for (const bone of bones) {
                const position = tracks.get(`${bone.name}.position`), turn = tracks.get(`${bone.name}.quaternion`);
                if (position) bone.position.fromArray(position.values, frame * 3);
                if (turn) bone.quaternion.fromArray(turn.values, frame * 4);
            }
            for (const bone of bones)
                if (!bone.parent) bone.updateMatrixWorld(true);
            return bones.map((bone) => [...bone.localToWorld(new Vector3()).toArray(),
                                        ...bone.localToWorld(new Vector3(0.3, 0.5, 0.7)).toArray()]);
        },
    };
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    const bvh = loadBvh(process.argv[2]);
    const frames = process.argv.slice(3).map((frame) => ({ frame: Number(frame), points: bvh.points(Number(frame)) }));
    console.log(JSON.stringify({ joints: bvh.names, frames: bvh.frameCount, frame_time: bvh.frameTime, points: frames }));
}
