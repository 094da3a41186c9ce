import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { middle } from './measure.js';
import { pageText, type PageSource } from './pages.js';

export interface GitFigures {
  readonly pages: number;
  readonly commitMs: number;
  /** `git merge-tree` of branches that changed other pages, and the same pages at other places. */
  readonly treeOtherMs: number;
  readonly treeSameMs: number;
  /** `git merge` with its work tree. */
  readonly mergeOtherMs: number;
  readonly mergeSameMs: number;
}

const run = promisify(execFile);

/** A repository with the same pages; every merge is of branches made for it, whose objects are new to git. */
class Repository {
  private edits = 0;

  constructor(
    private readonly folder: string,
    private readonly source: PageSource,
    private readonly count: number,
  ) {}

  async git(...words: string[]): Promise<void> {
    const identity = [
      '-c',
      'user.name=Bench',
      '-c',
      'user.email=bench@example.com',
      '-c',
      'gc.auto=0',
      '-c',
      'maintenance.auto=false',
    ];
    await run('git', [...identity, ...words], {
      cwd: this.folder,
      env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
      maxBuffer: 2 ** 26,
    });
  }

  private fileOf(index: number): string {
    return `section-${index % 20}/part-${index % 400}/page-${index}.md`;
  }

  async write(indexes: readonly number[], place: 'first' | 'last' = 'last', mark = ++this.edits): Promise<string[]> {
    for (const index of indexes) {
      const file = join(this.folder, this.fileOf(index));
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, pageText(this.source, index, mark, place).markdown);
    }
    return indexes.map((index) => this.fileOf(index));
  }

  async create(): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    await this.git('init', '-q', '-b', 'main');
    await this.write(
      Array.from({ length: this.count }, (_, index) => index),
      'last',
      0,
    );
    await this.git('add', '-A');
    await this.git('commit', '-q', '-m', 'All pages');
    await this.git('repack', '-q', '-a', '-d');
  }

  /** Two fresh branches `left` and `right`, each with changes of some pages. */
  async branches(left: readonly number[], right: readonly number[]): Promise<void> {
    for (const [name, indexes, place] of [
      ['left', left, 'first'],
      ['right', right, 'last'],
    ] as const) {
      await this.git('checkout', '-q', '-B', name, 'main');
      await this.write(indexes, place);
      await this.git('commit', '-q', '-a', '-m', `Edits of ${name}`);
    }
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

type Times = Record<Exclude<keyof GitFigures, 'pages'>, number[]>;

/** Git on this machine with the same pages, measured in turns beside what is compared with it. */
export class GitPeer {
  private readonly times: Times = { commitMs: [], treeOtherMs: [], treeSameMs: [], mergeOtherMs: [], mergeSameMs: [] };
  private turn = 0;

  private constructor(
    private readonly repository: Repository,
    private readonly count: number,
    private readonly changed: number,
  ) {}

  /** Undefined if no git is installed that can merge without a work tree. */
  static async create(
    folder: string,
    source: PageSource,
    count: number,
    changed: number,
  ): Promise<GitPeer | undefined> {
    const repository = new Repository(folder, source, count);
    try {
      await repository.create();
      await repository.git('merge-tree', '--write-tree', 'main', 'main');
      return new GitPeer(repository, count, changed);
    } catch (error) {
      process.stderr.write(
        `git was not measured: ${error instanceof Error ? error.message.split('\n', 1)[0] : String(error)}\n`,
      );
      return undefined;
    }
  }

  async commit(): Promise<void> {
    const { repository, times } = this;
    const one = await repository.write([this.count - 1 - (this.turn++ % this.count)]);
    times.commitMs.push(await time(() => repository.git('commit', '-q', '-m', 'One page', '--', ...one)));
  }

  /** Merges changes of other pages, or of the same pages at other places. */
  async merge(kind: 'Other' | 'Same'): Promise<void> {
    const { repository, times, count } = this;
    const turn = this.turn++;
    const left = Array.from({ length: this.changed }, (_, index) => (turn * 7 + index * 3) % count);
    const right = kind === 'Same' ? left : left.map((index) => (index + 1) % count);
    await repository.branches(left, right);
    times[`tree${kind}Ms`].push(await time(() => repository.git('merge-tree', '--write-tree', 'left', 'right')));
    await repository.branches(left, right);
    times[`merge${kind}Ms`].push(await time(() => repository.git('merge', '-q', '-m', 'Merge', 'left')));
    await repository.git('checkout', '-q', 'main');
  }

  get figures(): GitFigures {
    const { commitMs, treeOtherMs, treeSameMs, mergeOtherMs, mergeSameMs } = this.times;
    return {
      pages: this.count,
      commitMs: middle(commitMs),
      treeOtherMs: middle(treeOtherMs),
      treeSameMs: middle(treeSameMs),
      mergeOtherMs: middle(mergeOtherMs),
      mergeSameMs: middle(mergeSameMs),
    };
  }
}
