// node validate.mjs FILE...: the Khronos validator's opinion of each file. Exit status 1 where it has an error or a warning.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import validator from 'gltf-validator';

let bad = 0;
for (const file of process.argv.slice(2)) {
    const report = await validator.validateBytes(new Uint8Array(readFileSync(file)), {
        uri: file,
        maxIssues: 100,
        externalResourceFunction: async (uri) =>
            new Uint8Array(readFileSync(join(dirname(file), decodeURIComponent(uri)))),
    });
    const { numErrors, numWarnings, numInfos, messages } = report.issues;
    console.log(`${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos`);
    for (const { severity, code, message, pointer } of messages)
        if (severity < 2 || process.env.INFOS)
            console.log(`  ${['error', 'warning', 'info', 'hint'][severity]} ${code} at ${pointer}: ${message}`);
    bad += numErrors + numWarnings > 0;
}
process.exit(bad > 0 ? 1 : 0);
