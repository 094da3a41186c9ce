import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Api } from './api.js';
import { Connection, requestText } from './connection.js';
import type { LoadGenerator } from './load.js';
import { type Measured, measure, type Target } from './measure.js';
import type { PageSource } from './pages.js';
import { endProcess, forkTypescript, memoryOf, messageOf } from './processes.js';
import { inBothWays } from './reads.js';
import type { Server } from './server.js';
import { editPages, type Subject } from './spaces.js';

const DIFFERENT_PAGES = 100;
export const PUBLISHED_PAGE = 'published page';
export const STATIC_PAGE = 'sirv: the same HTML from disk';
export const MERGED_PAGE = 'published page, first read after a merge';

/** The cost of published pages, and the memory of the server once all of them were read. */
export interface PublishedFindings {
  readonly measured: readonly Measured[];
  readonly memory?: { readonly nowMb: number; readonly peakMb: number };
}

export interface PublishedScene {
  readonly server: Server;
  readonly api: Api;
  readonly organizationId: string;
  readonly subject: Subject;
  readonly source: PageSource;
  readonly load: LoadGenerator;
  readonly databasePid: number;
  readonly seconds: number;
  /** The folder for the files of the static server. */
  readonly folder: string;
}

/** Publishes a space as a public site and returns the path of the site. */
async function publish({ api, organizationId, subject }: PublishedScene): Promise<string> {
  const sites = `/v1/orgs/${organizationId}/sites`;
  const { id } = await api.post<{ id: string }>(sites, {
    title: `Site of ${subject.label}`,
    spaces: [subject.spaceId],
  });
  await api.call('PATCH', `${sites}/${id}`, { visibility: 'public' });
  const { urls } = await api.post<{ urls: { published: string } }>(`${sites}/${id}/publish`);
  return new URL(urls.published).pathname;
}

/** Reads pages one after another, as a reader of the site does, and returns their HTML. */
async function readPages(
  port: number,
  paths: readonly string[],
  see: (path: string, html: Buffer, head: string) => Promise<void> | void,
): Promise<void> {
  const connection = await Connection.open(port);
  for (const path of paths) {
    const { status, head, body } = await connection.send(pageRequest(path));
    if (status !== 200) throw new Error(`${path} answered ${status}: ${body.toString().slice(0, 300)}`);
    await see(path, body, head);
  }
  connection.close();
}

const pageRequest = (path: string, headers: Readonly<Record<string, string>> = {}): string =>
  requestText('GET', path, '', undefined, { ...headers });

/** A merge of a change request with one edited page. */
async function mergeOne({ api, subject, source }: PublishedScene, mark: string): Promise<void> {
  const requests = `/v1/spaces/${subject.spaceId}/change-requests`;
  const { id } = await api.post<{ id: string }>(requests, { subject: `Edit ${mark}` });
  await editPages(api, subject, source, subject.leaves.slice(-1), mark, { changeRequest: id });
  await api.post(`${requests}/${id}/merge`);
}

/**
 * Published pages that were read before and pages that nobody has read since a merge, beside a static server of the
 * same HTML.
 */
export async function measurePublished(scene: PublishedScene): Promise<PublishedFindings> {
  const { server, subject, load, databasePid, seconds } = scene;
  const site = await publish(scene);
  const all = subject.leafPaths.map((path) => `${site}/${path.split('/').map(encodeURIComponent).join('/')}`);
  const chosen = all.filter((_, index) => index % Math.ceil(all.length / DIFFERENT_PAGES) === 0);
  const own = { port: server.publicPort, pid: server.pid };
  const folder = join(scene.folder, 'static');
  const unchanged: string[] = [];
  let bytes = 0;
  await readPages(own.port, chosen, async (path, html, head) => {
    bytes = html.length;
    const file = join(folder, `${decodeURIComponent(path)}.html`);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, html);
    const tag = /\r\netag: *([^\r]+)/i.exec(head)?.[1];
    if (tag !== undefined) unchanged.push(pageRequest(path, { 'If-None-Match': tag }));
  });
  const child = forkTypescript('./static-server.ts', [folder]);
  try {
    const { port } = await messageOf<{ port: number }>(child);
    const lanes = [chosen.map((path) => pageRequest(path))];
    const target = { subject: subject.label, lanes, expect: [200], bytes };
    let merges = 0;
    const warm: Target[] = [
      ...inBothWays({ ...target, operation: PUBLISHED_PAGE, server: own }),
      ...inBothWays({ ...target, operation: STATIC_PAGE, server: { port, pid: child.pid ?? 0 }, isNew: true }),
      ...(unchanged.length === 0
        ? []
        : inBothWays({
            ...target,
            operation: 'published page, 304',
            server: own,
            lanes: [unchanged],
            expect: [304],
            bytes: 0,
          })),
    ];
    const merged = inBothWays({
      ...target,
      operation: MERGED_PAGE,
      server: own,
      lanes: [all.map((path) => pageRequest(path))],
      before: () => mergeOne(scene, `p${++merges}`),
    });
    const measuredWarm = await measure(warm, load, databasePid, seconds);
    // A merge meets a site whose pages were read: those that it leaves as they are need not be made again.
    await readPages(own.port, all, () => undefined);
    const measured = [...measuredWarm, ...(await measure(merged, load, databasePid, seconds))];
    const memory = memoryOf(server.pid);
    return { measured, ...(memory && { memory }) };
  } finally {
    await endProcess(child);
  }
}
