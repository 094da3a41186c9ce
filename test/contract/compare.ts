import type { Description } from './documents.js';
import {
  isRecord,
  pointed,
  resolved,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type Schema,
  typeOf,
} from './json-schema.js';
import type { Operation } from './operations.js';

/** Fields that the interface asks for and the public build at hand lacks. */
const INTERFACE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  createChangeRequest: ['template', 'template.id', 'template.params', 'template.params.contentRefs'],
  applyTemplateToSpace: ['changeRequestId'],
  overrideSiteSpaceCustomizationById: ['header.primaryLink'],
  listPageLinksInChangeRequest: ['?status'],
};

/** A parameter (`?name`) or body field of the contract that we do not take, with the reason. */
export interface Absence {
  readonly operation: string;
  readonly field: string;
  readonly reason: string;
}

/** Filters by what the service does not tell of questions and findings. */
const NOT_CLASSIFIED: Readonly<Record<string, readonly string[]>> = {
  listSiteQuestions: ['?type', '?relevance', '?channelType', '?answered', '?topic'],
  getSiteQuestionById: ['?relevance', '?channelType', '?answered'],
  getSiteQuestionStats: ['?relevance', '?channelType', '?answered', '?topic'],
  listSiteFindings: ['?topic', '?type', '?source', '?updatedAfter', '?updatedBefore', '?orderBy'],
  getSiteFindingStats: ['?topic', '?type', '?source'],
};

export const ACCEPTED_ABSENCES: readonly Absence[] = [
  ...Object.entries(NOT_CLASSIFIED).flatMap(([operation, fields]) =>
    fields.map((field) => ({
      operation,
      field,
      reason:
        'not in the interface: questions are all of one kind, and findings all come from questions and are listed by their last change',
    })),
  ),
  {
    operation: 'updateGitSyncInstallationById',
    field: 'agentInstructions',
    reason: 'not in the interface: a space is connected with one branch, whose files are those of the space',
  },
  {
    operation: 'updateGitSyncInstallationById',
    field: 'providerConfiguration.deployKey',
    reason: 'not in the interface: the service makes the key, so answers alone have it',
  },
  {
    operation: 'createChangeRequest',
    field: 'agentTaskId',
    reason: "not in the interface: it names a task of the hosted service's agent",
  },
  {
    operation: 'updateCommentReplyInChangeRequest',
    field: 'resolved',
    reason: 'not in the interface: a reply has no status, its comment has',
  },
  { operation: 'listConversationsIssuesClusters', field: '?status', reason: 'not in the interface' },
  {
    operation: 'createOrganization',
    field: '?withDefaultSite',
    reason: 'not in the interface: onboarding of the hosted service',
  },
  {
    operation: 'createOrganization',
    field: '?openapiUrl',
    reason: 'not in the interface: onboarding of the hosted service',
  },
  {
    operation: 'createOrganization',
    field: 'onboardingPreferences',
    reason: 'not in the interface: onboarding of the hosted service',
  },
  {
    operation: 'addExternalLinkToSite',
    field: 'localizedTitle',
    reason: 'not in the interface: whatever else a site is made of has one title and one description',
  },
  {
    operation: 'addExternalLinkToSite',
    field: 'localizedDescription',
    reason: 'not in the interface: whatever else a site is made of has one title and one description',
  },
  {
    operation: 'updateSiteExternalLinkById',
    field: 'localizedTitle',
    reason: 'not in the interface: whatever else a site is made of has one title and one description',
  },
  {
    operation: 'updateSiteExternalLinkById',
    field: 'localizedDescription',
    reason: 'not in the interface: whatever else a site is made of has one title and one description',
  },
];

/** Schemas whose inside is checked by rules of their own, wherever they stand. */
const OPAQUE = /^(JSONDocument|Document|ContentRef\w*|PlainObject|SiteAdaptiveJSONSchema)$/;

const DEPTH = 4;

/** Names of the fields of a schema, nested ones with dots; `free` where any field is taken. */
export function fieldsOf(
  document: OpenApiDocument,
  schema: Schema,
  depth = DEPTH,
): { names: Set<string>; free: Set<string> } {
  const names = new Set<string>();
  const free = new Set<string>();
  const enter = (at: Schema, prefix: string, left: number, path: readonly Schema[]): void => {
    if (path.includes(at)) return;
    if (at.$ref && OPAQUE.test(at.$ref.split('/').at(-1) ?? '')) return;
    const target = at.$ref ? resolved<Schema>(document, at) : at;
    const way = [...path, at];
    const isMap = target.additionalProperties === true || isRecord(target.additionalProperties);
    const isBare = typeOf(target) === 'object' && !target.properties && !target.allOf && !target.oneOf && !target.anyOf;
    if (isMap || isBare) free.add(prefix);
    for (const [name, property] of Object.entries(target.properties ?? {})) {
      names.add(`${prefix}${name}`);
      if (left > 1) enter(property, `${prefix}${name}.`, left - 1, way);
    }
    for (const part of [...(target.allOf ?? []), ...(target.oneOf ?? []), ...(target.anyOf ?? [])])
      enter(part, prefix, left, way);
    if (target.items) enter(target.items, prefix, left, way);
  };
  enter(schema, '', depth, []);
  return { names, free };
}

function operationIn(document: OpenApiDocument, operation: Operation): OperationObject | undefined {
  const bare = operation.path.replace(/^\/v1/, '') || '/';
  const item = document.paths[operation.path] ?? document.paths[bare];
  return item?.[operation.method.toLowerCase()];
}

/** Our published operation, by method and path. */
export const publishedOperation = (document: OpenApiDocument, operation: Operation): OperationObject | undefined =>
  document.paths[operation.path]?.[operation.method.toLowerCase()];

const parametersOf = (document: OpenApiDocument, operation: OperationObject): Set<string> =>
  new Set(
    (operation.parameters ?? [])
      .map((parameter) => resolved<Parameter>(document, parameter))
      .filter((parameter) => parameter.in === 'query')
      .map((parameter) => parameter.name),
  );

function bodyOf(document: OpenApiDocument, operation: OperationObject): Schema | undefined {
  if (!operation.requestBody) return undefined;
  const schema = pointed(resolved<object>(document, operation.requestBody), '#/content/application~1json/schema');
  return isRecord(schema) ? schema : undefined;
}

/** Parameters (`?name`) and body fields that the contract's operation takes and ours does not. */
export function missingFields(contract: Description, ours: OpenApiDocument, operation: Operation): string[] {
  const theirs = operationIn(contract.original, operation);
  const own = publishedOperation(ours, operation);
  if (!theirs || !own) return [];
  const ownParameters = parametersOf(ours, own);
  const ownBody = bodyOf(ours, own);
  const theirBody = bodyOf(contract.original, theirs);
  const taken = ownBody ? fieldsOf(ours, ownBody) : { names: new Set<string>(), free: new Set<string>() };
  const wanted = [
    ...[...parametersOf(contract.original, theirs)].map((name) => `?${name}`),
    ...(theirBody ? fieldsOf(contract.original, theirBody).names : []),
    ...(INTERFACE_FIELDS[operation.id] ?? []),
  ];
  const accepts = (field: string): boolean => {
    if (field.startsWith('?')) return ownParameters.has(field.slice(1));
    return taken.names.has(field) || [...taken.free].some((prefix) => field.startsWith(prefix));
  };
  const missing = [...new Set(wanted)].filter((field) => !accepts(field));
  return missing.filter((field) => !missing.some((parent) => field.startsWith(`${parent}.`)));
}
