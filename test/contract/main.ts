import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPublicDescriptions } from './documents.js';
import { OPERATIONS } from './extensions.js';
import type { OpenApiDocument } from './json-schema.js';
import type { TestRecord } from './recorder.js';
import { buildReport, printReport } from './report.js';

function readRecords(folder: string): TestRecord[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as TestRecord);
}

/** Prints the report of the run whose records lie in a folder; answers the exit code. */
export function reportOn(folder: string, details: boolean): number {
  const document = join(folder, 'openapi.json');
  if (!existsSync(document)) {
    process.stderr.write(
      'The run has not written the published OpenAPI document: openapi.spec.ts did not run or failed.\n',
    );
    return 1;
  }
  const published = JSON.parse(readFileSync(document, 'utf8')) as OpenApiDocument;
  const descriptions = loadPublicDescriptions();
  const report = buildReport({ operations: OPERATIONS, records: readRecords(folder), published, descriptions });
  process.stdout.write(`${printReport(report, descriptions !== undefined, details)}\n`);
  return report.failures.length > 0 ? 1 : 0;
}
