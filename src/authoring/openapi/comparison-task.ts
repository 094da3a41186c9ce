import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { isJson, type JsonObject } from '../../formats/openapi/domain/json.js';
import type { FoundChanges } from '../../formats/openapi/domain/changes/change.js';
import { specificationChanges } from '../../formats/openapi/domain/changes/compare-specifications.js';

/** The changes between two specifications as JSON in UTF-8; a text that is no specification counts as an empty one. */
export function compareSpecifications({
  before,
  after,
}: {
  readonly before: Uint8Array;
  readonly after: Uint8Array;
}): FoundChanges {
  return specificationChanges(parsed(before), parsed(after));
}

// Not among the tasks of minutes: behind PDFs it would wait for longer than a specification may take to be processed.
export const COMPARE_SPECIFICATIONS = workerTask(import.meta.url, compareSpecifications, { size: () => Infinity });

function parsed(bytes: Uint8Array): JsonObject {
  const root: unknown = JSON.parse(new TextDecoder().decode(bytes));
  return isJson(root) ? root : {};
}
