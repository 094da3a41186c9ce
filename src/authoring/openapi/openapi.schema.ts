import { allows, type Rights } from '../../kernel/access/permissions.js';
import type { Addresses } from '../../kernel/common/addresses.js';
import { Amount, Flag, Free, Id, Nested, ObjectName, OneOf, Text, Timestamp, Url } from '../../kernel/common/fields.js';
import { versioned } from '../../kernel/common/versioned.js';
import { SPEC_SLUG } from '../../formats/document/computed-source.js';
import type { FileUrls } from '../../kernel/platform/storage/file-urls.js';
import type { ChangeCounts } from '../../formats/openapi/domain/changes/change.js';
import { OpenApiChangeCounts } from './openapi-changes.schema.js';
import type { PresentedProblem, PresentedWarning } from '../../formats/openapi/domain/present-problem.js';

export const SPEC_VISIBILITIES = ['private', 'public'] as const;
export type SpecVisibility = (typeof SPEC_VISIBILITIES)[number];
export const PROCESSING_STATES = ['pending', 'progress', 'complete'] as const;
export type ProcessingState = (typeof PROCESSING_STATES)[number];
export const ERROR_CODES = ['FETCH_TIMEOUT', 'FETCH_ERROR', 'PARSE_ERROR', 'BREAKING_CHANGES'] as const;
export type ProcessingErrorCode = (typeof ERROR_CODES)[number];
export const REFUSED_EFFECTS = ['breaking', 'dangerous'] as const;
export type RefusedEffect = (typeof REFUSED_EFFECTS)[number];

const SLUG = {
  min: 1,
  max: 100,
  pattern: SPEC_SLUG,
  patternMessage: 'slug must be letters and digits, with single hyphens between them',
  example: 'petstore',
} as const;
const SOURCE_URL = 'https://petstore.example.com/openapi.json';

export class OpenApiSource {
  @Url({
    optional: true,
    example: SOURCE_URL,
    description: 'Where it is fetched from, every 6 hours: JSON or YAML, 20 MB at most',
  })
  url?: string;
  @Text({
    optional: true,
    min: 1,
    example: '{"openapi": "3.1.0", "info": {"title": "Pets", "version": "1"}, "paths": {}}',
    description: 'In its place the specification itself',
  })
  text?: string;
  @Flag({
    optional: true,
    example: true,
    description:
      'Accepts faults that do not stop reading: `lastProcessedWarnings` tells of them, and of what is shown instead. Without it the setting OPENAPI_TOLERANT decides',
  })
  tolerant?: boolean;
  @OneOf(REFUSED_EFFECTS, {
    optional: true,
    example: 'breaking',
    description:
      'Refuses a newer version that has such changes, or worse ones: the latest version stays, and `lastProcessedErrors` lists them. Without it changes are only reported',
  })
  failOn?: RefusedEffect;
}

export class ReplaceOpenApiSpec {
  @Nested(() => OpenApiSource, { description: 'An address or a text' })
  source: OpenApiSource;
}

export class CreateOpenApiSpec extends ReplaceOpenApiSpec {
  @Text(SLUG)
  slug: string;
}

export class UpdateOpenApiSpec {
  @OneOf(SPEC_VISIBILITIES, {
    example: 'public',
    description: 'With `public` everybody can read it at `urls.published`',
  })
  visibility: SpecVisibility;
}

class OpenApiError {
  @Text({ example: '/paths/~1pets/get (line 12) lacks "responses"', description: 'Where and why' })
  message: string;
  @Text({ optional: true, example: 'missing-property', description: 'Kind of the fault' })
  code?: string;
  @Text({ optional: true, example: '/paths/~1pets/get', description: 'JSON pointer of the place in the specification' })
  pointer?: string;
  @Amount({ optional: true, min: 1, example: 12, description: 'Line of the source, where it is known' })
  line?: number;
  @Url({
    optional: true,
    example: 'https://petstore.example.com/schemas.yaml',
    description: 'The document that pointer and line are in, where it is one that the specification refers to',
  })
  document?: string;
}

class OpenApiWarning extends OpenApiError {
  @Text({ example: 'is shown as "1.0"', description: 'The value that is shown in the place of the fault' })
  instead: string;
}

