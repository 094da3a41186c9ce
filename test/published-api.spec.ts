import { describe, expect, it } from '@jest/globals';
import { Jobs } from '../src/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

const specification = (words: string): string =>
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Pets', version: '1' },
    servers: [{ url: 'https://api.example.com' }],
    paths: { '/pets': { post: { summary: 'Add a pet', description: words, requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Pet' } } } }, responses: { 201: { description: 'Added' } } } } },
    components: { schemas: { Pet: { type: 'object', properties: { name: { type: 'string', example: 'Rex' } } } } },
  });

const COMPUTED = { type: 'builtin:openapi', props: { models: true }, dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } } };
const DRAWN = / name string Example: Rex.*curl -X POST 'https:\/\/api\.example\.com\/pets'.*201 Added/.source;

function wordsOf(html: string): string {
  return html.replace(/<(script|style|svg)\b.*?<\/\1>/gs, ' ').replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

describe('operations of an API on published pages', () => {
  it('say what the newest specification says of them, on computed pages and in blocks', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    const bytes = (words: string): object => ({ contentType: 'application/json', base64: Buffer.from(specification(words)).toString('base64') });
    await space.write(
      { operation: 'insert_files', files: [{ ref: 'spec', name: 'pets.json', ...bytes('The first words.') }] },
      { operation: 'insert_page', title: 'By hand', document: { markdown: '{% openapi-operation spec="pets" path="/pets" method="post" %}\n[pets](https://example.com/pets)\n{% endopenapi-operation %}\n' } },
      { operation: 'insert_page', type: 'computed', title: 'API', computed: COMPUTED },
    );
    const site = await publish(workspace, [space], 'public');
    const read = async (path = ''): Promise<string> => wordsOf((await listener.see(`${site.base}${path}`)).body);
    for (const path of ['', '/operations']) expect(await read(path)).toMatch(new RegExp(`POST /pets The first words\\..*${DRAWN}`));
    expect(await read('/models')).toMatch(/Pet name string Example: Rex/);

    const { body } = await workspace.admin.api.get<{ items: { id: string }[] }>(`/spaces/${space.id}/content/files`);
    await space.write({ operation: 'update_file', file: body.items[0]?.id, ...bytes('Other words.') });
    for (const path of ['', '/operations']) expect(await read(path)).toMatch(/Other words\./);
  });

  it('follow the versions of a registered specification', async () => {
    const workspace = await buildOrganization(app.current);
    const space = await buildSpace(workspace, 'Guide');
    await space.write({ operation: 'insert_page', title: 'Start' }, { operation: 'insert_page', type: 'computed', title: 'API', computed: COMPUTED });
    const site = await publish(workspace, [space], 'public');
    const see = (path: string) => listener.see(`${site.base}${path}`);
    const give = async (text: string): Promise<void> => {
      expect([200, 201]).toContain((await workspace.admin.api.put(`/orgs/${workspace.id}/openapi/pets`, { source: { text } })).status);
      await app.current.get(Jobs).drain();
    };
    expect((await see('/operations')).status).toBe(404);
    await give(specification('The first words.'));
    expect(wordsOf((await see('/operations')).body)).toMatch(new RegExp(`POST /pets The first words\\..*${DRAWN}`));
    expect(wordsOf((await see('/models')).body)).toMatch(/Pet name string Example: Rex/);
    await give(specification('Other words.'));
    expect(wordsOf((await see('/operations')).body)).toMatch(new RegExp(`POST /pets Other words\\..*${DRAWN}`));
    // What cannot be read leaves the last good version.
    await give('{}');
    expect(wordsOf((await see('/operations')).body)).toMatch(/Other words\./);
    await workspace.admin.api.delete(`/orgs/${workspace.id}/openapi/pets`);
    expect((await see('/operations')).status).toBe(404);
  });
});
