import { Injectable } from '@nestjs/common';
import { ContentStore, type Point } from './content-store.js';
import { readLinkTarget, type LinkTarget } from '../../formats/document/link-target.js';
import type { ContentRef } from '../../formats/document/types.js';
import type { ItemKey } from './domain/content-item.js';
import type { ResolveTarget } from '../../formats/markdown/parse-context.js';

const SPEC = /^[a-zA-Z0-9]+(?:-[a-zA-Z0-9]+)*$/;

/** An object of another change of the same batch, to which Markdown can refer as `./<ref>.md` or `./<ref>`. */
export interface BatchRef {
  readonly kind: 'page' | 'file';
  readonly id: string;
}

/** A target as written in a source, and the folder of the page with that source. */
export interface WrittenTarget {
  readonly target: string;
  readonly directory: string;
}

/** Resolves the links of Markdown in a space, for all sources of a batch at once. */
@Injectable()
export class LinkTargets {
  constructor(private readonly store: ContentStore) {}

  /** Creates a resolver per folder, over the content at a point and the references of the batch. */
  async resolve(
    point: Point,
    written: readonly WrittenTarget[],
    refs: ReadonlyMap<string, BatchRef>,
  ): Promise<(directory: string) => ResolveTarget> {
    const targets = written.map(({ target, directory }) => readLinkTarget(target, directory));
    const pages = targets.flatMap((target) => (target.kind === 'page' ? [target] : []));
    const files = targets.flatMap((target): ItemKey[] =>
      target.kind === 'file' && target.id !== undefined ? [`file:${target.id}`] : [],
    );
    const reusables = targets.flatMap((target): ItemKey[] =>
      target.kind === 'reusable' ? [`reusable:${target.id}`] : [],
    );
    const [items, paths] = await Promise.all([
      this.store.byKeys(point, [
        ...pages.flatMap(({ id }): ItemKey[] => (id === undefined ? [] : [`page:${id}`])),
        ...files,
        ...reusables,
      ]),
      this.store.byPaths(
        point,
        pages.flatMap((page) => page.paths),
      ),
    ]);
    // Undefined keeps the target as it is written: `RelativeLinks` finds what came since, and reports name what did not.
    const find = (target: LinkTarget): ContentRef | undefined => {
      if (target.kind === 'external' || target.kind === 'nothing') return undefined;
      if (target.kind === 'anchor') return { kind: 'anchor', anchor: target.anchor };
      const ref = 'ref' in target && target.ref !== undefined ? refs.get(target.ref) : undefined;
      if (target.kind === 'reusable')
        return items.has(`reusable:${target.id}`)
          ? { kind: 'reusable-content', reusableContent: target.id }
          : undefined;
      if (target.kind === 'file') {
        const known = target.id !== undefined && items.has(`file:${target.id}`) ? target.id : undefined;
        return fileReference(ref, known);
      }
      const byPath = target.paths.map((path) => paths.get(path)?.id).find((id) => id !== undefined);
      const page =
        ref?.kind === 'page' ? ref.id : target.id !== undefined && items.has(`page:${target.id}`) ? target.id : byPath;
      if (page === undefined) return undefined;
      return target.anchor === undefined ? { kind: 'page', page } : { kind: 'anchor', anchor: target.anchor, page };
    };
    return (directory) => (target, kind) => {
      if (kind === 'openapi' && SPEC.test(target)) return { kind: 'openapi', spec: target };
      const reference = find(readLinkTarget(target, directory));
      const needsFile = kind === 'image' || kind === 'file';
      return needsFile && reference?.kind !== 'file' ? undefined : reference;
    };
  }
}

function fileReference(ref: BatchRef | undefined, id: string | undefined): ContentRef | undefined {
  const file = ref?.kind === 'file' ? ref.id : id;
  return file === undefined ? undefined : { kind: 'file', file };
}
