import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/common/errors.js';
import { CONFIG, type Config } from '../../kernel/platform/config/config.js';
import { writeFrontmatter } from '../../formats/markdown/frontmatter.js';
import { FreeNames } from '../../authoring/content/domain/free-names.js';
import { Outbound } from '../../kernel/platform/outbound/outbound.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { withWorkFolder } from '../../kernel/platform/storage/work-folders.js';
import { archiveKind, Unpacking } from '../../authoring/interchange/archives/unpack.js';
import type { PlanProblem, SourceFile } from '../../authoring/interchange/domain/plan-model.js';
import { baseOf, directoryOf, isMarkdown, joinPath } from '../../authoring/interchange/domain/repository-paths.js';
import { detectTool } from '../../authoring/interchange/domain/tools/detect.js';
import type { ImportSource } from '../../authoring/interchange/import-order.js';
import { readFolder, type Folder } from '../../authoring/interchange/markdown-folder.js';
import { WebPageReads } from '../../authoring/interchange/web-page-reads.js';
import { WEB_PAGE } from '../../authoring/interchange/web-page-tasks.js';
import type { ActiveRun } from './active-run.js';
import type { UploadedFile } from '../../workspace/uploads/uploads.service.js';
import { CRAWL_LIMITS, fetchWebsite } from '../../authoring/interchange/website/crawler.js';

const HEAD_BYTES = 512;
/** In bytes: its tree takes a hundred times as much memory. */
const MAX_WEB_PAGE = CRAWL_LIMITS.pageBytes;

/** A source in a folder of its own, with the web addresses of its pages. */
export interface PreparedSource extends ImportSource {
  readonly addresses: ReadonlyMap<string, string>;
}

/** The part of a run that is needed to prepare its source. */
type Work = Pick<ActiveRun, 'organizationId' | 'checkpoint'>;

/** Provides uploaded or named sources as folders while the work runs. */
@Injectable()
export class RunSources {
  constructor(
    private readonly storage: FileStorage,
    private readonly outbound: Outbound,
    private readonly reads: WebPageReads,
    @Inject(CONFIG) private readonly config: Pick<Config, 'importMaxPages'>,
  ) {}

  /**
   * Calls `work` with uploaded files as one folder; archives among them are unpacked, and only archives are accepted if
   * they must be `archives`. Throws `invalid` for files that cannot be read.
   */
  withFiles<T>(
    run: Work,
    files: readonly UploadedFile[],
    archives: boolean,
    work: (source: PreparedSource) => Promise<T>,
  ): Promise<T> {
    return withWorkFolder(async (folder) => {
      const content = join(folder, 'content');
      await mkdir(content);
      const unpacking = new Unpacking(content);
      for (const file of files) await this.lay(file, archives, join(folder, 'upload'), unpacking);
      const refused = problemsOf(unpacking);
      const root = await onlyFolderIn(content);
      const read = await readFolder(root);
      const tooLarge = [...read.files].flatMap(([path, { size }]): PlanProblem[] =>
        WEB_PAGE.test(path) && size > MAX_WEB_PAGE
          ? [{ file: path, level: 'error', message: `a web page has at most ${MAX_WEB_PAGE} bytes` }]
          : [],
      );
      for (const { file } of tooLarge) read.files.delete(file);
      const converted = await this.withoutWebPages(run, read.files, join(folder, 'converted'));
      return work({
        files: converted.files,
        problems: [...refused, ...read.problems, ...tooLarge, ...converted.problems],
        addresses: new Map(),
      });
    });
  }

  /** Calls `work` with the files of archives as they are, none for no archive, and with a folder that it may write to. */
  withFolder<T>(archives: readonly UploadedFile[], work: (source: Folder, folder: string) => Promise<T>): Promise<T> {
    return withWorkFolder(async (folder) => {
      const content = join(folder, 'content');
      await mkdir(content);
      const unpacking = new Unpacking(content);
      for (const archive of archives) await this.lay(archive, true, join(folder, 'upload'), unpacking);
      const { files, problems } = await readFolder(content);
      return work({ files, problems: [...problemsOf(unpacking), ...problems] }, folder);
    });
  }

