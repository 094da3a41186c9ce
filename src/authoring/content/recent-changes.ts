import { Injectable } from '@nestjs/common';
import { Cache, textBytes } from '../../kernel/common/cache.js';
import { DomainError } from '../../kernel/common/errors.js';
import { ContentLines } from './content-lines.js';
import type { ContentPlace } from './content-places.js';
import { ContentStore, NOTHING_HIDDEN } from './content-store.js';
import { itemKey, splitKey } from './domain/content-item.js';

/** Beyond these many revisions and changed pages nothing is known of what lies between. */
const MAX_STEPS = 100;
const MAX_CHANGES = 2_000;

/** The pages that an answer about one page tells of, by their ids. */
export interface PageFamily {
  readonly above: ReadonlySet<string>;
  /** The page and all below it. */
  readonly own: ReadonlySet<string>;
}

/** The changed pages of some revisions in succession, with their parents afterwards; undefined if more changed than pages. */
interface Step {
  readonly after: string;
  readonly upTo: string;
  readonly pages: ReadonlyMap<string, string | undefined> | undefined;
}

/** The steps by which the primary line of a space came to a revision. */
interface Course {
  readonly revisionId: string;
  readonly sequence: number;
  readonly steps: readonly Step[];
}

/**
 * Changes of the latest revisions of the primary lines of spaces, read once for each revision that somebody asks for. Answers about
 * a page stay as they are while others change.
 */
@Injectable()
export class RecentChanges {
  private readonly courses = new Cache<Course>({ share: 1, weigh });
  private readonly coming = new Map<string, Promise<Course>>();

  constructor(
    private readonly store: ContentStore,
    private readonly lines: ContentLines,
  ) {}

  /** Tells whether the pages of a family are at the head of a primary line what they were at an earlier revision that was asked for. */
  async leave(family: PageFamily, before: string, place: ContentPlace): Promise<boolean> {
    if (before === place.revisionId) return true;
    const { revisionId, steps } = await this.courseTo(place);
    const first = steps.findIndex(({ after }) => after === before);
    return revisionId === place.revisionId && first >= 0 && steps.slice(first).every((step) => leaves(step, family));
  }

  /** Remembers the changes from a revision on. */
  async follow(place: ContentPlace): Promise<void> {
    await this.courseTo(place);
  }

  /** The course to the place, or to a later revision that is known already. */
  private courseTo(place: ContentPlace): Promise<Course> {
    const { revisionId, point } = place;
    const known = this.courses.get(point.spaceId);
    if (known?.revisionId === revisionId || (known && known.sequence > point.base)) return Promise.resolve(known);
    let coming = this.coming.get(revisionId);
    if (!coming) {
      coming = this.next(place, known).finally(() => this.coming.delete(revisionId));
      this.coming.set(revisionId, coming);
    }
    return coming;
  }

  private async next({ revisionId, point }: ContentPlace, known: Course | undefined): Promise<Course> {
    const step = known && (await this.step(known, revisionId, point.spaceId, point.base));
    const steps = step ? [...known.steps, step].slice(-MAX_STEPS) : [];
    const course = { revisionId, sequence: point.base, steps };
    this.courses.set(point.spaceId, course);
    return course;
  }

  /** The step from a revision to a later one; undefined if the first is not of the history, as where another database was put in place. */
  private async step(from: Course, upTo: string, spaceId: string, sequence: number): Promise<Step | undefined> {
    const before = await this.lines.revision(spaceId, from.revisionId).catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'notFound') return undefined;
      throw error;
    });
    if (before?.sequence !== from.sequence) return undefined;
    const keys = await this.store.changedBetween(spaceId, '', from.sequence, sequence);
    const step = { after: from.revisionId, upTo };
    const parts = keys.map(splitKey);
    if (keys.length > MAX_CHANGES || parts.some(({ kind }) => kind !== 'page')) return { ...step, pages: undefined };
    const point = { spaceId, line: null, sequence: 0, base: sequence, hidden: NOTHING_HIDDEN };
    const now = await this.store.byKeys(point, keys);
    return { ...step, pages: new Map(parts.map((part) => [part.id, now.get(itemKey(part))?.parentId])) };
  }
}

/** A page joins a family where its parent is one of its own, and leaves it as a page that has changed. */
function leaves({ pages }: Step, { above, own }: PageFamily): boolean {
  if (pages === undefined) return false;
  for (const [id, parent] of pages)
    if (above.has(id) || own.has(id) || (parent !== undefined && own.has(parent))) return false;
  return true;
}

function weigh({ steps }: Course): number {
  return steps.reduce(
    (sum, { pages }) =>
      [...(pages ?? [])].reduce((bytes, [id, parent = '']) => bytes + textBytes(id) + textBytes(parent) + 100, sum),
    200,
  );
}
