// node dress.mjs IN.glb FOLDER: makes a character with everything that must survive from one of ours: UVs, a texture, a
// morph target, a second mesh on the head, a camera, extras, and a larger body that stands below a matrix. It becomes
// FOLDER/dressed.gltf with a buffer and a picture beside it, and FOLDER/dressed.glb with both inside.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// 2 x 2 pixels: red, green, blue, white.
const picture = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEklEQVR4nGP4z8DAAMIM/4EIAB/uBfsQlV4PAAAAAElFTkSuQmCC', 'base64');
const FLOAT = 5126, VERTICES = 34962;

const [input, folder] = process.argv.slice(2);
const bytes = readFileSync(input);
const jsonEnd = 20 + bytes.readUInt32LE(12);
const json = JSON.parse(bytes.toString('utf8', 20, jsonEnd));
let buffer = Buffer.from(bytes.subarray(jsonEnd + 8, jsonEnd + 8 + json.buffers[0].byteLength));

function addView(data, target) {
    buffer = Buffer.concat([buffer, Buffer.alloc((4 - buffer.length % 4) % 4)]);
    json.bufferViews.push({ buffer: 0, byteOffset: buffer.length, byteLength: data.length, ...(target && { target }) });
    buffer = Buffer.concat([buffer, data]);
    return json.bufferViews.length - 1;
}
function addAccessor(type, width, values) {
    const floats = new Float32Array(values);
    const columns = Array.from({ length: width }, (_, k) => floats.filter((_, i) => i % width === k));
    const bounds = { min: columns.map((column) => Math.min(...column)), max: columns.map((column) => Math.max(...column)) };
    const bufferView = addView(Buffer.from(floats.buffer), VERTICES);
    json.accessors.push({ bufferView, componentType: FLOAT, count: floats.length / width, type, ...bounds });
    return json.accessors.length - 1;
}

const skinned = json.nodes.find((node) => node.skin !== undefined);
const primitive = json.meshes[skinned.mesh].primitives[0];
const count = json.accessors[primitive.attributes.POSITION].count;
primitive.attributes.TEXCOORD_0 = addAccessor('VEC2', 2, Array.from({ length: count * 2 }, (_, i) => (i % 7) / 7));
primitive.targets = [{ POSITION: addAccessor('VEC3', 3, Array.from({ length: count * 3 }, (_, i) => (i % 5) / 100)) }];
json.meshes[skinned.mesh].weights = [0.25];
json.meshes[skinned.mesh].extras = { targetNames: ['puffed'], big: 9007199254740991 };

json.images = [{ uri: 'picture of skin.png' }];
json.samplers = [{ magFilter: 9728 }];
json.textures = [{ source: 0, sampler: 0 }];
json.materials.push({ name: 'dress', pbrMetallicRoughness: { baseColorTexture: { index: 0 }, roughnessFactor: 0.3 }, doubleSided: true });
primitive.material = json.materials.length - 1;
json.materials.push({ name: 'hat', emissiveFactor: [0.1, 0.2, 0.3], extensions: { KHR_materials_unlit: {} } });
json.extensionsUsed = [...new Set([...(json.extensionsUsed ?? []), 'KHR_materials_unlit'])];

// A hat: a mesh of its own, attached to the head.
const position = addAccessor('VEC3', 3, [-0.1, 0.2, 0, 0.1, 0.2, 0, 0, 0.4, 0]);
json.meshes.push({ name: 'hat', primitives: [{ attributes: { POSITION: position }, material: json.materials.length - 1 }] });
json.cameras = [{ type: 'perspective', perspective: { yfov: 1, znear: 0.1 } }];
const head = json.nodes.find((node) => /head$/i.test(node.name));
json.nodes.push({ name: 'hat', mesh: json.meshes.length - 1 }, { name: 'eye', camera: 0 });
head.children = [...(head.children ?? []), json.nodes.length - 2, json.nodes.length - 1];
// Above its joints: 1.25 times as large, moved. What hangs on a skin is moved by its joints alone.
const isSkinned = (node) => json.nodes[node].skin !== undefined;
json.nodes.push({ name: 'stand', children: json.scenes[0].nodes.filter((node) => !isSkinned(node)),
                  matrix: [1.25, 0, 0, 0, 0, 1.25, 0, 0, 0, 0, 1.25, 0, 0.5, 0, -0.25, 1] });
json.scenes[0].nodes = [json.nodes.length - 1, ...json.scenes[0].nodes.filter(isSkinned)];

json.buffers = [{ byteLength: buffer.length, uri: 'dressed.bin' }];
writeFileSync(join(folder, 'dressed.bin'), buffer);
writeFileSync(join(folder, 'picture of skin.png'), picture);
json.images[0].uri = 'picture%20of%20skin.png';
writeFileSync(join(folder, 'dressed.gltf'), JSON.stringify(json, null, 1));

json.images = [{ bufferView: addView(picture), mimeType: 'image/png' }];
json.buffers = [{ byteLength: buffer.length }];
const text = Buffer.from(JSON.stringify(json));
const chunk = (type, data, fill) => {
    const padded = Buffer.concat([data, Buffer.alloc((4 - data.length % 4) % 4, fill)]);
    const head = Buffer.alloc(8);
    head.writeUInt32LE(padded.length, 0);
    head.write(type, 4, 'latin1');
    return Buffer.concat([head, padded]);
};
const content = Buffer.concat([chunk('JSON', text, ' '), chunk('BIN\0', buffer, 0)]);
const top = Buffer.alloc(12);
top.write('glTF', 0, 'latin1');
top.writeUInt32LE(2, 4);
top.writeUInt32LE(content.length + 12, 8);
writeFileSync(join(folder, 'dressed.glb'), Buffer.concat([top, content]));
