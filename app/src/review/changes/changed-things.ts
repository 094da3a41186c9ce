import type { Delta } from '../../ui/page-diff.js';

type Deltas = Readonly<Record<string, Omit<Delta, 'attribute'>>>;

/** A change as the interface lists it. */
interface SemanticChange {
  readonly type: string;
  readonly page?: { readonly id: string; readonly title: string; readonly path?: string };
  readonly viewed?: boolean;
  readonly file?: { readonly id: string; readonly name: string };
  readonly reusableContent?: { readonly id: string; readonly title: string };
  readonly attributes?: Deltas;
  readonly variables?: Deltas;
}

export interface ChangedPage {
  readonly id: string;
  readonly title: string;
  readonly path: string;
  /** `page_created`, `page_edited`, `page_moved`, `page_deleted`. */
  readonly types: readonly string[];
  readonly viewed: boolean;
}

/** A file, a reusable content or the variables, with what differs. */
export interface OtherChange {
  readonly key: string;
  readonly type: string;
  readonly name: string;
  readonly deltas: readonly Delta[];
}

export interface ChangedThings {
  readonly pages: readonly ChangedPage[];
  readonly others: readonly OtherChange[];
  /** Changes that are not listed. */
  readonly more: number;
}

interface Changes {
  readonly changes: readonly object[];
  readonly more?: number;
}

/** The things that a change request or a revision changes: each page once, and everything else. */
export function changedThings({ changes, more = 0 }: Changes): ChangedThings {
  const pages = new Map<string, ChangedPage>();
  const others: OtherChange[] = [];
  for (const { type, page, viewed = false, ...rest } of changes as readonly SemanticChange[]) {
    if (page) {
      const { id, title, path = '' } = page;
      pages.set(id, { id, title, path, viewed, types: [...(pages.get(id)?.types ?? []), type] });
    } else others.push(otherChange({ type, ...rest }));
  }
  return { pages: [...pages.values()], others, more };
}

function otherChange({ type, file, reusableContent, attributes, variables }: SemanticChange): OtherChange {
  return {
    key: `${type} ${file?.id ?? reusableContent?.id ?? ''}`,
    type,
    name: file?.name ?? reusableContent?.title ?? '',
    // Where texts and files themselves differ, their names in the store say nothing to people.
    deltas: Object.entries(attributes ?? variables ?? {})
      .filter(([name]) => name !== 'document' && name !== 'downloadURL')
      .map(([attribute, delta]) => ({ attribute, ...delta })),
  };
}

/** The changes with the mark of one page changed. */
export function withViewed<All extends Changes>(all: All, pageId: string, viewed: boolean): All {
  const changes = (all.changes as readonly SemanticChange[]).map((change) =>
    change.page?.id === pageId ? { ...change, viewed } : change,
  );
  return { ...all, changes };
}
