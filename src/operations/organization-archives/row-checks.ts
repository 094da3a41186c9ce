import { READER_NOTES } from '../../authoring/content/domain/reader-note.js';
import { z } from 'zod';
import { faultOfAttributes } from '../../authoring/content/domain/page-attributes.js';
import type { Check } from '../../formats/document/checks.js';
import { CHANGE_EFFECTS } from '../../formats/openapi/domain/changes/change.js';
import { reference } from '../../formats/document/data-checks.js';
import { validateDocument, validateStored, type DocumentFault } from '../../formats/document/validate.js';
import { mergeRulesFault } from '../../identity/organizations/domain/merge-rules.js';
import { issuerFault, ssoUrlFault } from '../../identity/sso/domain/web-addresses.js';
import { expressionFault } from '../../kernel/common/expressions/parse.js';
import { addressFault } from '../../kernel/common/safe-address.js';
import { faultsOfSchema } from '../../publishing/published-sites/domain/adaptive-schema.js';
import {
  customizationOverride,
  customizationSettings,
  DEFAULT_CUSTOMIZATION,
} from '../../publishing/sites/customization.schema.js';
import { overlay, type Customization } from '../../publishing/sites/domain/customization.js';
import { PROXY_PATTERN } from '../../publishing/sites/domain/paths.js';
import type { ArchivedTable } from './archived-tables.js';
import { isArchivedTime, type ArchivedRow } from './row-values.js';
import type { ArchivedColumn } from './table-shapes.js';

/* Checks of values that neither their types nor the constraints of the database check, as those of requests are. */

/** Gives the fault of a value that is not null, with the path within it. */
type ValueCheck = (value: unknown, row: ArchivedRow) => DocumentFault | undefined;

const TIME_TYPE = 'timestamp with time zone';
/** Columns of names, which lists and answers show as they are, and their characters at most. */
const NAMES = /(?:^|_)(?:title|label|name|slug|basename|subject|path|icon|emoji)$/;
const MOST_NAME = 2048;
/** Names of columns and of fields in JSON whose texts are addresses that pages show or the service asks. */
const ADDRESS_NAMES = /(^|_)url$|^logo$/i;

const by =
  (schema: z.ZodType): ValueCheck =>
  (value) => {
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    return issue && { path: issue.path.map(String).join('.'), message: issue.message };
  };

const said =
  (faultOf: (text: string) => string | undefined): ValueCheck =>
  (value) => {
    const message = typeof value === 'string' ? faultOf(value) : 'must be a text';
    return message === undefined ? undefined : { path: '', message };
  };

const within =
  (check: Check): ValueCheck =>
  (value) => {
    let found: DocumentFault | undefined;
    check(value, '', (path, message) => (found ??= { path: path.replace(/^\./, ''), message }));
    return found;
  };

const object = z.looseObject({});
const fact = z.string().max(2_000);
const count = z.int().min(0);
const specificationChange = z.object({
  effect: z.enum(CHANGE_EFFECTS),
  code: fact,
  operation: z.object({ method: fact, path: fact }).optional(),
  webhook: z.object({ method: fact, name: fact }).optional(),
  schema: fact.optional(),
  place: fact.optional(),
  message: fact,
  pointer: fact,
});
const texts = z.array(z.string());
const condition = said((text) => (text.trim() === '' ? undefined : expressionFault(text)));
const blocks: ValueCheck = (value) => validateDocument({ object: 'document', data: {}, nodes: value })[0];

/** Attributes of content that nothing else checks, by kind. */
const PROPS: Readonly<Record<string, z.ZodType>> = {
  page: z.looseObject({
    ...Object.fromEntries(
      ['emoji', 'icon', 'linkTitle', 'description', 'condition', 'primaryTag'].map((name) => [
        name,
        z.string().optional(),
      ]),
    ),
    ...Object.fromEntries(
      ['hidden', 'noIndex', 'noRobotsIndex', 'slugGiven'].map((name) => [name, z.boolean().optional()]),
    ),
    ...Object.fromEntries(
      ['layout', 'cover', 'variables', 'metaLinks', 'target', 'computed', 'git'].map((name) => [
        name,
        object.optional(),
      ]),
    ),
    readerNote: z.enum(READER_NOTES).optional(),
    tags: texts.optional(),
  }),
  file: z.looseObject({ contentType: z.string(), size: z.number() }),
  variable: z.looseObject({ value: z.union([z.string(), z.number(), z.boolean()]) }),
  tag: z.looseObject({ color: z.string().optional(), emoji: z.string().optional(), icon: z.string().optional() }),
};
const props: ValueCheck = (value, { kind, deleted, existed }) => {
  // Nothing is left of what was deleted, or was not there yet.
  const isThere = deleted !== true && existed !== false;
  const fault = by((isThere ? PROPS[String(kind)] : undefined) ?? object)(value, {});
  return fault ?? (kind === 'page' ? faultOfAttributes({ ...(value as object), tags: null }) : undefined);
};

