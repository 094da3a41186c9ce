import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { Exporter } from '../authoring/interchange/exporter.service.js';
import { Importer } from '../authoring/interchange/importer.service.js';
import { readFolder } from '../authoring/interchange/markdown-folder.js';
import { differences, portableItems } from '../authoring/interchange/portable-content.js';
import { SpaceContents } from '../authoring/interchange/space-content.js';
import { EXIT, Output, exit } from './output.js';
import { withTemporaryService, type TemporaryService } from './temporary.js';

const SHOWN_PROBLEMS = 5;
const MARKER = 'Xylophonkonzert';

/** The generic request of the published client; `path` begins after `/v1`. */
interface Api {
  request(call: {
    path: string;
    method: string;
    query?: object;
    body?: unknown;
    type?: string;
    secure: boolean;
    format: 'json';
  }): Promise<{ data: unknown }>;
}

interface PageNode {
  readonly id: string;
  readonly type: string;
  readonly title: string;
  readonly path?: string;
  readonly pages?: readonly PageNode[];
}

/** The published client, which is not a dependency of the product, or plain HTTP if it is not installed. */
async function clientFor(endpoint: string, authToken: string): Promise<{ api: Api; name: string }> {
  const name = '@gitbook/api';
  try {
    const { GitBookAPI } = (await import(name)) as { GitBookAPI: new (options: object) => Api };
    return { api: new GitBookAPI({ endpoint, authToken }), name };
  } catch {
    return { api: plainClient(endpoint, authToken), name: 'plain HTTP' };
  }
}

