import { ACCEPTED_ABSENCES, missingFields, publishedOperation, type Absence } from './compare.js';
import { describe, MISSING_PACKAGE, type PublicDescriptions } from './documents.js';
import type { Evidence } from './evidence.js';
import type { OpenApiDocument } from './json-schema.js';
import { SECTIONS, type Operation } from './operations.js';
import type { TestRecord } from './recorder.js';
import { rowFor, UNSEEN, type Unseen } from './unseen.js';
import { ResponseValidator, responseSchema } from './validate.js';
import type { VersionState } from './versions.js';
import { optionalProperties } from './walk.js';

export interface ReportInput {
  readonly operations: readonly Operation[];
  readonly records: readonly TestRecord[];
  /** The document that the service publishes, as the suite wrote it. */
  readonly published: OpenApiDocument;
  readonly descriptions: PublicDescriptions | undefined;
  /** What the answers of the run show about the versions of the public API. */
  readonly versions?: readonly VersionState[];
  readonly unseen?: readonly Unseen[];
  readonly absences?: readonly Absence[];
}

/** What the tests have shown of one operation. */
export interface OperationState {
  readonly operation: Operation;
  readonly implemented: boolean;
  readonly exercised: boolean;
  /** What is missing for it to count as exercised. */
  readonly lacking: readonly string[];
  /** Declared errors, and those among them that a test has met. */
  readonly declared: readonly number[];
  readonly met: readonly number[];
}

export interface Report {
  readonly states: readonly OperationState[];
  readonly versions: readonly VersionState[];
  readonly failures: readonly string[];
  /** Counts behind the lines, for the summary. */
  readonly validated: number;
  readonly optionalSeen: number;
  readonly optionalAll: number;
}

/** Errors that the frame gives to every operation in the same way, and whose tests need no operation by operation. */
const FRAME_ERRORS = new Set([413, 415, 422, 429]);

/** Operations whose answers can show nothing that a request wrote, with the reason: one compared answer is all there is. */
const SHOWS_NOTHING_WRITTEN: ReadonlyMap<string, string> = new Map([
  ['getApiInformation', 'answers the version of the server'],
  ['streamNotifications', 'does not end: what it tells is no body that could be looked through'],
  ['streamPresenceInSpace', 'does not end: what it tells is no body that could be looked through'],
  ['listOrganizationAuditEventActions', 'lists the actions that there are, whatever was done'],
  ['getSiteQuestionStats', 'answers numbers only'],
  ['listConversationsThemes', 'shows words and numbers that are made of all that was written'],
  ['getConversationsTheme', 'shows words and numbers that are made of all that was written'],
  ['exportTranslation', 'shows a file, in which texts that were written stand within one text'],
  ['getSiteFindingStats', 'answers numbers only'],
  ['getTemplate', 'shows a template that comes with the service'],
  ['listConversationsSources', 'shows names that came in the query of a write, not in its body'],
  ['listOpenAPISpecVersionChanges', 'shows sentences about what was uploaded as one text'],
  ...[
    'listModuleScreensForUser',
    'listModuleScreensInOrganization',
    'listModuleScreensInSpace',
    'listModuleScreensInSite',
  ].map((id) => [id, 'shows what the manifests of modules name'] as const),
  [
    'getLatestOpenAPISpecVersion',
    'shows a version, which is made in the background and says nothing of what it is made from',
  ],
  [
    'getOpenAPISpecVersionById',
    'shows a version, which is made in the background and says nothing of what it is made from',
  ],
  ...['getScimServiceProviderConfig', 'listScimResourceTypes', 'getScimSchema'].map(
    (id) => [id, 'describes what the server supports'] as const,
  ),
  ...[
    'listGitHubRepositoriesForGitSyncInstallation',
    'listGitHubRepoBranchesForGitSyncInstallation',
    'getGitHubRepoFileForGitSyncInstallation',
    'listGitLabProjectsForGitSyncInstallation',
    'listGitLabProjectBranchesForGitSyncInstallation',
    'getGitLabProjectFileForGitSyncInstallation',
  ].map((id) => [id, 'shows what another server has'] as const),
]);