/** A text with the markers of what is within it. */
const SEGMENT = z.array(
  z.union([
    z.string(),
    z.strictObject({ open: z.int().positive() }),
    z.strictObject({ close: z.int().positive() }),
    z.strictObject({ opaque: z.int().positive() }),
  ]),
);
const FORMER_TRANSLATION = z.object({
  source: SEGMENT,
  target: SEGMENT,
  similarity: z.number(),
  diff: z.array(z.object({ type: z.enum(['equal', 'insert', 'delete']), text: z.string() })),
});

/** Checks by table and column; every JSON column of the archive has one, or is a document. */
export const VALUE_CHECKS: Readonly<Record<string, Readonly<Record<string, ValueCheck>>>> = {
  organization: { merge_rules: (value) => mergeRulesFault(value, false) },
  space: { merge_rules: (value) => mergeRulesFault(value, true) },
  identity_provider: {
    issuer: said((text) => issuerFault(text, [])),
    sso_url: said((text) => ssoUrlFault(text, [])),
  },
  notification_settings: { kinds: by(z.record(z.string(), object)) },
  revision: { git: by(object) },
  document: { sections: by(z.array(z.object({ anchor: z.string(), title: z.string(), text: z.string() }))) },
  content_item: { props },
  content_undo: { props },
  page_redirect: { given: within(reference()) },
  comment: { suggestion: blocks, suggestion_before: blocks },
  openapi_spec: { errors: by(z.array(object)), warnings: by(z.array(object)) },
  openapi_version: {
    change_counts: by(z.object({ breaking: count, dangerous: count, compatible: count, documentation: count })),
  },
  openapi_change: { change: by(specificationChange) },
  search_synonyms: { groups: by(z.array(z.looseObject({ words: texts }))) },
  conversation: {
    parts: by(z.array(z.looseObject({ role: z.string(), body: z.string() }))),
    metadata: by(
      z.looseObject({ url: z.string().optional(), attributes: z.record(z.string(), z.string()).optional() }),
    ),
  },
  site: {
    proxy: said((text) => (PROXY_PATTERN.test(text) ? undefined : 'must be a host and a path')),
    customization: (value, row) =>
      by(object)(value, row) ?? by(customizationSettings)(overlay(DEFAULT_CUSTOMIZATION, value as Customization), row),
  },
  site_section: { condition },
  site_space: { condition, customization: by(customizationOverride) },
  site_external_link: { condition },
  site_adaptive_schema: { json_schema: (value) => faultsOfSchema(value)[0] },
  site_insight: { facts: by(object), claims: by(object) },
  translation_memory: { segment: by(SEGMENT) },
  translation_correction: { source: by(SEGMENT), target: by(SEGMENT) },
  translation_segment: { source: by(SEGMENT), target: by(SEGMENT), former: by(FORMER_TRANSLATION) },
  glossary_entry: {
    translations: by(z.record(z.string(), z.string())),
    forms: by(z.array(z.record(z.string(), z.string()))),
  },
  audit_event: { payload: by(object) },
};

/** The table of a row, and who answers for its archive. */
export interface CheckedTable extends Pick<ArchivedTable, 'documents'> {
  readonly name: string;
  /** Those that the archive announces. */
  readonly columns: readonly ArchivedColumn[];
  /** An operator answers for the archive, whose values may have been stored before they were refused. */
  readonly isTrusted: boolean;
}

/** The first fault of a row in words, with its column. */
export function faultOfRow(table: CheckedTable, row: ArchivedRow): string | undefined {
  for (const column of table.columns) {
    const fault = faultOfValue(table, column, row);
    if (fault) return `${column.name}${fault.path === '' ? '' : `.${fault.path}`} ${fault.message}`;
  }
  return undefined;
}

function faultOfValue(
  { name, documents, isTrusted }: CheckedTable,
  { name: column, type, isRequired }: ArchivedColumn,
  row: ArchivedRow,
): DocumentFault | undefined {
  const value = row[column] ?? null;
  if (value === null && !isRequired) return undefined;
  if (documents?.includes(column) === true) return (isTrusted ? validateStored : validateDocument)(value)[0];
  if (typeof value === 'string' && value.includes('\0'))
    return { path: '', message: 'must not contain the character NUL' };
  if (!isTrusted && value !== null && type === TIME_TYPE && !isArchivedTime(value))
    return { path: '', message: 'is no time' };
  if (!isTrusted && type === 'text' && value !== null) {
    if (typeof value !== 'string') return { path: '', message: 'must be a text' };
    if (value.length > MOST_NAME && NAMES.test(column))
      return { path: '', message: `must have at most ${MOST_NAME} characters` };
  }
  if (isTrusted && typeof value !== 'string') return undefined;
  return addressFaultIn(value, column) ?? (isTrusted ? undefined : VALUE_CHECKS[name]?.[column]?.(value, row));
}

/** The fault of an address in a value, or in the fields of one. */
function addressFaultIn(value: unknown, name: string, path = ''): DocumentFault | undefined {
  if (typeof value === 'string') {
    const message = ADDRESS_NAMES.test(name) ? addressFault(value) : undefined;
    return message === undefined ? undefined : { path, message };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [key, each] of Object.entries(value)) {
    const fault = addressFaultIn(each, Array.isArray(value) ? name : key, path === '' ? key : `${path}.${key}`);
    if (fault) return fault;
  }
  return undefined;
}