function plainClient(endpoint: string, authToken: string): Api {
  return {
    request: async ({ path, method, query, body }) => {
      const address = new URL(`${endpoint}/v1${path}`);
      for (const [name, value] of Object.entries(query ?? {})) address.searchParams.set(name, String(value));
      const headers = {
        Authorization: `Bearer ${authToken}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      };
      const answer = await fetch(address, {
        method,
        headers,
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      if (!answer.ok) throw new Error(`${method} ${path} was answered with ${answer.status}: ${await answer.text()}`);
      return { data: await answer.json() };
    },
  };
}

/** The main use case with a folder, step by step over HTTP; `say` receives the progress. */
class Walkthrough {
  private space = '';

  constructor(
    private readonly api: Api,
    private readonly service: TemporaryService,
    private readonly folder: string,
    private readonly say: (line: string) => void,
  ) {}

  async run(): Promise<void> {
    await this.import();
    const pages = await this.read();
    await this.change(pages);
    await this.publish();
    await this.exportAndCompare();
  }

  private async import(): Promise<void> {
    const { services, organizationId, userId } = this.service;
    const result = await services.get(Importer).importFolder({
      organizationId,
      userId,
      title: basename(resolve(this.folder)),
      source: await readFolder(this.folder),
    });
    this.space = result.space;
    this.say(
      `1. Import: ${result.pages} pages, ${result.files} files, ${result.problems.length} problems, revision ${result.revision}`,
    );
    for (const { file, line, level, message } of result.problems.slice(0, SHOWN_PROBLEMS))
      this.say(`   ${file}:${line}: ${level}: ${message}`);
  }

  private async read(): Promise<readonly PageNode[]> {
    const space = await this.get<{ title: string; urls: { app: string } }>('');
    const { pages } = await this.get<{ pages: readonly PageNode[] }>('/content/pages');
    const files = await this.get<{
      count: number;
      items: readonly { name: string; downloadURL: string; contentType: string }[];
    }>('/content/files', { limit: 1 });
    const documents = flat(pages).filter((page) => page.type === 'document');
    const [first] = documents;
    if (!first) throw new Error('the folder has no page');
    const byId = await this.get<{ markdown: string }>(`/content/page/${first.id}`, { format: 'markdown' });
    const byPath = await this.get<PageNode>(`/content/path/${encodeURIComponent(first.path ?? '')}`);
    this.say(
      `2. Read: "${space.title}" has ${documents.length} documents in ${pages.length} places at the root and ${files.count} files`,
    );
    this.say(
      `   The page "${first.title}" has ${byId.markdown.length} characters of Markdown and is found at its path too: ${byPath.id === first.id ? 'yes' : 'no'}`,
    );
    const word = documents.at(-1)?.title ?? first.title;
    const hits = await this.get<{ count: number }>('/search', { query: word });
    this.say(`   A search for "${word}" finds ${hits.count} pages`);
    for (const file of files.items)
      this.say(
        `   The file ${file.name} (${file.contentType}) downloads with status ${(await fetch(file.downloadURL)).status}`,
      );
    return documents;
  }

  private async change(documents: readonly PageNode[]): Promise<void> {
    const [first, second = first] = documents;
    const own = await this.send<{ id: string; number: number }>('/change-requests', { subject: 'A concert' });
    const other = await this.send<{ id: string }>('/change-requests', { subject: 'Another change' });
    const request = `/change-requests/${own.id}`;
    await this.send(`${request}/content`, {
      changes: [
        {
          operation: 'insert_page',
          title: 'The concert',
          document: { markdown: `## Programme\n\nA ${MARKER} for everybody.\n` },
        },
      ],
    });
    await this.send(`/change-requests/${other.id}/content`, {
      changes: [{ operation: 'update_page', page: second?.id, description: 'Changed on the way' }],
    });
    await this.send(`/change-requests/${other.id}/merge`);
    const { outdated } = await this.get<{ outdated: boolean }>(request);
    const update = await this.send<{ result: string }>(`${request}/update`);
    const merge = await this.send<{ result: string; revision: string }>(`${request}/merge`);
    const found = await this.get<{ items: readonly { title: string }[] }>('/search', { query: MARKER });
    this.say(
      `3. Change request #${own.number}: outdated after another merge: ${outdated}; updated: ${update.result}; merged: ${merge.result}, revision ${merge.revision}`,
    );
    this.say(`   Its text is found at once in: ${found.items.map((item) => item.title).join(', ')}`);
  }

  private async publish(): Promise<void> {
    const sites = `/orgs/${this.service.organizationId}/sites`;
    const site = await this.call<{ id: string }>('POST', sites, {
      body: { title: 'Walkthrough', spaces: [this.space] },
    });
    await this.call('POST', `${sites}/${site.id}/publish`);
    const published = await this.call<{ site: { urls: { published?: string } }; structure: { type: string } }>(
      'GET',
      `${sites}/${site.id}/published`,
    );
    this.say(
      `4. Site: published at ${published.site.urls.published ?? 'no address'}; its structure consists of ${published.structure.type}`,
    );
  }

  private async exportAndCompare(): Promise<void> {
    const { services, organizationId, userId } = this.service;
    const contents = services.get(SpaceContents);
    const copy = await mkdtemp(join(tmpdir(), 'bindery-demo-'));
    try {
      const exported = await services.get(Exporter).exportSpace(this.space, copy);
      const again = await services
        .get(Importer)
        .importFolder({ organizationId, userId, title: 'Imported again', source: await readFolder(copy) });
      const different = differences(
        portableItems(await contents.read(this.space)),
        portableItems(await contents.read(again.space)),
      );
      this.say(
        `5. Export: ${exported.pages} pages and ${exported.files} files; imported again, ${different.length} differ`,
      );
      if (different.length > 0) throw new Error(`these differ: ${different.slice(0, SHOWN_PROBLEMS).join(', ')}`);
    } finally {
      await rm(copy, { recursive: true, force: true });
    }
  }

  private get<Body>(path: string, query?: object): Promise<Body> {
    return this.call('GET', `/spaces/${this.space}${path}`, query && { query });
  }

  private send<Body>(path: string, body?: unknown): Promise<Body> {
    return this.call('POST', `/spaces/${this.space}${path}`, body === undefined ? undefined : { body });
  }

  private async call<Body>(
    method: string,
    path: string,
    options: { query?: object; body?: unknown } = {},
  ): Promise<Body> {
    const { data } = await this.api.request({
      path,
      method,
      ...options,
      ...(options.body !== undefined && { type: 'application/json' }),
      secure: true,
      format: 'json',
    });
    return data as Body;
  }
}

function flat(pages: readonly PageNode[]): PageNode[] {
  return pages.flatMap((page) => [page, ...flat(page.pages ?? [])]);
}

/** Runs the main use case with a folder on a running service; `say` receives the progress line by line. */
export async function walkThrough(
  service: TemporaryService,
  folder: string,
  say: (line: string) => void,
): Promise<void> {
  const { api, name } = await clientFor(service.api, service.token);
  say(`${folder} through ${name} at ${service.api}/v1`);
  await new Walkthrough(api, service, folder, say).run();
}

/** `npm run demo -- <folder>`. */
export async function runWalkthrough(words: readonly string[]): Promise<void> {
  const program = new Command('demo')
    .description(
      'Run the main use case with a folder of Markdown over HTTP: import, read, change, publish, export. All data is deleted afterwards',
    )
    .argument('<folder>', 'folder of Markdown, with or without SUMMARY.md');
  program.parse(words);
  const output = new Output(false);
  try {
    await withTemporaryService((service) =>
      walkThrough(service, program.processedArgs[0], (line) => output.result({}, [line])),
    );
    await exit(EXIT.done);
  } catch (error) {
    output.fault(error);
    await exit(EXIT.failure);
  }
}
