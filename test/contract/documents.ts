import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { applyDeviations, LATER_DEVIATIONS } from './deviations.js';
import { isRecord, toJsonSchema, type OpenApiDocument, type Schema } from './json-schema.js';

/** One description of the API: its operations as published, and its component schemas as plain JSON Schema. */
export interface Description {
  readonly name: string;
  readonly document: OpenApiDocument;
  /** The document as published, by which requests are compared. */
  readonly original: OpenApiDocument;
  /** Translated components, under the same names. */
  readonly components: Readonly<Record<string, Schema>>;
}

export interface PublicDescriptions {
  readonly public: Description;
  /** Operations of the newer build; resources that both builds have keep the older shape. */
  readonly next: Description;
}

/** The versions of the published client for which answers are valid, with the packages that describe them. */
export const CLIENT_PACKAGES = {
  '0.146.0': '@gitbook/api',
  '0.167.0': 'gitbook-api-0-167',
  '0.181.0': 'gitbook-api-0-181',
  '0.202.0': 'gitbook-api-next',
} as const;

export type Version = keyof typeof CLIENT_PACKAGES;

const require = createRequire(import.meta.url);

/** The description in a package; undefined where it is not installed. */
export function readDocument(packageName: string): OpenApiDocument | undefined {
  try {
    return JSON.parse(readFileSync(require.resolve(`${packageName}/spec/openapi.json`), 'utf8')) as OpenApiDocument;
  } catch (error) {
    // Not `instanceof Error`: jest throws an error of another realm.
    if (isRecord(error) && error['code'] === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Translates the components of a document once. */
export function describe(name: string, document: OpenApiDocument, original = document): Description {
  const entries = Object.entries(document.components.schemas);
  const components = Object.fromEntries(entries.map(([key, schema]) => [key, toJsonSchema(document, schema)]));
  return { name, document, original, components };
}

/**
 * The public API's description from the development dependency `@gitbook/api`, our deviations applied.
 * Undefined where the package is not installed: it has no licence file, so nothing may depend on its presence.
 */
export function loadPublicDescriptions(): PublicDescriptions | undefined {
  const current = readDocument('@gitbook/api');
  const newer = readDocument('gitbook-api-next');
  if (!current || !newer) return undefined;
  applyDeviations(current);
  applyDeviations(newer, LATER_DEVIATIONS);
  const schemas = { ...newer.components.schemas, ...current.components.schemas };
  return {
    public: describe('public', current),
    next: describe('next', { ...newer, components: { ...newer.components, schemas } }, newer),
  };
}

export const MISSING_PACKAGE =
  'The development dependency @gitbook/api is not installed: responses are not validated against the public schemas.';
