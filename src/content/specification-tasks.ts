import { load } from 'js-yaml';
import { parseUnambiguous } from '../common/json-names.js';
import { workerTask } from '../platform/workers/worker-task.js';
import { outlineOf, type ApiOutline } from './domain/computed/outline.js';
import { partsOf, SpecificationParts, type SharedParts } from './specification-parts.js';

/* What is read of specifications, as functions that any thread can run. */

/** What pages need of a specification in JSON or YAML. */
export function specificationOutline(bytes: Uint8Array): ApiOutline | null {
  return outlineOf(parsed(bytes));
}

/** All of a specification, in pieces. */
export function specificationParts(bytes: Uint8Array): SharedParts | null {
  const parts = partsOf(parsed(bytes));
  return parts && SpecificationParts.of(parts).shared;
}

function parsed(bytes: Uint8Array): unknown {
  const text = new TextDecoder().decode(bytes);
  return JSON_OBJECT.test(text) ? parseUnambiguous(text) : load(text);
}

const JSON_OBJECT = /^\s*\{/;

/** A few aliases of YAML can stand for gigabytes, so only JSON is ever read where requests are answered. */
const sizeOf = (bytes: Uint8Array): number => (JSON_OBJECT.test(Buffer.from(bytes.subarray(0, 100)).toString('latin1')) ? bytes.length : Infinity);

export const SPECIFICATION_OUTLINE = workerTask(import.meta.url, specificationOutline, { size: sizeOf });
export const SPECIFICATION_PARTS = workerTask(import.meta.url, specificationParts, { size: sizeOf });
