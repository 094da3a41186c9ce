import { beforeAll, describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { resolved, type Media, type OpenApiDocument } from './contract/json-schema.js';
import { filled, PREPARED } from './example-bodies.js';
import { ROWS } from './permissions/rows.js';
import { buildWorld, clientFor, type Ids, type World } from './permissions/world.js';

const app = useApp();

describe('the bodies that the OpenAPI document shows', () => {
  let world: World;
  let document: OpenApiDocument;

  beforeAll(async () => {
    const built = await buildWorld(app.current);
    world = { ...built, ids: { ...built.ids, adminId: built.workspace.admin.id } };
    document = (await (await fetch(new URL('/openapi.json', app.current.url))).json()) as OpenApiDocument;
  }, 60_000);

  it('are carried out as they are, with the ids of things that there are', async () => {
    const faults: string[] = [];
    let sent = 0;
    for (const [operation, row] of Object.entries(ROWS)) {
      const [method = '', template = ''] = operation.split(' ');
      const body = document.paths[`/v1${template}`]?.[method.toLowerCase() as 'post']?.requestBody;
      const example = resolved<{ content?: Record<string, Media> }>(document, body ?? {}).content?.['application/json']
        ?.example;
      // Those that are answered by a conflict ask a server of others.
      if (example === undefined || row.ok === 409) continue;
      const now = { ...world, person: world.workspace.admin };
      const ids: Ids = { ...world.ids, ...(await row.prepare?.(now)), ...(await PREPARED[operation]?.(now)) };
      const path = template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
      const client = await clientFor(row, app.current, now.person);
      const headers = row.headers?.(now);
      const { status, body: answer } = await client.send<object>(method, path, filled(example, ids), {
        ...(headers && { headers }),
      });
      sent += 1;
      if (status >= 300) faults.push(`${operation}: ${status} ${JSON.stringify(answer)}`);
    }
    expect({ faults, sent: sent > 100 }).toEqual({ faults: [], sent: true });
  }, 60_000);
});
