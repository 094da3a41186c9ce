import { parentPort, workerData } from 'node:worker_threads';
import { load } from 'js-yaml';
import { parseUnambiguous } from '../common/json-names.js';
import { outlineOf } from './domain/computed/outline.js';

/* The thread in which the outline of a specification in JSON or YAML is read: it has memory and time of its own. */

const { bytes } = workerData as { readonly bytes: Uint8Array };
const text = new TextDecoder().decode(bytes);
parentPort?.postMessage(outlineOf(/^\s*\{/.test(text) ? parseUnambiguous(text) : load(text)));
