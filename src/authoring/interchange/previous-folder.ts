import type { WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { RepositoryConfig } from './domain/gitbook-yaml.js';
import { pageFinder } from './domain/plan-tree.js';
import { decodePath, isMarkdown } from './domain/repository-paths.js';
import type { SummaryEntry } from './domain/summary.js';
import { MAX_FOLDER_TEXT, textOfBytes } from './domain/text-bytes.js';
import { READ_SLUG, READ_SUMMARY } from './source-tasks.js';

/** Reads the bytes of a file as it was before an export. */
export type PreviousFile = () => Promise<Buffer>;

/** A text as it was before an export. */
export interface PreviousText {
  readonly bytes: Buffer;
  /** Undefined where it is longer than any text that is read. */
  readonly text: string | undefined;
}

/** The folder that an export changes; all paths are relative to the root of the documentation. */
export class PreviousFolder {
  constructor(
    private readonly files: ReadonlyMap<string, PreviousFile>,
    readonly config: Pick<RepositoryConfig, 'summary'>,
    private readonly workers: WorkerPool,
    private readonly party: string,
  ) {}

  /** Undefined for a file that is not there. */
  async text(path: string): Promise<PreviousText | undefined> {
    const bytes = await this.files.get(path)?.();
    return bytes && { bytes, text: bytes.length > MAX_FOLDER_TEXT ? undefined : textOfBytes(bytes) };
  }

  has(path: string): boolean {
    return this.files.has(path);
  }

  /** The slug that a page says itself. A text that cannot be read says none. */
  async slug(path: string): Promise<string | undefined> {
    const text = (await this.text(path))?.text;
    return text === undefined
      ? undefined
      : this.workers.run(READ_SLUG, text, { party: this.party }).catch(() => undefined);
  }

  /** The pages that the table of contents does not name; none without one. */
  async unlisted(): Promise<ReadonlySet<string>> {
    const { summary } = this.config;
    const text = (await this.text(summary))?.text;
    if (text === undefined) return new Set();
    const markdown = new Set([...this.files.keys()].filter((path) => isMarkdown(path) && path !== summary));
    const find = pageFinder(summary, markdown);
    const { groups } = await this.workers.run(READ_SUMMARY, text, { party: this.party }).catch(() => ({ groups: [] }));
    const strike = ({ target, children }: SummaryEntry): void => {
      const page = target === undefined ? undefined : find(decodePath(target).replace(/#.*$/s, ''));
      if (page !== undefined) markdown.delete(page);
      children.forEach(strike);
    };
    for (const { entries } of groups) entries.forEach(strike);
    return markdown;
  }
}