class OpenApiPermissions {
  @Flag()
  view: boolean;
  @Flag()
  edit: boolean;
}

class OpenApiUrls {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/openapi/petstore' })
  location: string;
  @Url({ example: 'http://localhost:3000/app/orgs/AbCdEfGh0123456789Xy/openapi/petstore' })
  app: string;
  @Url({
    optional: true,
    example: 'http://localhost:3001/~files/AbCdEfGh0123456789Xz/petstore.json',
    description: 'Where everybody can read the latest version, of a public specification',
  })
  published?: string;
}

export class OpenApiSpecBody {
  @ObjectName('openapi-spec')
  object: 'openapi-spec';
  @Id()
  id: string;
  @Timestamp()
  createdAt: string;
  @Timestamp()
  updatedAt: string;
  @Text(SLUG)
  slug: string;
  @Url({ optional: true, example: SOURCE_URL, description: 'Absent where it was given as a text' })
  sourceURL?: string;
  @OneOf(PROCESSING_STATES, { example: 'complete' })
  processingState: ProcessingState;
  @OneOf(SPEC_VISIBILITIES)
  visibility: SpecVisibility;
  @Id({ optional: true, description: 'The latest version, which stays when a newer source cannot be read' })
  lastVersion?: string;
  @Timestamp({ optional: true })
  lastProcessedAt?: string;
  @OneOf(ERROR_CODES, { optional: true, description: 'Why the last processing gave no version' })
  lastProcessErrorCode?: ProcessingErrorCode;
  @Nested(() => OpenApiError, {
    list: true,
    optional: true,
    maxItems: 50,
    description: 'Fault of the source, when the last processing produced no version',
  })
  lastProcessedErrors?: OpenApiError[];
  @Amount({
    min: 0,
    example: 0,
    description: 'The number of all faults of the source, also of those that are not listed',
  })
  lastProcessedErrorCount: number;
  @Nested(() => OpenApiWarning, {
    list: true,
    optional: true,
    maxItems: 50,
    description: 'Faults that were accepted when the latest version was read',
  })
  lastProcessedWarnings?: OpenApiWarning[];
  @Amount({ optional: true, min: 1, example: 1, description: 'The number of all of them, where there are any' })
  lastProcessedWarningCount?: number;
  @OneOf(REFUSED_EFFECTS, {
    optional: true,
    example: 'breaking',
    description: 'The changes for which a newer version is refused, where the source says so',
  })
  failOn?: RefusedEffect;
  @Nested(() => OpenApiPermissions)
  permissions: OpenApiPermissions;
  @Nested(() => OpenApiUrls)
  urls: OpenApiUrls;
}

class VersionUrls {
  @Url({ example: 'http://localhost:3000/v1/orgs/AbCdEfGh0123456789Xy/openapi/petstore/versions/AbCdEfGh0123456789Xz' })
  location: string;
}

const VERSION_ADDRESS = {
  example:
    'http://localhost:3001/~files/AbCdEfGh0123456789Xz/petstore.json?v=0123456789abcdef&expires=1767225600&signature=abc',
  description: 'The specification as OpenAPI 3 in JSON; the address works for a day',
} as const;

export class OpenApiVersionBody {
  @ObjectName('openapi-spec-version')
  object: 'openapi-spec-version';
  @Id()
  id: string;
  @Timestamp({ optional: true })
  createdAt?: string;
  @Nested(() => OpenApiChangeCounts, {
    optional: true,
    description:
      'The number of changes against the version before it; absent of the first one, and where they could not be compared',
  })
  changes?: OpenApiChangeCounts;
  @Url(VERSION_ADDRESS)
  url: string;
  @Nested(() => VersionUrls)
  urls: VersionUrls;
}

class OpenApiFile {
  @Text({ example: './' }) dir: string;
  @Flag() isEntrypoint: boolean;
  @Text({ list: true, description: 'Names of the files to which it refers', example: [] }) references: string[];
  @Text({ example: 'openapi.json' }) filename: string;
  @Free({
    description: 'The specification as OpenAPI 3, with everything that it refers to in it',
    example: { openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} },
  })
  specification: object;
}

