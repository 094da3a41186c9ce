import { Injectable } from '@nestjs/common';
import { isWrittenTarget } from '../../formats/document/link-target.js';
import type { ContentRef } from '../../formats/document/types.js';
import { ContentStore, type Point } from './content-store.js';
import { ancestorsOf, indexPages } from './domain/page-paths.js';
import { LinkTargets } from './link-targets.js';

/** The folder from which relative links of reusable contents lead. */
const ROOT_FOLDER = '';

/** References, and the path of the folder of the page with them. */
export interface WrittenReferences {
  readonly references: readonly ContentRef[];
  readonly directory: string;
}

/** The targets of relative links that were kept as they were written. */
export class RelativeTargets {
  constructor(private readonly found: ReadonlyMap<string, ContentRef | undefined>) {}

  /** All that they lead to. */
  get references(): ContentRef[] {
    return [...this.found.values()].flatMap((ref) => ref ?? []);
  }

  /** The reference itself if it is no such link; undefined for one that leads nowhere. */
  of(ref: ContentRef, directory: string): ContentRef | undefined {
    if (ref.kind !== 'url') return ref;
    const key = [keyOf(ref.url, directory), keyOf(ref.url, ROOT_FOLDER)].find((each) => this.found.has(each));
    return key === undefined ? ref : this.found.get(key);
  }
}

function keyOf(url: string, directory: string): string {
  return JSON.stringify([url, directory]);
}

/**
 * Resolves relative links that were kept as they were written because their targets were not there, when they are read:
 * they lead to what has come since, and nowhere when it has gone again. Texts without such links cost nothing.
 */
@Injectable()
export class RelativeLinks {
  constructor(
    private readonly targets: LinkTargets,
    private readonly store: ContentStore,
  ) {}

  async of(point: Point, written: readonly WrittenReferences[]): Promise<RelativeTargets> {
    const links = written.flatMap(({ references, directory }) =>
      references.filter(isWrittenTarget).map(({ url }) => ({ target: url, directory })),
    );
    if (links.length === 0) return new RelativeTargets(new Map());
    const resolvers = await this.targets.resolve(point, links, new Map());
    return new RelativeTargets(
      new Map(
        links.map(({ target, directory }) => [
          keyOf(target, directory),
          resolvers(directory)(target, 'link', 1) ?? undefined,
        ]),
      ),
    );
  }

  /** The path of the folder of a page; not looked up if the references do not depend on it. */
  async folderOf(point: Point, page: string, references: readonly ContentRef[]): Promise<string> {
    if (!references.some(isWrittenTarget)) return ROOT_FOLDER;
    const around = await this.store.withAncestors(point, [page]);
    const own = around.find(({ id }) => id === page);
    return own
      ? ancestorsOf(own, indexPages(around))
          .flatMap(({ slug }) => slug ?? [])
          .join('/')
      : ROOT_FOLDER;
  }
}
