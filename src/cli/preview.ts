import { statSync } from 'node:fs';
import { basename } from 'node:path';
import { watch } from 'chokidar';
import { checkFolder } from '../authoring/interchange/folder-check.js';
import { Importer } from '../authoring/interchange/importer.service.js';
import { isSkipped, readFolder, type Folder } from '../authoring/interchange/markdown-folder.js';
import { PooledReads } from '../authoring/interchange/pooled-reads.js';
import { SpecificationReader } from '../formats/openapi/reading/specification-reader.js';
import { Addresses } from '../kernel/common/addresses.js';
import type { Caller } from '../kernel/common/context.js';
import { BackgroundWork } from '../kernel/platform/jobs/background-work.js';
import { Sites } from '../publishing/sites/sites.service.js';
import { formatReport, reportOf } from './check-report.js';
import type { Output } from './output.js';
import { PreviewListener } from './preview-listener.js';
import { Shutdown } from './shutdown.js';
import { withTemporaryService, type TemporaryService } from './temporary.js';

export interface PreviewOptions {
  readonly folder: string;
  readonly port: number | undefined;
  /** Looks for changes itself instead of being told by the file system. */
  readonly poll: boolean;
}

/** A program may write many files at once: the folder is read when it has been quiet for so long. */
const QUIET_MILLISECONDS = 150;
const POLL_MILLISECONDS = 1000;

/** Shows a folder as a published site until a signal; nothing of it is left afterwards. */
export async function preview(options: PreviewOptions, output: Output): Promise<void> {
  const shutdown = new Shutdown();
  shutdown.listen((line) => output.note(line));
  output.note('Starting …');
  await withTemporaryService(async (service) => {
    if (shutdown.requested) return;
    const addresses = service.services.get(Addresses);
    const listener = new PreviewListener(addresses.published(''));
    try {
      addresses.announce(service.api, await listener.listen(options.port));
      service.services.get(BackgroundWork).start();
      const shown = new ShownFolder(service, options.folder, output, () => listener.tell());
      await shown.show();
      const watcher = watchFolder(options, () => shown.show());
      await shutdown.wait();
      await watcher.close();
      await shown.end();
    } finally {
      await listener.close();
    }
  });
}

/** Calls `onChange` once the folder has changed and is quiet again, also where another one has taken its place. */
function watchFolder({ folder, poll }: PreviewOptions, onChange: () => Promise<void>) {
  let timer: NodeJS.Timeout | undefined;
  const changed = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => void onChange(), QUIET_MILLISECONDS);
  };
  const follow = () =>
    watch(folder, {
      ignoreInitial: true,
      usePolling: poll,
      interval: POLL_MILLISECONDS,
      followSymlinks: false,
      ignored: (path) => isSkipped(basename(path)),
    }).on('all', changed);
  let watched = identityOf(folder);
  let watcher = follow();
  // A watcher follows the folder that it has found, and not another one that is made at its path later.
  const replaced = setInterval(() => {
    const found = identityOf(folder);
    if (found === watched) return;
    watched = found;
    if (found === undefined) return;
    void watcher.close();
    watcher = follow();
    changed();
  }, POLL_MILLISECONDS);
  return {
    close: async (): Promise<void> => {
      clearTimeout(timer);
      clearInterval(replaced);
      await watcher.close();
    },
  };
}

/** Identity of a folder, which another one at the same path does not have; undefined without a folder. */
function identityOf(folder: string): string | undefined {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}:${found.birthtimeMs}`;
}

/** A folder, the space with its content, and the site that publishes it. */
class ShownFolder {
  private readonly caller: Caller;
  private space: string | undefined;
  private last = Promise.resolve();

  constructor(
    private readonly service: TemporaryService,
    private readonly folder: string,
    private readonly output: Output,
    private readonly onShown: () => void,
  ) {
    this.caller = { userId: service.userId, tokenId: '', organizationId: undefined, scopes: undefined };
  }

  /** Brings the site up to date with the folder, once what was begun before has ended. */
  show(): Promise<void> {
    this.last = this.last.then(() => this.update());
    return this.last;
  }

  /** Waits for what was begun. */
  end(): Promise<void> {
    return this.last;
  }

  /** A folder that cannot be imported now, as in the middle of a change, leaves the site as it is. */
  private async update(): Promise<void> {
    try {
      const source = await readFolder(this.folder);
      await this.import(source);
      this.onShown();
      await this.report(source);
    } catch (error) {
      this.output.fault(error);
      if (this.space === undefined) this.output.note('The site is shown once the folder can be read as one.');
    }
  }

  private async import(source: Folder): Promise<void> {
    const { services, organizationId, userId } = this.service;
    const title = basename(this.folder) || 'Documentation';
    const { space } = await services.get(Importer).importFolder({
      organizationId,
      userId,
      title,
      source,
      ...(this.space !== undefined && { target: { spaceId: this.space, mode: 'replace' as const } }),
    });
    if (this.space === undefined) await this.publish(space, title);
    this.space = space;
  }

  private async publish(space: string, title: string): Promise<void> {
    const { services, organizationId } = this.service;
    const sites = services.get(Sites);
    const site = await sites.create(this.caller, organizationId, { title, spaces: [space] });
    await sites.setPublished(this.caller, { id: site.id, organizationId }, true);
    const url = services.get(Addresses).published(`/${site.basename}`);
    this.output.result({}, [`The site is shown at ${url}. Stop it with Ctrl+C.`]);
  }

  private async report(source: Folder): Promise<void> {
    const { services } = this.service;
    const check = await checkFolder(source, {
      reads: services.get(PooledReads),
      specifications: services.get(SpecificationReader),
      atOnce: 1,
      signal: new AbortController().signal,
    });
    this.output.result({}, [formatReport(reportOf(check, this.folder, process.cwd()), 'text').trimEnd()]);
  }
}
