/** Values before and after; absent where there is none. */
export interface Delta {
  readonly before?: unknown;
  readonly after?: unknown;
}

/** A change as the interface lists it. */
interface SemanticChange {
  readonly type: string;
  readonly page?: { readonly id: string; readonly title: string; readonly path?: string };
  readonly viewed?: boolean;
  readonly file?: { readonly id: string; readonly name: string };
  readonly reusableContent?: { readonly id: string; readonly title: string };
  readonly attributes?: Readonly<Record<string, Delta>>;
  readonly variables?: Readonly<Record<string, Delta>>;
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
  readonly deltas: readonly (readonly [string, Delta])[];
}

export interface ChangedThings {
  readonly pages: readonly ChangedPage[];
  readonly others: readonly OtherChange[];
  /** Changes that are not listed. */
  readonly more: number;
}

/** What a change request changes: each page once, and everything else. */
export function changedThings({
  changes,
  more = 0,
}: {
  readonly changes: readonly object[];
  readonly more?: number;
}): ChangedThings {
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
    deltas: Object.entries(attributes ?? variables ?? {}).filter(
      ([name]) => name !== 'document' && name !== 'downloadURL',
    ),
  };
}

/** The pages with the mark of one of them changed. */
export function withViewed<Changes extends { readonly changes: readonly object[] }>(
  changes: Changes,
  pageId: string,
  viewed: boolean,
): Changes {
  return {
    ...changes,
    changes: (changes.changes as readonly SemanticChange[]).map((change) =>
      change.page?.id === pageId ? { ...change, viewed } : change,
    ),
  };
}
