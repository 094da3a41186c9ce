// Holds an OpenAPI document to the recommended rules of Spectral and Redocly: `npm run openapi-rules [-- file]`. Without a file
// it takes the document of the built program. Prints every fault and warning, and ends with 1 if there is one.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

const [file] = process.argv.slice(2);
const source =
  file === undefined
    ? execFileSync(process.execPath, ['dist/src/cli.js', 'openapi'], { encoding: 'utf8', maxBuffer: 64 * 1024 ** 2 })
    : readFileSync(file, 'utf8');

const linter = new spectral.Spectral();
linter.setRuleset({ extends: [[rulesets.oas, 'recommended']] });
const bySpectral = (await linter.run(JSON.parse(source))).map(
  ({ code, path, message }) => `Spectral ${code} ${path.join('/')}: ${message}`,
);
const config = await createConfig({ extends: ['recommended'] });
const absoluteRef = resolve(file ?? 'openapi.json');
const byRedocly = (await lintFromString({ source, absoluteRef, config })).map(
  ({ ruleId, location: [place], message }) => `Redocly ${ruleId} ${place?.pointer ?? ''}: ${message}`,
);

const faults = [...bySpectral, ...byRedocly];
for (const fault of faults) console.error(fault);
console.log(`${faults.length} faults and warnings`);
process.exit(faults.length === 0 ? 0 : 1);
