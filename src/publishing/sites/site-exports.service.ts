import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/common/errors.js';
import { SITE_FILES } from '../../authoring/interchange/domain/site-file/site-file.js';
import { writeSiteFile } from '../../authoring/interchange/domain/site-file/write-site-file.js';
import { Exporter, type ExportResult } from '../../authoring/interchange/exporter.service.js';
import type { ImportProgressListener } from '../../authoring/interchange/folder-reader.js';
import { seenFrom } from '../../authoring/interchange/rename-ids.js';
import { siteFileOf } from './site-file-of.js';
import { SiteStructures } from './structure.service.js';

/** The outcome of an export of a site. */
export interface SiteExport extends ExportResult {
  readonly spaces: number;
}

/** Writes whole sites as folders: their file, and a folder of Markdown for each of their spaces. */
@Injectable()
export class SiteExports {
  constructor(
    private readonly structures: SiteStructures,
    private readonly exporter: Exporter,
  ) {}

  /**
   * Writes the structure of a site, and the primary content of its spaces that the user may see, into an empty or new
   * folder. Links between the spaces lead from file to file. Throws `invalid` if the folder is not empty.
   */
  async exportSite(
    userId: string,
    { id, title }: { readonly id: string; readonly title: string },
    folder: string,
    onProgress: ImportProgressListener = () => undefined,
  ): Promise<SiteExport> {
    const { file, folders, problems } = siteFileOf(
      title,
      await this.structures.rows(userId, id),
      await this.structures.fileKeys(id),
    );
    await mkdir(folder, { recursive: true });
    if ((await readdir(folder)).length > 0) throw invalid('folder', 'is not empty');
    await writeFile(join(folder, SITE_FILES[0]), writeSiteFile(file));
    const paths = new Map<string, ReadonlyMap<string, string>>();
    for (const space of folders.keys()) paths.set(space, await this.exporter.pathsOf(space));
    const results: ExportResult[] = [];
    for (const [space, place] of folders) {
      const others = new Map(
        [...paths]
          .filter(([other]) => other !== space)
          .map(([other, known]) => [other, seenFrom(place, folders.get(other) ?? '', known)]),
      );
      results.push(await this.exporter.exportTree(space, join(folder, place), { others: { paths: others } }));
      onProgress(results.length, folders.size);
    }
    return {
      spaces: folders.size,
      pages: results.reduce((sum, { pages }) => sum + pages, 0),
      files: results.reduce((sum, { files }) => sum + files, 0),
      problems: [...problems, ...results.flatMap((result) => result.problems)],
    };
  }
}
