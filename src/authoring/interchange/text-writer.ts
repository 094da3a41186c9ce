import { TaskLimitExceeded, type WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { WorkerTask } from '../../kernel/platform/workers/worker-task.js';
import { withSlug, type ExportPage, type ExportPlan, type ExportSpace } from './domain/export.js';
import type { KeptText } from './domain/keep-text.js';
import { pageName } from './domain/plan-tree.js';
import { directoryOf, isMarkdown } from './domain/repository-paths.js';
import { TAGS_FILE } from './domain/tags-file.js';
import { besides, type Neighbour } from './domain/folder-neighbours.js';
import { Targets } from './domain/targets.js';
import {
  KEEP_PAGE,
  KEEP_REUSABLE_CONTENT,
  KEEP_SUMMARY,
  KEEP_TAGS,
  WRITE_PAGE,
  WRITE_REUSABLE_CONTENT,
  type KeepOrder,
  type WriteOrder,
} from './export-tasks.js';
import type { PreviousFolder } from './previous-folder.js';
import { namesUsed, placesUsed, type OtherPaths } from './rename-ids.js';
import { runResolving, type Resolving } from './resolving-task.js';

/** A page or reusable content. */
export interface ExportItem {
  readonly id: string;
  readonly title: string;
  readonly path?: string;
}

/** The pages in the folders of other spaces. */
export interface OtherPages {
  /** By the id of their space, as the exported folder sees them. */
  readonly paths: OtherPaths;
  /** Resolves targets in files that are there already; directories are relative to the exported folder. */
  readonly neighbour?: Pick<Neighbour, 'find'>;
}

interface TextOptions {
  readonly party: string | undefined;
  readonly previous: PreviousFolder | undefined;
  readonly others: OtherPages;
}

/** Writes the texts of an exported space; what means the same as what is there is kept as written. */
export class TextWriter {
  /** Resolves targets in the folder as it will be. */
  readonly targets: Pick<Targets, 'find'>;
  private readonly pathless: ReadonlySet<string>;
  private readonly tags: readonly string[];

  constructor(
    private readonly workers: WorkerPool,
    space: ExportSpace,
    private readonly plan: ExportPlan,
    private readonly options: TextOptions,
  ) {
    const placed = ({ id }: { readonly id: string }): { id: string; path: string }[] => {
      const path = plan.paths.get(id);
      return path === undefined ? [] : [{ id, path }];
    };
    this.tags = (space.tags ?? []).map(({ slug }) => slug);
    const { neighbour } = options.others;
    this.pathless = new Set(space.pages.flatMap(({ id }) => (plan.paths.has(id) ? [] : [id])));
    const targets = new Targets(
      space.pages.flatMap(placed),
      space.files.flatMap(placed),
      space.reusableContents.flatMap(placed),
      plan,
    );
    this.targets = neighbour ? besides(targets, '', neighbour) : targets;
  }

  page(page: ExportPage, json: string | null): Promise<string | Buffer> {
    const unlisted = this.plan.unlisted.has(page.id) && page.attributes?.hidden === true;
    return this.write(WRITE_PAGE, KEEP_PAGE, withSlug(page, this.plan), json, (path) => ({
      unlisted,
      implied: {
        ...(unlisted && { title: pageName(path) }),
        ...(page.slug !== undefined && { slug: page.slug }),
        ...(page.linkTitle !== undefined && { linkTitle: page.linkTitle }),
      },
    }));
  }

  reusableContent(content: ExportItem, json: string | null): Promise<string | Buffer> {
    return this.write(WRITE_REUSABLE_CONTENT, KEEP_REUSABLE_CONTENT, content, json, () => ({
      unlisted: false,
      implied: {},
    }));
  }

  /** A text that describes the whole space. */
  async other(path: string, after: string): Promise<string | Buffer> {
    const { party, previous } = this.options;
    if (previous === undefined || path !== previous.config.summary) return after;
    const before = await previous.text(path);
    if (before?.text === undefined) return after;
    const markdown = [...this.plan.paths.values()].filter(isMarkdown);
    const kept = await this.workers
      .run(KEEP_SUMMARY, { before: before.text, after, summary: path, markdown }, { party })
      .catch(orElse(after));
    return kept === before.text ? before.bytes : kept;
  }

  /** The file of tags; undefined for a space without any, where none was. */
  async tagsFile(after: string | undefined): Promise<string | Buffer | undefined> {
    const { party, previous } = this.options;
    const before = await previous?.text(TAGS_FILE);
    if (before?.text === undefined) return before && after === undefined ? before.bytes : after;
    const kept = await this.workers.run(KEEP_TAGS, { before: before.text, after }, { party }).catch(orElse(after));
    return kept === before.text ? before.bytes : kept;
  }

  private async write<Item extends ExportItem>(
    task: WorkerTask<WriteOrder<Item>, string>,
    keepTask: WorkerTask<KeepOrder<Item> & Resolving, KeptText>,
    item: Item,
    json: string | null,
    facts: (path: string) => Pick<KeepOrder<Item>, 'unlisted' | 'implied'>,
  ): Promise<string | Buffer> {
    const { party, previous, others } = this.options;
    const path = this.plan.paths.get(item.id) ?? '';
    const whole = `${json ?? ''}${JSON.stringify(item)}`;
    const paths = new Map([...namesUsed(whole, this.plan.paths), ...placesUsed(whole, others.paths)]);
    const order = { item, json, path, paths };
    const before = await previous?.text(item.path !== undefined && previous.has(item.path) ? item.path : path);
    // A page has nothing of a text that was too long to be read.
    if (before && before.text === undefined && json === null) return before.bytes;
    if (before?.text === undefined) return this.workers.run(task, order, { party });
    const find = (targets: readonly string[]) => targets.map((target) => this.targets.find(directoryOf(path), target));
    const keep = { ...order, pathless: this.pathless, tags: this.tags, before: before.text, ...facts(path) };
    const kept = await runResolving(this.workers, keepTask, keep, find, { party }).catch(orElse(undefined));
    if (kept === undefined) return this.workers.run(task, order, { party });
    return kept.unchanged ? before.bytes : kept.text;
  }
}

/** A text that takes too much time or memory to compare is written anew. */
export function orElse<Instead>(instead: Instead): (error: unknown) => Instead {
  return (error) => {
    if (error instanceof TaskLimitExceeded || error instanceof RangeError) return instead;
    throw error;
  };
}
