import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { invalid } from '../../../kernel/common/errors.js';
import type { GitBlob } from '../../../authoring/interchange/folder-reader.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import type { ImportResult } from '../../../authoring/interchange/import-order.js';
import { Importer } from '../../../authoring/interchange/importer.service.js';
import { readFolder } from '../../../authoring/interchange/markdown-folder.js';
import { orderOf, resultOf, type ActiveRun } from '../active-run.js';
import type { RunSource } from '../imports.schema.js';
import { commitUrl, gitCredentialsOf } from './git-orders.js';
import { GitTransport } from './git-transport.js';

type GitImport = Extract<RunSource, { type: 'git' }>;

const NO_ADDRESSES: ReadonlyMap<string, string> = new Map();

/** Imports repositories into spaces. */
@Injectable()
export class GitImporter {
  constructor(
    private readonly transport: GitTransport,
    private readonly importer: Importer,
    private readonly repositories: SpaceRepositories,
  ) {}

  /**
   * Makes the space say what the repository says, and writes only what differs. `onCommit` is told which commit that is, before
   * it is written.
   */
  async import(run: ActiveRun, source: GitImport, onCommit?: (oid: string) => void): Promise<ImportResult> {
    await this.repositories.requireNewer(run.spaceId, source);
    const { url, ref, directory } = source;
    // Loaded by the first run that needs it: git takes its share of a start.
    const { withCheckout } = await import('../../../authoring/interchange/git/repository.js');
    return withCheckout(
      { url, ref },
      this.transport.client(gitCredentialsOf(run)),
      async ({ folder, commit, objects, refused }) => {
        onCommit?.(commit.oid);
        const root = join(folder, directory);
        if (!(await stat(root).catch(() => undefined))?.isDirectory())
          throw invalid('repoProjectDirectory', 'is not a folder of the repository');
        const { files, problems } = await readFolder(root);
        const left = refused.map(({ path, message }) => ({ file: path, level: 'error' as const, message }));
        const git = { commit: { ...commit, url: commitUrl(source, commit.oid) }, objects: within(objects, directory) };
        const finished = async (result: ImportResult): Promise<ImportResult> => {
          if (run.changeRequestId === null && !run.makeRequest)
            await this.repositories.record(run.spaceId, source, commit.oid, result.revision);
          return result;
        };
        return this.importer.importFolder({
          ...orderOf(run, 'replace'),
          source: { files, problems: [...problems, ...left], git },
          commit: (work) =>
            run.commit(
              async () => finished(await work()),
              (result) => resultOf(result, NO_ADDRESSES),
            ),
        });
      },
    );
  }
}

/** The objects below a folder, by their path from there. */
function within(objects: ReadonlyMap<string, GitBlob>, directory: string): ReadonlyMap<string, GitBlob> {
  if (directory === '') return objects;
  const prefix = `${directory}/`;
  return new Map(
    [...objects].flatMap(([path, blob]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), blob] as const] : [],
    ),
  );
}
