import { beforeAll, describe, expect, it } from '@jest/globals';
import { useApp } from './app.js';
import { resolved, type Media, type OpenApiDocument } from './contract/json-schema.js';
import { filled } from './example-bodies.js';
import { ROWS } from './permissions/rows.js';
import { buildWorld, type Ids, type World } from './permissions/world.js';

const app = useApp();

/** What only tells that an example cannot know the ids and people of this installation. */
const UNKNOWN = /^is (?:not (?:an? |the |in the list )|no |nobody )/;

/** Where an example is the address of a site of somebody else's, or the code of their login, which is not found here. */
const ELSEWHERE: ReadonlySet<string> = new Set(['POST /urls/published', 'POST /auth/exchange']);

describe('the bodies that the OpenAPI document shows', () => {
  let world: World;
  let document: OpenApiDocument;

  beforeAll(async () => {
    const built = await buildWorld(app.current);
    world = { ...built, ids: { ...built.ids, adminId: built.workspace.admin.id } };
    document = (await (await fetch(new URL('/openapi.json', app.current.url))).json()) as OpenApiDocument;
  }, 60_000);

  it('are taken as they are', async () => {
    const faults: string[] = [];
    let sent = 0;
    for (const [operation, row] of Object.entries(ROWS)) {
      const [method = '', template = ''] = operation.split(' ');
      const body = document.paths[`/v1${template}`]?.[method.toLowerCase() as 'post']?.requestBody;
      const example = resolved<{ content?: Record<string, Media> }>(document, body ?? {}).content?.['application/json']
        ?.example;
      if (example === undefined) continue;
      const person = world.workspace.admin;
      const ids: Ids = { ...world.ids, ...(await row.prepare?.({ ...world, person })) };
      const path = template.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? '');
      const { status, body: answer } = await person.api.send<{
        error?: { message: string; details?: { path: string; message: string }[] };
      }>(method, path, filled(example, ids));
      sent++;
      const details = answer?.error?.details ?? [];
      // Who may do it, and when, is no matter of the body.
      const isKnown =
        ![400, 404, 415, 500].includes(status) ||
        (status === 400 && details.length > 0 && details.every(({ message }) => UNKNOWN.test(message)));
      if (!isKnown && !(status === 404 && ELSEWHERE.has(operation)))
        faults.push(
          `${operation}: ${status} ${details.map((each) => `${each.path} ${each.message}`).join('; ') || (answer?.error?.message ?? '')}`,
        );
    }
    expect({ faults, sent: sent > 50 }).toEqual({ faults: [], sent: true });
  }, 60_000);
});