function mergedEvidence(records: readonly TestRecord[], id: string): Evidence {
  const merged: Evidence = { compared: false, exercised: false, nonEmpty: false, next: false, filters: [] };
  for (const { evidence } of records) {
    const found = evidence[id];
    if (!found) continue;
    merged.compared ||= found.compared;
    merged.exercised ||= found.exercised;
    merged.nonEmpty ||= found.nonEmpty;
    merged.next ||= found.next;
    merged.filters = [...new Set([...merged.filters, ...found.filters])];
  }
  return merged;
}

function lackingOf(operation: Operation, evidence: Evidence): string[] {
  const lacking: string[] = [];
  if (SHOWS_NOTHING_WRITTEN.has(operation.id)) return evidence.compared ? [] : ['no answer that a test compares'];
  if (!evidence.exercised) lacking.push('no answer that shows what its test wrote and compares');
  if (!operation.paged) return lacking;
  if (!evidence.nonEmpty) lacking.push('no answer with items');
  if (!evidence.next) lacking.push('no answer with next');
  for (const filter of operation.filters)
    if (!evidence.filters.includes(filter)) lacking.push(`filter ${filter} never left a row out`);
  return lacking;
}

function declaredErrors(published: OpenApiDocument, operation: Operation): number[] {
  const own = Object.keys(publishedOperation(published, operation)?.responses ?? {}).map(Number);
  const all = [...operation.errors, ...own].filter((code) => code >= 400 && code < 500 && !FRAME_ERRORS.has(code));
  return [...new Set(all)].sort((a, b) => a - b);
}

function stateOf(input: ReportInput, operation: Operation): OperationState {
  const lacking = lackingOf(operation, mergedEvidence(input.records, operation.id));
  const declared = declaredErrors(input.published, operation);
  const met = declared.filter((code) =>
    input.records.some(({ statuses }) => (statuses[operation.id]?.[code] ?? 0) > 0),
  );
  const implemented = publishedOperation(input.published, operation) !== undefined;
  return { operation, implemented, exercised: lacking.length === 0, lacking, declared, met };
}

/** Optional properties that the answers of the implemented operations can show. */
function optionalOf(input: ReportInput, states: readonly OperationState[]): Set<string> {
  const validator = new ResponseValidator(input.descriptions, describe('own', input.published));
  const all = new Set<string>();
  for (const { operation, implemented } of states) {
    const description = validator.descriptionOf(operation);
    if (!implemented || !description) continue;
    for (const status of operation.success) {
      const schema = responseSchema(description, operation, status);
      if (schema)
        for (const key of optionalProperties(description.document, { schema, name: operation.id })) all.add(key);
    }
  }
  return all;
}

function propertyFailures(all: ReadonlySet<string>, seen: ReadonlySet<string>, rows: readonly Unseen[]): string[] {
  const unseen = [...all].filter((key) => !seen.has(key) && !rowFor(key, rows)).sort();
  const stale = rows.filter((row) => ![...all].some((key) => !seen.has(key) && rowFor(key, [row])));
  return [
    ...unseen.map((key) => `optional property ${key} was in no answer and has no row in the table of the unseen`),
    ...stale.map((row) => `the table of the unseen names ${row.property}, which is seen or does not exist`),
  ];
}

function absenceFailures(input: ReportInput, states: readonly OperationState[]): string[] {
  const rows = input.absences ?? ACCEPTED_ABSENCES;
  return states.flatMap(({ operation, implemented }) => {
    const description = operation.source === 'own' ? undefined : input.descriptions?.[operation.source];
    if (!implemented || !description) return [];
    const missing = missingFields(description, input.published, operation);
    const unexplained = missing.filter(
      (field) => !rows.some((row) => row.operation === operation.id && row.field === field),
    );
    const stale = rows.filter((row) => row.operation === operation.id && !missing.includes(row.field));
    return [
      ...unexplained.map((field) => `${operation.id} does not publish ${field}`),
      ...stale.map((row) => `the table of accepted absences names ${operation.id} ${row.field}, which is published`),
    ];
  });
}

