import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadPublicDescriptions } from './documents.js';
import { OPERATIONS } from './extensions.js';
import type { OpenApiDocument } from './json-schema.js';
import type { TestRecord } from './recorder.js';
import { type Answer, versionStates } from './versions.js';
import { buildReport, printReport } from './report.js';

function* readLines<Line>(folder: string): Generator<Line> {
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.jsonl')))
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n'))
      if (line !== '') yield JSON.parse(line) as Line;
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
  const versions = versionStates(OPERATIONS, readLines<Answer>(join(folder, 'answers')));
  const records = [...readLines<TestRecord>(folder)];
  const report = buildReport({ operations: OPERATIONS, records, published, descriptions, versions });
  process.stdout.write(`${printReport(report, descriptions !== undefined, details)}\n`);
  return report.failures.length > 0 ? 1 : 0;
}
