import { ModulesContainer } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { DocumentBuilder, SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { resumed, yieldToOthers } from './kernel/common/context.js';
import { PERMISSION_EXTENSION } from './kernel/access/access.decorators.js';
import { permission, resourceOf } from './kernel/access/permissions.js';
import { toOpenApi31 } from './openapi-dialect.js';
import { CSRF_HEADER, SAFE_METHODS, SECURE_COOKIE } from './kernel/platform/http/session-cookie.js';
import { VERSION } from './version.js';

type Schema = {
  $ref?: string;
  example?: unknown;
  type?: string;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  enum?: unknown[];
  format?: string;
  nullable?: boolean;
  allOf?: Schema[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  additionalProperties?: Schema | boolean;
  default?: unknown;
};
type Content = Record<string, { schema?: Schema; example?: unknown; examples?: unknown }>;

const MAX_EXAMPLE_DEPTH = 6;
const TAGS: readonly (readonly [string, string])[] = [
  ['Organizations, members, teams', 'Members, teams and their permissions'],
  ['Collections', 'Folders of spaces'],
  ['Spaces', 'Containers of documentation'],
  ['Space content', 'Pages, files and revisions of a space'],
  ['Embeds', 'Titles, icons and players of embedded addresses'],
  ['Change requests', 'Proposed edits that are discussed, reviewed and merged'],
  ['Comments', 'Discussions on pages and change requests'],
  ['Sites', 'Published documentation made of spaces'],
  ['Section groups', 'Groups of sections of a site'],
  ['Site customization', 'How a site looks'],
  ['Single sign-on', 'Logging in through an identity provider'],
  ['Provisioning', 'Members and teams as an identity provider keeps them, by SCIM 2.0'],
  ['OpenAPI specifications', 'API descriptions that pages are made from'],
  ['Conversations', "Customers' conversations and the issues in them"],
  ['Translations', 'Spaces kept translated'],
  ['Webhooks', 'Events that are sent to other services'],
  ['Audit log', 'Log of changes with actor, object and origin, for administrators'],
  ['Users', 'The caller, and API tokens'],
  ['Service', 'The service itself'],
];

/**
 * Bodies by operationId whose fields depend on each other, so that the examples of single fields do not make a valid
 * body.
 */
const EXAMPLE_ID = 'AbCdEfGh0123456789Xy';
const EXAMPLE_MOVE = { parent: EXAMPLE_ID, position: { after: { type: 'space', space: EXAMPLE_ID } } };
const EXAMPLE_SOURCE = { url: 'https://petstore.example.com/openapi.json' };
const EXAMPLE_COMMENT = { body: { markdown: 'Does this hold for **all** plans?' }, page: EXAMPLE_ID };
const EXAMPLE_PREVIEW = { markdown: 'Run the **installer**.', page: EXAMPLE_ID };
const BODY_EXAMPLES: ReadonlyMap<string, object> = new Map<string, object>([
  [
    'createSpace',
    {
      title: 'Handbook',
      emoji: '1f4d8',
      parent: EXAMPLE_ID,
      language: 'en',
      editMode: 'locked',
      template: { id: 'product-documentation' },
    },
  ],
  ['installGitSyncProviderOnTarget', { provider: 'gitlab', target: { type: 'space', spaceId: EXAMPLE_ID } }],
  [
    'updateGitSyncInstallationById',
    {
      provider: 'gitlab',
      providerConfiguration: {
        url: 'https://git.example.com/docs.git',
        branch: 'refs/heads/main',
        accessToken: 'glpat-0123456789',
      },
      projectDirectory: 'docs',
      priority: 'git',
    },
  ],
  ['moveCollection', EXAMPLE_MOVE],
  ['moveSpace', EXAMPLE_MOVE],
  ['createOrganizationInvite', { space: EXAMPLE_ID, level: 'read' }],
  ['updateOrganizationInviteById', { role: 'read' }],
  // A conflict has to be one of those that there are.
  ['updateChangeRequest', { primary: EXAMPLE_ID, default: 'primary' }],
  ['postCommentInSpace', EXAMPLE_COMMENT],
  ['postCommentInChangeRequest', EXAMPLE_COMMENT],
  ['updateOrganizationAgentInstructions', { markdown: 'Write in British English.' }],
  ['renderMarkdown', EXAMPLE_PREVIEW],
  ['renderMarkdownInChangeRequest', EXAMPLE_PREVIEW],
  [
    'generateStorageUploadURL',
    { kind: 'import_file', file: { name: 'handbook.zip', type: 'application/zip', size: 48_213 } },
  ],
  ['createOpenAPISpec', { slug: 'petstore', source: EXAMPLE_SOURCE }],
  ['createOrUpdateOpenAPISpecBySlug', { source: EXAMPLE_SOURCE }],
  [
    'startImportRun',
    { source: { type: 'website', url: 'https://docs.example.com/guide/' }, target: { space: 'AbCdEfGh0123456789Xy' } },
  ],
  ['sortSiteStructure', { item: { type: 'site-section', id: EXAMPLE_ID }, position: {} }],
  ['moveSiteSpace', { position: { after: { type: 'site-space', siteSpace: EXAMPLE_ID } } }],
  ['moveSiteSection', { position: { after: { type: 'site-section', siteSection: EXAMPLE_ID } } }],
  ['importSiteRedirects', { redirects: { 'old/page': 'new/page.md' } }],
]);

/**
 * Serves the document at `/openapi.json`, and at `/docs` pages that fetch it from there. It is created on first
 * request, because it takes longer than any other part of a start.
 */
export function serveOpenApiDocument(app: NestExpressApplication): void {
  let made: Promise<Buffer> | undefined;
  const bytes = () => (made ??= createOpenApiDocument(app).then((document) => Buffer.from(JSON.stringify(document))));
  SwaggerModule.setup('docs', app, () => ({ ...described(), paths: {} }), {
    raw: false,
    swaggerUrl: '/openapi.json',
    swaggerOptions: { spec: {} },
    customSiteTitle: 'Bindery API',
  });
  app
    .getHttpAdapter()
    .getInstance()
    .get('/openapi.json', (_request, response, next) => {
      bytes().then((json) => {
        resumed();
        response.type('application/json').send(json);
      }, next);
    });
}

/**
 * The OpenAPI document of all operations, created module by module with yields in between; each success carries an
 * example made from those of its fields.
 */
export async function createOpenApiDocument(app: NestExpressApplication): Promise<OpenAPIObject> {
  const document: OpenAPIObject = { ...described(), paths: {} };
  const schemas = {};
  for (const { metatype, controllers } of app.get(ModulesContainer).values()) {
    if (controllers.size === 0) continue;
    const part = SwaggerModule.createDocument(app, described(), { include: [metatype], ignoreGlobalPrefix: false });
    for (const [path, item] of Object.entries(part.paths)) document.paths[path] = { ...document.paths[path], ...item };
    Object.assign(schemas, part.components?.schemas);
    await yieldToOthers();
  }
  document.components = { ...document.components, schemas };
  const used = new Set(
    Object.values(document.paths).flatMap((path) =>
      Object.values(path as Record<string, { tags?: string[] }>).flatMap((operation) => operation.tags ?? []),
    ),
  );
  const known = TAGS.filter(([name]) => used.delete(name)).map(([name, description]) => ({ name, description }));
  // The remaining tags are those of external modules.
  document.tags = [...known, ...[...used].sort().map((name) => ({ name }))];
  nameOperations(document);
  addPathParameters(document);
  addSessions(document);
  describeAccess(document);
  await addExamples(document);
  toOpenApi31(document);
  return document;
}

function described(): Omit<OpenAPIObject, 'paths'> {
  return (
    new DocumentBuilder()
      .setTitle('Bindery')
      .setDescription(
        'Self-hosted documentation management: content, change requests and published sites over HTTP and JSON.',
      )
      .setVersion(VERSION)
      .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
      // The service that serves the document.
      .addServer('/')
      .addBearerAuth({ type: 'http', scheme: 'bearer', description: 'An API token' })
      .addCookieAuth(
        SECURE_COOKIE,
        { type: 'apiKey', description: 'The session of a browser; named `bindery` without https' },
        'session',
      )
      .addApiKey(
        { type: 'apiKey', in: 'header', name: CSRF_HEADER, description: '`csrfToken` of `GET /v1/auth/session`' },
        'csrfToken',
      )
      .build()
  );
}

/** Handlers of several paths carry their operationIds in the order of the paths; each path gets its own. */
function nameOperations(document: OpenAPIObject): void {
  const next = new Map<string, number>();
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(
      path as Record<string, { operationId?: string; 'x-operation-ids'?: string[] }>,
    )) {
      const ids = operation['x-operation-ids'];
      if (!ids) continue;
      const key = ids.join();
      const at = next.get(key) ?? 0;
      next.set(key, at + 1);
      operation.operationId = ids[at] ?? operation.operationId ?? '';
      delete operation['x-operation-ids'];
    }
  }
}

