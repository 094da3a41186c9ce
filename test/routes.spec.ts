import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { RequestMethod, type DynamicModule, type Type } from '@nestjs/common';
import { METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import ts from 'typescript';
import { CAN, PUBLIC } from '../src/kernel/access/access.decorators.js';
import { Registry } from '../src/kernel/platform/manifest/registry.js';
import { MANIFESTS } from '../src/manifests.js';
import { BinderyModule } from '../src/app.module.js';
import { loadConfig } from '../src/config.js';
import { lineOf, parseSource, readSources, type SourceFile } from './architecture/source.js';
import { operationAt } from './contract/extensions.js';
import type { Method } from './contract/operations.js';

type Part = Type | DynamicModule | Promise<DynamicModule> | { forwardRef: () => Type };

interface Route {
  readonly name: string;
  readonly method: Method;
  /** Path with `/v1` and parameters in braces. */
  readonly path: string;
  readonly handler: object;
  readonly controller: Type;
}

/** Paths outside of `/v1` that answer machines and people who look after the server. */
const UNVERSIONED = [/^\/(healthz|readyz|metrics)$/, /^\/docs(\/.*)?$/, /^\/openapi\.json$/];

const metadata = (key: string | symbol, of: object): unknown => Reflect.getMetadata(key, of) as unknown;

/** Every controller below a module, found in the metadata alone: nothing is started. */
async function controllersOf(part: Part, visited = new Set<unknown>()): Promise<Type[]> {
  const given = await part;
  const dynamic = 'module' in given ? given : undefined;
  const module = dynamic ? dynamic.module : (given as Type);
  const listed = (key: 'controllers' | 'imports'): unknown[] => [
    ...(dynamic?.[key] ?? []),
    ...((metadata(key, module) as unknown[] | undefined) ?? []),
  ];
  if (visited.has(given)) return [];
  visited.add(given);
  const below = await Promise.all(listed('imports').map((each) => controllersOf(each as Part, visited)));
  return [...(listed('controllers') as Type[]), ...below.flat()];
}

const pathsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map((path) => (typeof path === 'string' ? path : ''));

/** `/v1` + controller path + handler path; `:name` and `*name` become `{name}`. */
function joined(controller: string, handler: string): string {
  const path = `${controller}/${handler}`
    .split('/')
    .filter(Boolean)
    .map((part) => part.replace(/^[:*](\w+).*$/, '{$1}'))
    .join('/');
  const plain = `/${path}`;
  if (UNVERSIONED.some((pattern) => pattern.test(plain))) return plain;
  return path === '' ? '/v1' : `/v1/${path}`;
}

function routesOf(controller: Type): Route[] {
  const prototype = controller.prototype as Record<string, unknown>;
  return Object.getOwnPropertyNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    const number =
      typeof handler === 'function' ? (metadata(METHOD_METADATA, handler) as RequestMethod | undefined) : undefined;
    if (typeof handler !== 'function' || number === undefined) return [];
    const paths = pathsOf(metadata(PATH_METADATA, controller)).flatMap((first) =>
      pathsOf(metadata(PATH_METADATA, handler)).map((second) => joined(first, second)),
    );
    return paths.map((path) => ({
      name: `${controller.name}.${name}`,
      method: RequestMethod[number] as Method,
      path,
      handler,
      controller,
    }));
  });
}

const controllers = await controllersOf(
  BinderyModule.forRoot(
    loadConfig({
      DATA_DIR: '.',
      DATABASE_URL: 'postgres://localhost/unused',
      SECRET_KEY: 'never-used-as-nothing-is-started-here',
    }),
  ),
);
const routes = controllers.flatMap(routesOf);

/** Handlers of a controller's source that do more than hand over: `path:line name`. */
function longHandlers(file: SourceFile): string[] {
  const found: string[] = [];
  const decoratorsOf = (node: ts.Node): string[] =>
    ts.canHaveDecorators(node)
      ? (ts.getDecorators(node) ?? []).map(({ expression }) =>
          (ts.isCallExpression(expression) ? expression.expression : expression).getText(file.tree),
        )
      : [];
  const visit = (node: ts.Node): void => {
    if (ts.isMethodDeclaration(node) && decoratorsOf(node).some((name) => ROUTE_DECORATORS.has(name))) {
      const statements = node.body?.statements ?? [];
      const [only] = statements;
      const handsOver =
        statements.length === 1 && only && (ts.isReturnStatement(only) || ts.isExpressionStatement(only));
      if (!handsOver) found.push(`${file.path}:${lineOf(file.tree, node)} ${node.name.getText(file.tree)}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file.tree);
  return found;
}

const ROUTE_DECORATORS = new Set(['Get', 'Post', 'Put', 'Patch', 'Delete', 'All', 'Head', 'Options']);

describe('routes', () => {
  it('were found', () => {
    expect(controllers.length).toBeGreaterThan(2);
    expect(routes.length).toBeGreaterThan(8);
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain('GET /v1/spaces/{spaceId}');
  });

  it('declare who may use them, once', () => {
    const wrong = routes.filter(({ handler, controller }) => {
      const can = metadata(CAN, handler) ?? metadata(CAN, controller);
      const open = metadata(PUBLIC, handler) ?? metadata(PUBLIC, controller);
      return (can === undefined) === (open === undefined);
    });
    expect(wrong.map(({ name, method, path }) => `${name} (${method} ${path})`)).toEqual([]);
  });

  it('ask for permissions of the table, of a resource that their path names', () => {
    const named: Record<string, RegExp> = {
      organization: /\{organizationId\}/,
      space: /\{spaceId\}/,
      collection: /\{collectionId\}/,
      site: /\{siteId\}/,
      user: /^\/v1(?!\/(spaces|collections)\/)/,
    };
    const { permissions } = new Registry(MANIFESTS);
    const wrong = routes.flatMap(({ name, path, handler }) => {
      const key = metadata(CAN, handler);
      if (typeof key !== 'string') return [];
      if (!permissions.has(key)) return [`${name} asks for ${key}, which is in no table`];
      return named[key.slice(0, key.indexOf(':'))]?.test(path) ? [] : [`${name} asks for ${key} at ${path}`];
    });
    expect(wrong).toEqual([]);
  });

  it('are operations of the interface or of our extensions', () => {
    const unknown = routes.filter(
      ({ method, path }) => !operationAt(method, path) && !UNVERSIONED.some((pattern) => pattern.test(path)),
    );
    expect(unknown.map(({ name, method, path }) => `${name} (${method} ${path})`)).toEqual([]);
  });

  it('answer each method and path once', () => {
    const keys = routes.map(({ method, path }) => `${method} ${path}`);
    expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([]);
  });

  it('have handlers of one statement', () => {
    expect(readSources('src').flatMap(longHandlers)).toEqual([]);
  });
});

describe('the rule of one statement', () => {
  it('sees handlers that do more, and only handlers', () => {
    const text = `class A {
      @Get() one() { return this.x.get(); }
      @Delete('b') async two() { await this.x.remove(); }
      @Post() three(@Body() body: B) { if (!body) throw new E(); return this.x.add(body); }
      @Put() four() {}
      helper() { const a = 1; return a; }
    }`;
    expect(longHandlers(parseSource('a.controller.ts', text))).toEqual([
      'a.controller.ts:4 three',
      'a.controller.ts:5 four',
    ]);
  });
});