class ContentUrls {
  @Url({ example: SOURCE_URL, description: 'Where the specification comes from; `url` where it was given as a text' })
  source: string;
  @Url({
    nullable: true,
    example: SOURCE_URL,
    description: 'Where everybody can read the specification: null unless it is public',
  })
  public: string | null;
}

export class OpenApiRawBody {
  @Text({ example: '{"openapi":"3.1.0","info":{"title":"Petstore","version":"1"},"paths":{}}' })
  text: string;
  @OneOf(['json', 'yaml'])
  format: 'json' | 'yaml';
}

export class OpenApiContentBody {
  @Nested(() => OpenApiFile, { list: true, description: 'The files of the specification: one' })
  filesystem: OpenApiFile[];
  @Url(VERSION_ADDRESS)
  url: string;
  @Nested(() => ContentUrls)
  urls: ContentUrls;
}

export interface OpenApiSpecRow {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  readonly sourceUrl: string | null;
  readonly visibility: SpecVisibility;
  readonly state: ProcessingState;
  readonly lastVersionId: string | null;
  readonly processedAt: Date | null;
  readonly errorCode: ProcessingErrorCode | null;
  readonly errors: readonly PresentedProblem[];
  readonly errorCount: number;
  readonly warnings: readonly PresentedWarning[];
  readonly warningCount: number;
  readonly failOn: RefusedEffect | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly version: number;
}

export interface OpenApiVersionRow {
  readonly id: string;
  readonly organizationId: string;
  readonly slug: string;
  /** SHA-256 in hexadecimal. */
  readonly hash: string;
  readonly size: number;
  readonly createdAt: Date;
  readonly changeCounts: ChangeCounts | null;
  readonly specId: string;
  readonly sourceUrl: string | null;
  readonly visibility: SpecVisibility;
  /** The version of the specification as an object of the interface. */
  readonly specVersion: number;
}

export function presentSpec(row: OpenApiSpecRow, rights: Rights, addresses: Addresses): OpenApiSpecBody {
  const path = `/orgs/${row.organizationId}/openapi/${row.slug}`;
  return versioned(
    {
      object: 'openapi-spec',
      id: row.id,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      slug: row.slug,
      ...(row.sourceUrl !== null && { sourceURL: row.sourceUrl }),
      processingState: row.state,
      visibility: row.visibility,
      ...(row.lastVersionId !== null && { lastVersion: row.lastVersionId }),
      ...(row.processedAt && { lastProcessedAt: row.processedAt.toISOString() }),
      ...(row.errorCode !== null && {
        lastProcessErrorCode: row.errorCode,
        lastProcessedErrors: row.errors.map((error) => ({ ...error })),
      }),
      lastProcessedErrorCount: row.errorCount,
      ...(row.warningCount > 0 && {
        lastProcessedWarnings: row.warnings.map((warning) => ({ ...warning })),
        lastProcessedWarningCount: row.warningCount,
      }),
      ...(row.failOn !== null && { failOn: row.failOn }),
      permissions: {
        view: allows('organization:viewOpenAPISpecs', rights),
        edit: allows('organization:createOpenAPISpec', rights),
      },
      urls: {
        location: addresses.location(path),
        app: addresses.app(`/o/${row.organizationId}/openapi/${row.slug}`),
        ...(row.visibility === 'public' && row.lastVersionId !== null && { published: publicUrl(row, addresses) }),
      },
    },
    row.version,
  );
}

export function presentVersion(row: OpenApiVersionRow, files: FileUrls, addresses: Addresses): OpenApiVersionBody {
  return {
    object: 'openapi-spec-version',
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    ...(row.changeCounts && { changes: { ...row.changeCounts } }),
    url: versionUrl(row, files),
    urls: { location: addresses.location(`/orgs/${row.organizationId}/openapi/${row.slug}/versions/${row.id}`) },
  };
}

/** The address of the latest version of a public specification. */
export const publicUrl = ({ id, slug }: Pick<OpenApiSpecRow, 'id' | 'slug'>, addresses: Addresses): string =>
  addresses.published(`/~files/${id}/${slug}.json`);

/** The address of a version: it admits everyone who has it, for a day. */
export function versionUrl({ id, slug, hash }: OpenApiVersionRow, files: FileUrls): string {
  return files.sign({ id, name: `${slug}.json`, hash });
}