/**
 * Declares the parameters of each path; handlers get most of them from the guard, which is invisible to the framework.
 */
function addPathParameters(document: OpenAPIObject): void {
  for (const [path, item] of Object.entries(document.paths)) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
    for (const operation of Object.values(item as Record<string, { parameters?: object[] }>)) {
      const declared = (operation.parameters ?? []) as { in?: string; name?: string }[];
      const missing = names.filter(
        (name) => !declared.some((parameter) => parameter.in === 'path' && parameter.name === name),
      );
      operation.parameters = [
        ...missing.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
        ...declared,
      ];
    }
  }
}

/** Operations that take a token take a session as well; its changes need the header against forged requests. */
function addSessions(document: OpenAPIObject): void {
  for (const path of Object.values(document.paths)) {
    const operations = Object.entries(path as Record<string, { security?: Record<string, string[]>[] }>);
    for (const [method, operation] of operations) {
      operation.security?.push({ session: [], ...(!SAFE_METHODS.has(method.toUpperCase()) && { csrfToken: [] }) });
      operation.security ??= [];
    }
  }
}

/** Says of each operation which permission it requires. */
function describeAccess(document: OpenAPIObject): void {
  for (const path of Object.values(document.paths)) {
    const operations = Object.values(path as Record<string, { description?: string; [PERMISSION_EXTENSION]?: string }>);
    for (const operation of operations) {
      const key = operation[PERMISSION_EXTENSION];
      const access = key === undefined ? 'Requires no token.' : accessOf(key);
      operation.description = [operation.description, access].filter((text) => text !== undefined).join('\n\n');
    }
  }
}

