import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { readSpecification } from '../src/formats/openapi/reading/read-specification.js';
import { useApp } from './app.js';
import { publishedOperation } from './contract/compare.js';
import { operationAt, OPERATIONS } from './contract/extensions.js';
import {
  resolved,
  type Media,
  type OpenApiDocument,
  type OperationObject,
  type Parameter,
  type ResponseObject,
  type Schema,
} from './contract/json-schema.js';
import type { Method, Operation } from './contract/operations.js';

const app = useApp();

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

interface Published {
  readonly name: string;
  readonly path: string;
  readonly method: Method;
  readonly operation: OperationObject;
  readonly known: Operation | undefined;
}

let fetched: Promise<OpenApiDocument> | undefined;

/** The document as clients get it; also left where the contract report looks for it. */
function published(): Promise<OpenApiDocument> {
  fetched ??= fetch(new URL('/openapi.json', app.current.url)).then(async (response) => {
    const text = await response.text();
    const folder = process.env['CONTRACT_RECORDS'];
    if (folder) writeFileSync(join(folder, 'openapi.json'), text);
    return JSON.parse(text) as OpenApiDocument;
  });
  return fetched;
}

async function operations(): Promise<Published[]> {
  const document = await published();
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((name) => {
      const operation = item[name];
      const method = name.toUpperCase() as Method;
      return operation
        ? [{ name: `${method} ${path}`, path, method, operation, known: operationAt(method, path) }]
        : [];
    }),
  );
}

/** Names of the operations of which a fault is found, with the fault. */
async function faults(find: (one: Published, document: OpenApiDocument) => readonly string[]): Promise<string[]> {
  const document = await published();
  return (await operations()).flatMap((one) => find(one, document).map((fault) => `${one.name}: ${fault}`));
}

const media = (content: Record<string, Media> | undefined): Media | undefined =>
  content?.['application/json'] ?? content?.['text/event-stream'] ?? content?.['application/scim+json'];

