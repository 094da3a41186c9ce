import { beforeAll, describe, expect, it } from '@jest/globals';
import { newId } from '../src/common/ids.js';
import { Tokens } from '../src/users/tokens.service.js';
import { useApp } from './app.js';
import { buildPerson, type Person } from './build.js';
import { Client } from './client.js';
import type { OpenApiDocument } from './contract/json-schema.js';

const app = useApp();

/** An operation as it is published, with an address that names nothing. */
interface Published {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly declared: ReadonlySet<number>;
}

/** Every operation that the service publishes, whatever it is about. */
async function published(): Promise<Published[]> {
  const response = await fetch(new URL('/openapi.json', app.current.url));
  const { paths } = (await response.json()) as OpenApiDocument;
  return Object.entries(paths).flatMap(([template, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!operation || !template.startsWith('/v1')) return [];
      const path = template.slice('/v1'.length).replace(/\{\w+\}/g, () => newId());
      return [{ id: operation.operationId ?? '', method: method.toUpperCase(), path, declared: new Set(Object.keys(operation.responses).map(Number)) }];
    }),
  );
}

describe('every operation', () => {
  let operations: Published[];
  let person: Person;
  beforeAll(async () => {
    operations = await published();
    person = await buildPerson(app.current);
  });

  /** The operations that answer otherwise than all should. */
  const others = async (api: Client, declared: number, suffix = ''): Promise<string[]> => {
    const wrong: string[] = [];
    for (const { id, method, path, declared: statuses } of operations) {
      if (!statuses.has(declared)) continue;
      const { status } = await api.send(method, `${path}${suffix}`, undefined);
      if (status !== declared) wrong.push(`${id} ${status}`);
    }
    return wrong;
  };

  it('refuses addresses that cannot be text', async () => {
    expect(operations.length).toBeGreaterThan(100);
    expect(operations.filter(({ declared }) => !declared.has(400))).toEqual([]);
    expect(await others(person.api, 400, '?title=%00')).toEqual([]);
  });

  it('refuses tokens without its scope, whatever it names', async () => {
    const { secret } = await app.current.get(Tokens).issue(person.id, { name: 'can do nothing', scopes: [] });
    expect(await others(new Client(app.current.url, secret), 403)).toEqual([]);
  });

  it('refuses callers without a token, whatever it names', async () => {
    expect(await others(new Client(app.current.url, undefined), 401)).toEqual([]);
  });
});