function accessOf(key: string): string {
  const { least, scope } = permission(key);
  const resource = resourceOf(key);
  const role = resource === 'user' || least === 'none' ? '' : `, which the role ${least} on the ${resource} has`;
  return `Requires the permission \`${key}\`${role}, and with a limited token the scope \`${scope}\`.`;
}

async function addExamples(document: OpenAPIObject): Promise<void> {
  const schemas = (document.components?.schemas ?? {}) as Record<string, Schema>;
  for (const path of Object.values(document.paths)) {
    for (const operation of Object.values(
      path as Record<
        string,
        { operationId?: string; responses?: Record<string, { content?: Content }>; requestBody?: { content?: Content } }
      >,
    )) {
      const given = BODY_EXAMPLES.get(operation.operationId ?? '');
      for (const media of Object.values(operation.requestBody?.content ?? {})) if (given) media.example = given;
      const contents = [
        operation.requestBody?.content,
        ...Object.values(operation.responses ?? {}).map((response) => response.content),
      ];
      for (const media of contents.flatMap((content) => Object.values(content ?? {}))) {
        if (media.schema && media.example === undefined && media.examples === undefined)
          media.example = exampleOf(media.schema, schemas, 0);
      }
    }
    await yieldToOthers();
  }
}

function exampleOf(schema: Schema, schemas: Record<string, Schema>, depth: number): unknown {
  if (schema.example !== undefined)
    return schema.type === 'array' && !Array.isArray(schema.example) ? [schema.example] : schema.example;
  if (schema.default !== undefined) return schema.default;
  if (schema.$ref) return exampleOf(schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {}, schemas, depth);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map((part) => exampleOf(part, schemas, depth))) as unknown;
  const choice = schema.oneOf?.[0] ?? schema.anyOf?.[0];
  if (choice) return exampleOf(choice, schemas, depth);
  if (schema.enum) return schema.enum[0];
  if (schema.type === 'array')
    return depth >= MAX_EXAMPLE_DEPTH || !schema.items ? [] : [exampleOf(schema.items, schemas, depth + 1)];
  if (schema.properties) {
    const fields = Object.entries(schema.properties).filter(
      ([name]) => depth < MAX_EXAMPLE_DEPTH || schema.required?.includes(name),
    );
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, schemas, depth + 1)]));
  }
  if (schema.type === 'string') return schema.format === 'date-time' ? '2026-01-31T09:30:00.000Z' : 'text';
  if (schema.type === 'boolean') return true;
  return schema.type === 'object' ? {} : 1;
}
