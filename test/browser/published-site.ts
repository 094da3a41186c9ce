import { existsSync } from 'node:fs';
import { Addresses } from '../../src/kernel/common/addresses.js';
import { Importer } from '../../src/authoring/interchange/importer.service.js';
import { readFolder } from '../../src/authoring/interchange/markdown-folder.js';
import { PublicListener } from '../../src/kernel/platform/public-listener.js';
import type { TestApp } from '../app.js';
import { buildOrganization, type Workspace } from '../build.js';
import type { Answer } from '../client.js';

/** Folders that become sections of one site: real documentation where it lies beside the checkout, else what comes with it. */
const REAL = ['../shared/corpora/elsa', '../shared/corpora/fluentd'];
const OWN = ['docs', 'templates/knowledge-base'];

export interface Section {
  readonly id: string;
  readonly title: string;
  readonly space: string;
  /** Where its first page lies. */
  readonly url: string;
  readonly pages: number;
}

/** A published site of two sections. */
export interface PublishedSite {
  readonly workspace: Workspace;
  readonly id: string;
  /** Path of its operations. */
  readonly path: string;
  readonly url: string;
  readonly sections: readonly [Section, Section];
  readonly isReal: boolean;
}

export function succeeded<Body>({ status, body }: Answer<Body>): Body {
  if (status >= 300) throw new Error(`answered ${status}: ${JSON.stringify(body)}`);
  return body;
}

const titleOf = (folder: string): string =>
  (folder.split('/').at(-1) ?? '').replaceAll('-', ' ').replace(/^./, (letter) => letter.toUpperCase());

/** Imports two folders and publishes them as the sections of one site, seen by everybody. */
export async function publishFolders(app: TestApp): Promise<PublishedSite> {
  const port = await app.get(PublicListener).listen();
  app.get(Addresses).announce(app.url, `http://127.0.0.1:${port}`);
  const workspace = await buildOrganization(app);
  const {
    id: organizationId,
    admin: { id: userId, api },
  } = workspace;
  const isReal = REAL.every((folder) => existsSync(folder));
  if (!isReal)
    process.stdout.write(`${REAL.join(' and ')} are not both there: the tests take ${OWN.join(' and ')} instead\n`);
  const imported: { title: string; space: string; pages: number }[] = [];
  for (const folder of isReal ? REAL : OWN) {
    const title = titleOf(folder);
    const { space, pages } = await app
      .get(Importer)
      .importFolder({ organizationId, userId, title, source: await readFolder(folder) });
    imported.push({ title, space, pages });
  }
  const [first, second] = imported;
  if (!first || !second) throw new Error('there are no folders');
  const sites = `/orgs/${organizationId}/sites`;
  const { id } = succeeded(await api.post<{ id: string }>(sites, { title: 'Compass' }));
  const path = `${sites}/${id}`;
  for (const { space, title } of imported) succeeded(await api.post(`${path}/sections`, { spaceId: space, title }));
  succeeded(await api.patch(path, { visibility: 'public' }));
  const url = succeeded(await api.post<{ urls: { published: string } }>(`${path}/publish`)).urls.published;
  const { items } = succeeded(
    await api.get<{ items: { id: string; title: string; urls: { published?: string } }[] }>(`${path}/sections`),
  );
  const section = ({ title, space, pages }: typeof first): Section => {
    const found = items.find((item) => item.title === title);
    return { id: found?.id ?? '', title, space, pages, url: found?.urls.published ?? '' };
  };
  return { workspace, id, path, url, sections: [section(first), section(second)], isReal };
}
