import type { Delta } from '../../ui/page-diff.js';

type Deltas = Readonly<Record<string, Omit<Delta, 'attribute'>>>;

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
export type OtherChange = Readonly<{ key: string; type: string; name: string; deltas: readonly Delta[] }>;

type Changes = Readonly<{ changes: readonly object[]; more?: number }>;

export type ChangedThings = ReturnType<typeof changedThings>;

/** The things that a change request or a revision changes: each page once, and everything else. */
export function changedThings({ changes, more = 0 }: Changes) {
  const pages = new Map<string, ChangedPage>();
  const others: OtherChange[] = [];
  for (const change of changes as readonly SemanticChange[]) {
    const { type, page, viewed = false, file, reusableContent, attributes, variables } = change;
    if (page) {
      const { id, title, path = '' } = page;
      pages.set(id, { id, title, path, viewed, types: [...(pages.get(id)?.types ?? []), type] });
      continue;
    }
    const deltas = Object.entries(attributes ?? variables ?? {})
      // These name documents and files in the store, which says nothing to people.
      .filter(([name]) => name !== 'document' && name !== 'downloadURL')
      .map(([attribute, delta]) => ({ attribute, ...delta }));
    const key = `${type} ${file?.id ?? reusableContent?.id ?? ''}`;
    others.push({ key, type, name: file?.name ?? reusableContent?.title ?? '', deltas });
  }
  return { pages: [...pages.values()], others, more };
}

export function withViewed<All extends Changes>(all: All, pageId: string, viewed: boolean): All {
  const changes = (all.changes as readonly SemanticChange[]).map((change) =>
    change.page?.id === pageId ? { ...change, viewed } : change,
  );
  return { ...all, changes };
}
