import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database } from '../../../kernel/common/database.js';
import { DomainError, notFound } from '../../../kernel/common/errors.js';
import type { SiteFile } from '../../../authoring/interchange/domain/site-file/site-file.js';
import { writeSiteFile } from '../../../authoring/interchange/domain/site-file/write-site-file.js';
import { joinPath } from '../../../authoring/interchange/domain/repository-paths.js';
import { siteFileOf } from '../../../publishing/sites/site-file-of.js';
import { SiteStructures } from '../../../publishing/sites/structure.service.js';
import type { GitInstallation } from '../git-installation.entity.js';
import { SiteChildren } from './site-children.js';

/** A site as its file would say it. */
export interface DescribedStructure {
  readonly file: SiteFile;
  readonly hash: string;
  /** The folders of the spaces that are kept equal with one, by id, from the root of the repository. */
  readonly places: ReadonlyMap<string, string>;
}

export const textHash = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The side of the service of a site that is kept equal with a repository. */
@Injectable()
export class SiteDescriptions {
  constructor(
    private readonly database: Database,
    private readonly structures: SiteStructures,
    private readonly children: SiteChildren,
  ) {}

  /** Throws `conflict` where the user does not see all spaces: the file would lack them. */
  async describe(userId: string, { id, siteId, directory }: GitInstallation): Promise<DescribedStructure> {
    const site = await this.database.one<{ id: string; title: string }>('SELECT id, title FROM site WHERE id = $1', [
      siteId,
    ]);
    if (!site) throw notFound('Site');
    const rows = await this.structures.rows(userId, site.id);
    const seen = new Set(rows.siteSpaces.map((row) => row.id));
    const shown = await this.children.spacesOf(site.id);
    if (shown.some((space) => !seen.has(space.id)))
      throw new DomainError(
        'conflict',
        'The person who has set it up does not see all spaces of the site: somebody who does has to set it up',
      );
    const placed = new Map<string, string | undefined>();
    for (const child of await this.children.of(id))
      if (child.spaceId !== null && (child.priority !== null || child.directory !== ''))
        placed.set(child.spaceId, below(directory, child.directory));
    for (const space of shown) if (space.isInstalled && space.parentId !== id) placed.set(space.id, undefined);
    const { file, folders } = siteFileOf(site.title, rows, await this.structures.fileKeys(site.id), placed);
    return {
      file,
      hash: textHash(writeSiteFile(file)),
      places: new Map([...folders].map(([space, folder]) => [space, joinPath(directory, folder)])),
    };
  }
}

/** A folder as seen from one that it is in. */
export function below(directory: string, folder: string): string {
  return directory !== '' && folder.startsWith(`${directory}/`) ? folder.slice(directory.length + 1) : folder;
}