  /** Calls `work` with a website as a folder. */
  withWebsite<T>(
    { organizationId, checkpoint }: Work,
    url: string,
    work: (source: PreparedSource) => Promise<T>,
  ): Promise<T> {
    return withWorkFolder(async (folder) => {
      const limits = { ...CRAWL_LIMITS, pages: this.config.importMaxPages };
      const { addresses, problems } = await fetchWebsite(url, folder, {
        outbound: this.outbound,
        reads: this.reads,
        limits,
        party: organizationId,
        checkpoint,
      });
      const read = await readFolder(folder);
      return work({ files: read.files, problems: [...problems, ...read.problems], addresses });
    });
  }

  /** Replaces HTML files by Markdown in a new folder; a page that cannot be read becomes an empty one. */
  private async withoutWebPages(
    { organizationId, checkpoint }: Work,
    files: ReadonlyMap<string, SourceFile>,
    folder: string,
  ): Promise<{ files: Map<string, SourceFile>; problems: PlanProblem[] }> {
    // An export is read as a whole, with its pages as they are.
    if (detectTool([...files.keys()])?.tool === 'confluence') return { files: new Map(files), problems: [] };
    await mkdir(folder);
    const names = new FreeNames(files.keys(), (path) => path.toLowerCase());
    const converted = new Map<string, SourceFile>();
    const problems: PlanProblem[] = [];
    for (const [path, file] of files) {
      if (!WEB_PAGE.test(path)) {
        converted.set(path, file);
        continue;
      }
      await checkpoint();
      const stem = joinPath(directoryOf(path), baseOf(path).replace(WEB_PAGE, ''));
      const read = await this.reads.fileMarkdown((await file.read()).toString('utf8'), organizationId);
      if ('fault' in read)
        problems.push({
          file: path,
          level: 'error',
          message: `the page is left empty, its HTML cannot be read: ${read.fault}`,
        });
      const { title, description, markdown } = 'fault' in read ? { title: '', markdown: '' } : read;
      const bytes = Buffer.from(
        `${writeFrontmatter({ title: title || baseOf(stem), ...(description !== undefined && { description }) })}${markdown}`,
      );
      const at = join(folder, `${converted.size}.md`);
      await writeFile(at, bytes, { flag: 'wx' });
      converted.set(
        names.take((number) => `${stem}${number === 0 ? '' : `-${number}`}.md`),
        { size: bytes.length, read: () => readFile(at) },
      );
    }
    return { files: converted, problems };
  }

  private async lay(file: UploadedFile, isArchive: boolean, path: string, unpacking: Unpacking): Promise<void> {
    await pipeline(await this.storage.get(file.hash), createWriteStream(path, { flags: 'wx' }));
    const kind = archiveKind(await headOf(path));
    if (kind !== undefined) await unpacking.unpack(path, kind);
    else if (isArchive) throw invalid('body', 'is neither a zip, a tar nor a tar.gz archive');
    else if (isMarkdown(file.name) || WEB_PAGE.test(file.name)) await unpacking.lay(file.name, createReadStream(path));
    else throw invalid('source.files', `${file.name} is neither Markdown, HTML, nor a zip or tar archive of these`);
    await rm(path);
  }
}

/** The entries of archives that were left out. */
function problemsOf({ refused }: Unpacking): PlanProblem[] {
  return refused.map(({ path, message }) => ({ file: path, level: 'error', message }));
}

async function headOf(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Archives often contain a single folder. */
async function onlyFolderIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const [only] = entries;
  return entries.length === 1 && only?.isDirectory() === true && !only.name.startsWith('.')
    ? join(folder, only.name)
    : folder;
}