describe('the published OpenAPI document', () => {
  it('can be registered as a specification', async () => {
    const { operations } = await readSpecification(JSON.stringify(await published()), {
      maxLength: 21_000_000,
      fetch: () => Promise.reject(new Error('nothing is fetched')),
    });
    expect(operations).toBeGreaterThan(100);
  });

  it('is a valid OpenAPI 3 document', async () => {
    const document = await published();
    const result = await new Validator().validate(JSON.parse(JSON.stringify(document)) as Record<string, unknown>);
    expect(result.errors ?? []).toEqual([]);
    expect(result.valid).toBe(true);
    expect(document.openapi).toMatch(/^3\./);
    expect((await operations()).length).toBeGreaterThan(0);
  });

  it('holds only operations of the tables, under the same id and the section as tag', async () => {
    const wrong = await faults(({ operation, known }) => {
      if (!known) return ['is in no table of operations'];
      const id =
        operation.operationId === known.id
          ? []
          : [`has the id ${operation.operationId ?? 'undefined'} instead of ${known.id}`];
      const tag =
        operation.tags?.join() === known.section
          ? []
          : [`has the tag ${operation.tags?.join() ?? 'undefined'} instead of ${known.section}`];
      return [...id, ...tag];
    });
    expect(wrong).toEqual([]);
  });

  it('has unique operation ids, a summary each, and only tags that it introduces', async () => {
    const all = await operations();
    const ids = all.map(({ operation }) => operation.operationId);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    const introduced = new Set((await published()).tags?.map(({ name }) => name));
    const wrong = await faults(({ operation }) => [
      ...(operation.summary ? [] : ['has no summary']),
      ...(operation.tags ?? []).filter((tag) => !introduced.has(tag)).map((tag) => `the tag ${tag} is not introduced`),
    ]);
    expect(wrong).toEqual([]);
  });

  it('says who does what: no sentence begins with What, Whoever, Whether or Of', async () => {
    const texts: string[] = [];
    JSON.stringify(await published(), (key, value: unknown) => {
      if (typeof value === 'string' && (key === 'description' || key === 'summary')) texts.push(value);
      return value;
    });
    expect(texts.length).toBeGreaterThan(1000);
    expect(texts.filter((text) => /(?:^|[.:;] )(?:What|Whatever|Whoever|Whether|Of|Who) (?!can)/.test(text))).toEqual(
      [],
    );
  });

  it('declares every parameter of a path, and page and limit of every paged list', async () => {
    const wrong = await faults(({ operation, path, known }, document) => {
      const parameters = (operation.parameters ?? []).map((parameter) => resolved<Parameter>(document, parameter));
      const has = (place: string, name: string): boolean =>
        parameters.some((parameter) => parameter.in === place && parameter.name === name && parameter.schema);
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
      return [
        ...inPath.filter((name) => !has('path', name)).map((name) => `does not declare {${name}}`),
        ...(known?.paged ? ['page', 'limit', ...known.filters] : [])
          .filter((name) => !has('query', name))
          .map((name) => `does not declare ?${name}`),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('shows documents of bodies in one of their forms', async () => {
    const bothForms = (value: unknown): boolean =>
      typeof value === 'object' &&
      value !== null &&
      (('markdown' in value && 'document' in value) || Object.values(value).some(bothForms));
    const wrong = await faults(({ operation }, document) => {
      const { content } = resolved<{ content?: Record<string, Media> }>(document, operation.requestBody ?? {});
      return bothForms(media(content)?.example) ? ['shows Markdown beside a document'] : [];
    });
    expect(wrong).toEqual([]);
    const examples = (await operations())
      .map(({ operation }) => JSON.stringify(operation.requestBody ?? {}))
      .join('\n');
    expect(examples.split('"markdown":').length).toBeGreaterThan(3);
  });

  it('gives every request body a schema and an example', async () => {
    const wrong = await faults(({ operation }, document) => {
      if (!operation.requestBody) return [];
      const { content = {} } = resolved<{ content?: Record<string, Media> }>(document, operation.requestBody);
      const body = media(content);
      // Bytes have a type and a schema; there is nothing to show of them.
      if (
        !body &&
        Object.values(content).length > 0 &&
        Object.values(content).every(({ schema }) => schema?.format === 'binary')
      )
        return [];
      return [
        ...(body?.schema ? [] : ['the body has no schema']),
        ...(hasExample(body) ? [] : ['the body has no example']),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('gives every success its code, a schema and an example that fits it, or no content', async () => {
    const wrong = await faults(({ operation, known }, document) => {
      const codes = Object.keys(operation.responses).filter((code) => code.startsWith('2'));
      const expected = known?.success.map(String) ?? codes;
      const differing = [
        ...expected.filter((code) => !codes.includes(code)),
        ...codes.filter((code) => !expected.includes(code)),
      ];
      return [
        ...differing.map((code) => `success ${code} is ${codes.includes(code) ? 'not expected' : 'missing'}`),
        ...codes.flatMap((code) => successFaults(document, code, operation)),
      ];
    });
    expect(wrong).toEqual([]);
  });

  it('declares the errors that can occur, each in the one shape', async () => {
    const wrong = await faults(({ operation, path, known }, document) => {
      const open = operation.security?.length === 0 || !secured(document, operation);
      const demanded = new Set<number>([
        ...(known?.errors ?? []),
        ...(open ? [] : [401]),
        ...(/\{\w+\}/.test(path) && !open ? [403] : []),
        ...(/\{\w+\}/.test(path) && !open && !NEVER_ABSENT.has(known?.id ?? '') ? [404] : []),
        429,
      ]);
      const missing = [...demanded]
        .filter((code) => !(code in operation.responses))
        .map((code) => `does not declare ${code}`);
      const shapes = Object.entries(operation.responses)
        .filter(([code]) => /^[45]/.test(code))
        .flatMap(([code, response]) => {
          const schema = media(resolved<ResponseObject>(document, response).content)?.schema;
          return schema && isErrorShape(document, schema) ? [] : [`${code} has another shape`];
        });
      return [...missing, ...shapes];
    });
    expect(wrong).toEqual([]);
  });

  it('demands a token everywhere but where the table says otherwise', async () => {
    const document = await published();
    const schemes = document.components['securitySchemes'] as
      Record<string, { type: string; scheme?: string }> | undefined;
    expect(Object.values(schemes ?? {})).toContainEqual(expect.objectContaining({ type: 'http', scheme: 'bearer' }));
    const open = (await operations())
      .filter(({ operation }) => !secured(document, operation))
      .map(({ known, name }) => known?.id ?? name);
    expect(open.filter((id) => !OPEN_OPERATIONS.has(id))).toEqual([]);
  });

  it('names the session of a browser beside a token, for changes with the header against forged requests', async () => {
    const document = await published();
    expect(document.components['securitySchemes']).toMatchObject({
      session: { type: 'apiKey', in: 'cookie', name: '__Host-bindery' },
      csrfToken: { type: 'apiKey', in: 'header', name: 'X-CSRF-Token' },
    });
    const ways = (await operations()).map(({ operation, method }) => [method, operation.security] as const);
    const withToken = ways.filter(([, security = []]) => security.length > 0);
    for (const [method, security] of withToken)
      expect(security).toEqual([{ bearer: [] }, method === 'GET' ? { session: [] } : { session: [], csrfToken: [] }]);
    expect(new Set(withToken.map(([method]) => method)).size).toBeGreaterThan(3);
  });

  it('is what the routes answer under: each published operation is found by method and path', async () => {
    const document = await published();
    const found = OPERATIONS.filter((operation) => publishedOperation(document, operation));
    expect(found).toHaveLength((await operations()).length);
  });
});

/** Operations that answer 204, or an empty list, where what their path names does not exist. */
const NEVER_ABSENT: ReadonlySet<string> = new Set([
  'deleteSpaceById',
  'deleteCollectionById',
  'removeCustomHostname',
  'uninstallGitSyncInstallation',
  'getOrganizationsForEmailDomain',
]);

/** Operations without a token: the version, the ways to log in, and those that hand out what opens the rest. */
const OPEN_OPERATIONS = new Set([
  'receiveGitHook',
  'getApiInformation',
  'acceptInvitation',
  'requestSignInLink',
  'getSignInLink',
  'beginSession',
  'getOpenInvitation',
  'getOpenInviteLink',
  'listSignInProviders',
  'resolvePublishedContentByUrl',
  'listSSOProviderLoginsInOrganization',
  'exchangeLoginCode',
]);

function hasExample(body: Media | undefined): boolean {
  return body !== undefined && (body.example !== undefined || Object.keys(body.examples ?? {}).length > 0);
}

function successFaults(document: OpenApiDocument, code: string, operation: OperationObject): string[] {
  const response = operation.responses[code];
  if (!response) return [];
  const content = resolved<ResponseObject>(document, response).content;
  if (code === '204') return content && Object.keys(content).length > 0 ? ['204 has content'] : [];
  const body = media(content);
  if (!body?.schema) return [`${code} has no schema`];
  return hasExample(body) ? missingInExample(document, body.schema, body.example) : [`${code} has no example`];
}

/** Required properties that an example of an object leaves out. */
function missingInExample(document: OpenApiDocument, schema: Schema, example: unknown): string[] {
  const target = resolved<Schema>(document, schema);
  if (example === undefined || typeof example !== 'object' || example === null) return [];
  return (target.required ?? []).filter((name) => !(name in example)).map((name) => `the example lacks ${name}`);
}

const secured = (document: OpenApiDocument, operation: OperationObject): boolean =>
  (operation.security ?? document.security ?? []).some((requirement) => Object.keys(requirement).length > 0);

function isErrorShape(document: OpenApiDocument, schema: Schema): boolean {
  const error = resolved<Schema>(document, schema).properties?.['error'];
  if (!error) return false;
  const facts = error.allOf?.[0] ?? error;
  return ['code', 'message'].every((name) => resolved<Schema>(document, facts).required?.includes(name));
}
