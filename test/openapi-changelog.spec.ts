import { describe, expect, it } from '@jest/globals';
import { parseMarkdown } from '../src/formats/markdown/parse.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { useApp } from './app.js';
import { buildOrganization } from './build.js';
import { buildSpace, publish, usePublicListener } from './published-site.js';

const app = useApp();
const listener = usePublicListener(app);

type Json = Record<string, unknown>;

const text = { type: 'string' };

describe('the changelog of a published API', () => {
  const computed = (props: object): object => ({
    operation: 'insert_page',
    type: 'computed',
    title: 'API',
    computed: {
      type: 'builtin:openapi',
      props,
      dependencies: { spec: { ref: { kind: 'openapi', spec: 'pets' } } },
    },
  });

  it('is its last page where the source asks for it, and tells of each version what it changed', async () => {
    const workspace = await buildOrganization(app.current);
    const put = async (value: Json): Promise<void> => {
      const source = { text: JSON.stringify(value) };
      await workspace.admin.api.put(`/orgs/${workspace.id}/openapi/pets`, { source });
      await app.current.get(Jobs).drain();
    };
    const ok = { responses: { 200: { description: 'ok' } } };
    const version = (operation: Json): Json => ({
      openapi: '3.1.0',
      info: { title: 'Pets', version: '1', description: 'Pets.' },
      tags: [{ name: 'changelog', description: 'A tag of the same name.' }],
      paths: { '/pets/{id}': { get: { ...ok, tags: ['changelog'], operationId: 'getPet', ...operation } } },
    });
    const id = { name: 'id', in: 'path', required: true, schema: text };
    await put(version({ parameters: [id] }));
    const space = await buildSpace(workspace, 'API', 'en');
    await space.write(computed({ models: true, changelog: true }));
    const site = await publish(workspace, [space]);
    const see = async (path: string) => (await listener.see(`${site.base}${path}`)).body;
    // The tag has the slug, so that the page gives way.
    expect(await see('/changelog')).toContain('A tag of the same name.');
    expect(await see('/changelog-1')).toContain('There is no change yet.');

    await put(version({ parameters: [id, { ...id, name: '<b>', in: 'query' }], summary: 'One' }));
    await put(version({ parameters: [id], summary: 'One', deprecated: true }));
    const body = await see('/changelog-1');
    const places = [
      'Changes that may break clients (1)',
      'query parameter &#x3C;b>: The parameter was removed',
      'Other changes (1)',
      'Breaking changes (1)',
      'GET /pets/{id}',
      'query parameter &#x3C;b>: A required parameter was added',
      'Changed descriptions (1)',
    ].map((words) => body.indexOf(words));
    expect(places.filter((each) => each < 0)).toEqual([]);
    // It leads to the page of the operation, whose parameter had another name.
    expect(body).toMatch(/<a href="[^"]*\/changelog\/get-pet"><code>GET \/pets\/\{id\}<\/code><\/a>/);
    expect(await see('/llms.txt')).toContain('/changelog-1.md');
    expect(await see('/changelog-1.md')).toContain('### Breaking changes (1)');
    const pages = await workspace.admin.api.get<{ pages: readonly { computed?: object; slug: string }[] }>(
      `/spaces/${space.id}/content`,
    );
    expect(pages.body.pages.at(-1)).toMatchObject({
      slug: 'changelog-1',
      computed: { type: 'builtin:openapi', props: { doc: 'changes' } },
    });
  });

  it('shows names of a specification as they are, in HTML and in Markdown', async () => {
    const workspace = await buildOrganization(app.current);
    const put = async (paths: Json): Promise<void> => {
      const source = { text: JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths }) };
      await workspace.admin.api.put(`/orgs/${workspace.id}/openapi/pets`, { source });
      await app.current.get(Jobs).drain();
    };
    const names = [
      '<img src=x onerror=alert(1)>',
      '[a](javascript:alert(1))',
      '{% hint %}',
      '# b\n\n<script>c</script>',
    ];
    const hostile = '/a`<b>`[c](javascript:alert(2))';
    const get = (parameters: readonly Json[]): Json => ({
      get: { responses: { 200: { description: 'ok' } }, parameters },
    });
    await put({ [hostile]: get([]) });
    await put({ [hostile]: get(names.map((name) => ({ name, in: 'query', schema: text }))) });
    const space = await buildSpace(workspace, 'API', 'en');
    await space.write(computed({ models: false, changelog: true }));
    const site = await publish(workspace, [space]);
    const html = (await listener.see(`${site.base}/changelog`)).body;
    const list = /<h3 id="other-changes-4">.*?<\/ul>/s.exec(html)?.[0] ?? '';
    expect(list).toContain('<code>GET /a`&#x3C;b>`[c](javascript:alert(2))</code></a> query parameter &#x3C;img src=x');
    expect(list).toContain('query parameter [a](javascript:alert(1)): The parameter was added');
    // Beside the anchor of the heading there is no element of these names.
    expect(list).not.toMatch(/<(?:img|script|b|a(?! class="anchor"| href="\/))\b/);
    const markdown = (await listener.see(`${site.base}/changelog.md`)).body;
    const read = JSON.stringify(parseMarkdown(markdown).document);
    expect(read).not.toMatch(/"type":"(?:image|images|hint|heading-1)"/);
    const targets = [...read.matchAll(/"url":"([^"]*)"/g)].map(([, target]) => target);
    expect(new Set(targets)).toEqual(new Set(['operations/get-a-b-c-javascript-alert-2.md']));
    for (const name of names) expect(read).toContain(JSON.stringify(`query parameter ${name}: `).slice(1, -1));
  });

  it('is not there where nobody asks for it', async () => {
    const workspace = await buildOrganization(app.current);
    const source = { text: JSON.stringify({ openapi: '3.1.0', info: { title: 'Pets', version: '1' }, paths: {} }) };
    await workspace.admin.api.put(`/orgs/${workspace.id}/openapi/pets`, { source });
    await app.current.get(Jobs).drain();
    const space = await buildSpace(workspace, 'API', 'en');
    await space.write(computed({ models: true }));
    const site = await publish(workspace, [space]);
    expect((await listener.see(`${site.base}/changelog`)).status).toBe(404);
  });
});
