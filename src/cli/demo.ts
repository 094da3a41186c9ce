import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { INestApplicationContext } from '@nestjs/common';
import type { Caller } from '../common/context.js';
import { Sites } from '../sites/sites.service.js';
import { importSource } from './transfer.js';

const TITLE = 'Bindery documentation';

/** The demo space and the published demo site made of it. */
export type Demo = { readonly title: string; readonly space: string; readonly site: string; readonly pages: number };

/** The folder `docs` of this package, whether this file runs from `src` or from `dist/src`; undefined where it was left out. */
function documentationFolder(): string | undefined {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (existsSync(join(folder, 'package.json'))) return existsSync(join(folder, 'docs')) ? join(folder, 'docs') : undefined;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Imports the documentation of Bindery itself into a space and publishes it as a site. @returns undefined where there is none. */
export async function importDemo(services: INestApplicationContext, organizationId: string, userId: string): Promise<Demo | undefined> {
  const source = documentationFolder();
  if (source === undefined) return undefined;
  const caller: Caller = { userId, tokenId: '', organizationId: undefined, scopes: undefined };
  const { space, pages } = await importSource(services, { source, organizationId, title: TITLE }, userId, true);
  const sites = services.get(Sites);
  const site = await sites.create(caller, organizationId, { title: TITLE, spaces: [space] });
  await sites.setPublished(caller, { id: site.id, organizationId }, true);
  return { title: TITLE, space, site: site.id, pages };
}