/** Judges the records of a full run. */
export function buildReport(input: ReportInput): Report {
  const states = input.operations.map((operation) => stateOf(input, operation));
  const all = optionalOf(input, states);
  const seen = new Set(input.records.flatMap((record) => record.seen));
  const undeclared = [...new Set(input.records.flatMap((record) => record.undeclared))].sort();
  const { versions = [] } = input;
  const problems = input.records.flatMap(({ spec, test, problems: found }) =>
    found.map((problem) => `${spec}, ${test}: ${problem}`),
  );
  const failures = [
    ...problems,
    ...states
      .filter((state) => state.implemented && !state.exercised)
      .map(({ operation, lacking }) => `${operation.id} is not exercised: ${lacking.join('; ')}`),
    ...undeclared.map((key) => `property ${key} is in answers and in no schema: declare it among the deviations`),
    ...(input.descriptions ? propertyFailures(all, seen, input.unseen ?? UNSEEN) : []),
    ...absenceFailures(input, states),
    ...versions.flatMap(({ version, valid, floor, faults }) =>
      valid < floor ? [`answers of ${valid} operations are valid for ${version}, not of ${floor}:`, ...faults] : [],
    ),
  ];
  const validated = input.records.reduce((sum, record) => sum + record.validated, 0);
  return {
    states,
    versions,
    failures,
    validated,
    optionalSeen: [...all].filter((key) => seen.has(key)).length,
    optionalAll: all.size,
  };
}

const isOf =
  (origin: 'interface' | 'extension') =>
  ({ operation }: OperationState): boolean =>
    (operation.origin === 'interface') === (origin === 'interface');

function sectionLine(name: string, states: readonly OperationState[]): string {
  const implemented = states.filter((state) => state.implemented);
  const exercised = implemented.filter((state) => state.exercised);
  const declared = implemented.reduce((sum, state) => sum + state.declared.length, 0);
  const met = implemented.reduce((sum, state) => sum + state.met.length, 0);
  const cells = [`${implemented.length} of ${states.length}`, String(exercised.length), `${met} of ${declared}`];
  return `  ${name.padEnd(32)}${cells.map((cell) => cell.padStart(14)).join('')}`;
}

function operationLine({ operation, implemented, exercised, declared, met }: OperationState): string {
  const errors = declared.map((code) => (met.includes(code) ? `${code}` : `(${code})`)).join(' ');
  const mark = implemented ? (exercised ? '+' : '-') : ' ';
  return `      ${mark} ${operation.method.padEnd(6)} ${operation.path}  ${errors}`;
}

/** The report as text: a line a section, with `details` a line an operation; errors that no test met stand in brackets. */
export function printReport(report: Report, packagePresent: boolean, details: boolean): string {
  const lines: string[] = [];
  const heading = `  ${''.padEnd(32)}${['implemented', 'exercised', 'errors met'].map((cell) => cell.padStart(14)).join('')}`;
  for (const [title, origin] of [
    ['The interface', 'interface'],
    ['Beyond the interface', 'extension'],
  ] as const) {
    const states = report.states.filter(isOf(origin));
    const sections = [...new Set([...SECTIONS, ...states.map(({ operation }) => operation.section)])];
    lines.push(title, heading);
    for (const section of sections) {
      const own = states.filter(({ operation }) => operation.section === section);
      if (own.length === 0) continue;
      lines.push(sectionLine(section, own));
      if (details) lines.push(...own.filter((state) => state.implemented).map(operationLine));
    }
    lines.push('');
  }
  const ours = report.states.filter(isOf('interface'));
  const valid = ours.filter((state) => state.implemented && state.exercised).length;
  lines.push(
    `${report.validated} answers validated, ${report.optionalSeen} of ${report.optionalAll} optional properties seen`,
  );
  if (!packagePresent) lines.push(MISSING_PACKAGE);
  for (const { version, exercised, valid: held, operations, faults } of report.versions) {
    lines.push(
      `@gitbook/api ${version}: ${held} of ${exercised} operations valid, ${exercised} of ${operations} exercised`,
    );
    if (details) lines.push(...faults.map((fault) => `      ${fault}`));
  }
  lines.push(`${valid} of ${ours.length} operations of the interface implemented and exercised`);
  if (report.failures.length > 0)
    lines.push('', `${report.failures.length} failures`, ...report.failures.map((failure) => `  ${failure}`));
  return lines.join('\n');
}
