import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { invalid } from '../common/errors.js';
import { CONFIG, type Config } from '../config.js';
import { writeFrontmatter } from '../content/markdown/frontmatter.js';
import { TooMuchHtml } from '../content/markdown/html-tree.js';
import { Outbound } from '../platform/outbound/outbound.js';
import { FileStorage } from '../platform/storage/file-storage.js';
import { archiveKind, Unpacking } from '../importing/archives/unpack.js';
import type { PlanProblem, SourceFile } from '../importing/domain/plan-model.js';
import { baseOf, directoryOf, isMarkdown, joinPath } from '../importing/domain/repository-paths.js';
import { ReadWebPage } from '../importing/domain/web-page.js';
import type { ImportSource } from '../importing/importer.service.js';
import { readFolder } from '../importing/markdown-folder.js';
import type { UploadedFile } from './uploads.service.js';
import { CRAWL_LIMITS, fetchWebsite } from '../importing/website/crawler.js';

const HEAD_BYTES = 512;
const WEB_PAGE = /\.html?$/i;
/** Bytes: its tree takes a hundred times as much memory. */
const MAX_WEB_PAGE = CRAWL_LIMITS.pageBytes;

/** A source that lies in a folder of its own, and where on the web its pages come from. */
export interface PreparedSource extends ImportSource {
  readonly addresses: ReadonlyMap<string, string>;
}

/** Lays what people upload or name into folders, for as long as somebody works with them. */
@Injectable()
export class RunSources {
  constructor(
    private readonly storage: FileStorage,
    private readonly outbound: Outbound,
    @Inject(CONFIG) private readonly config: Pick<Config, 'importMaxPages'>,
  ) {}

  /**
   * Gives `work` uploaded files as one folder; archives among them are unpacked, and nothing else is taken where they are to
   * be `archives`. Throws `invalid` for what cannot be read.
   */
  withFiles<T>(files: readonly UploadedFile[], archives: boolean, work: (source: PreparedSource) => Promise<T>): Promise<T> {
    return inFolder(async (folder) => {
      const content = join(folder, 'content');
      await mkdir(content);
      const unpacking = new Unpacking(content);
      for (const file of files) await this.lay(file, archives, join(folder, 'upload'), unpacking);
      const refused = unpacking.refused.map(({ path, message }): PlanProblem => ({ file: path, level: 'error', message }));
      const root = await onlyFolderIn(content);
      const read = await readFolder(root);
      const tooLarge = [...read.files].flatMap(([path, { size }]): PlanProblem[] => (WEB_PAGE.test(path) && size > MAX_WEB_PAGE ? [{ file: path, level: 'error', message: `a web page has at most ${MAX_WEB_PAGE} bytes` }] : []));
      for (const { file } of tooLarge) read.files.delete(file);
      const problems = [...refused, ...read.problems, ...tooLarge];
      return work({ files: withWebPages(read.files, (problem) => problems.push(problem)), problems, addresses: new Map() });
    });
  }

  /** Gives `work` a website as a folder. */
  withWebsite<T>(url: string, checkpoint: () => Promise<void>, work: (source: PreparedSource) => Promise<T>): Promise<T> {
    return inFolder(async (folder) => {
      const { addresses, problems } = await fetchWebsite(url, folder, this.outbound, { ...CRAWL_LIMITS, pages: this.config.importMaxPages }, checkpoint);
      const read = await readFolder(folder);
      return work({ files: read.files, problems: [...problems, ...read.problems], addresses });
    });
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

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'bindery-import-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
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

/** Archives often hold one folder and nothing beside it. */
async function onlyFolderIn(folder: string): Promise<string> {
  const entries = await readdir(folder, { withFileTypes: true });
  const [only] = entries;
  return entries.length === 1 && only?.isDirectory() === true && !only.name.startsWith('.') ? join(folder, only.name) : folder;
}

/** The same files with Markdown in place of HTML, which is converted when it is read; what cannot be is told, and an empty page. */
function withWebPages(files: ReadonlyMap<string, SourceFile>, tell: (problem: PlanProblem) => void): Map<string, SourceFile> {
  const taken = new Set([...files.keys()].map((path) => path.toLowerCase()));
  const renamed = new Map<string, string>();
  for (const path of files.keys()) if (WEB_PAGE.test(path)) renamed.set(path, freePath(path.replace(WEB_PAGE, ''), taken));
  const refused = new Set<string>();
  const refuse = (file: string, reason: string): void => {
    if (!refused.has(file)) tell({ file, level: 'error', message: `the page is left empty, its HTML cannot be read: ${reason}` });
    refused.add(file);
  };
  const rename = (target: string): string => target.replace(/^([^?#:]+\.html?)(?=[?#]|$)/i, (path) => path.replace(WEB_PAGE, '.md'));
  return new Map(
    [...files].map(([path, file]) => {
      const name = renamed.get(path);
      if (name === undefined) return [path, file];
      return [name, { size: file.size, read: async () => Buffer.from(markdownOf((await file.read()).toString('utf8'), path, rename, refuse)) }];
    }),
  );
}

function markdownOf(html: string, path: string, rename: (target: string) => string, refuse: (file: string, reason: string) => void): string {
  const name = baseOf(path).replace(WEB_PAGE, '');
  try {
    const { title, description, markdown } = new ReadWebPage(html, '').convert((target, kind) => (kind === 'link' ? rename(target) : target));
    return `${writeFrontmatter({ title: title || name, ...(description !== undefined && { description }) })}${markdown}`;
  } catch (error) {
    if (!(error instanceof TooMuchHtml)) throw error;
    refuse(path, error.message);
    return writeFrontmatter({ title: name });
  }
}

function freePath(path: string, taken: Set<string>): string {
  for (let number = 0; ; number++) {
    const candidate = joinPath(directoryOf(path), `${baseOf(path)}${number === 0 ? '' : `-${number}`}.md`);
    if (taken.has(candidate.toLowerCase())) continue;
    taken.add(candidate.toLowerCase());
    return candidate;
  }
}
