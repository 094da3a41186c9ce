// `node --import ./test/faults/run-typescript.mjs src/cli.ts serve` runs the sources as they are, without a build.
import { register } from 'node:module';

register('./typescript-hooks.mjs', import.meta.url);
