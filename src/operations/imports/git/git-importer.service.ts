import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { invalid } from '../../../kernel/common/errors.js';
import type { GitBlob } from '../../../authoring/interchange/git/git-objects.js';
import { SpaceRepositories } from '../../../authoring/interchange/git/space-repositories.service.js';
import type { ImportResult, ImportTarget } from '../../../authoring/interchange/import-order.js';
import type { Checkout } from '../../../authoring/interchange/git/repository.js';
import { Importer } from '../../../authoring/interchange/importer.service.js';
import { readFolder } from '../../../authoring/interchange/markdown-folder.js';
import { orderOf, resultOf, type ActiveRun } from '../active-run.js';
import type { RunSource } from '../imports.schema.js';
import { commitUrl, gitAccessOf } from './git-orders.js';
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
   * Makes the space say what the repository says, and writes only what differs. `onCheckout` is shown the files before they are
   * read, and may change them; it gives what is different from the checkout then. `since` is the last import of the same branch, if
   * the space has not changed after it.
   */
  async import(
    run: ActiveRun,
    source: GitImport,
    {
      onCheckout,
      since,
    }: {
      readonly onCheckout?: (checkout: Checkout) => Promise<Pick<Checkout, 'objects' | 'refused'> | undefined>;
      readonly since?: ImportTarget['since'] | undefined;
    } = {},
  ): Promise<ImportResult> {
    await this.repositories.requireNewer(run.spaceId, source);
    const { url, ref, directory } = source;
    // Loaded by the first run that needs it: git takes its share of a start.
    const { withCheckout } = await import('../../../authoring/interchange/git/repository.js');
    return withCheckout({ url, ref }, this.transport.client(url, gitAccessOf(run)), async (checkout) => {
      const { folder, commit } = checkout;
      const { objects, refused } = (await onCheckout?.(checkout)) ?? checkout;
      const root = join(folder, directory);
      if (!(await stat(root).catch(() => undefined))?.isDirectory())
        throw invalid('repoProjectDirectory', 'is not a folder of the repository');
      const { files, problems } = await readFolder(root);
      const left = refused.map(({ path, message }) => ({ file: path, level: 'error' as const, message }));
      const git = { commit: { ...commit, url: commitUrl(source, commit.oid) }, objects: within(objects, directory) };
      const finished = async (result: ImportResult): Promise<ImportResult> => {
        if (run.changeRequestId === null && !run.makeRequest)
          await this.repositories.record(run.spaceId, source, commit.oid, result.revision, result.contextHash);
        return result;
      };
      const order = orderOf(run, 'replace');
      return this.importer.importFolder({
        ...order,
        ...(order.target && since && { target: { ...order.target, since } }),
        source: { files, problems: [...problems, ...left], git },
        commit: (work) =>
          run.commit(
            async () => finished(await work()),
            (result) => resultOf(result, NO_ADDRESSES),
          ),
      });
    });
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
