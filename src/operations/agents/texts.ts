import type { ApiCall, CallApi } from './api-calls.js';

/** Pages of one answer, and characters of a page in one. */
const LISTED_PAGES = 200;
const PAGE_CHARACTERS = 50_000;

/** A page in the tree of a line, as the API lists it. */
export interface TreeEntry {
  readonly id: string;
  readonly title: string;
  readonly path?: string;
  readonly type: string;
  readonly pages?: readonly TreeEntry[];
}

/** A page with its text. */
export interface PageText extends TreeEntry {
  readonly description?: string;
  readonly markdown?: string;
}

/** An answer of the API as it is; of a list its entries and the way to read on. */
export async function listed(call: CallApi, path: string, query: NonNullable<ApiCall['query']>): Promise<string> {
  const { body } = await call<object>({ method: 'GET', path, query });
  if (!('items' in body)) return JSON.stringify(body);
  const { items, next } = body as { items: unknown; next?: { page: string } };
  return JSON.stringify({ items, ...(next && { next: next.page }) });
}

/** Pages as an indented list with ids and paths. */
export function treeText(pages: readonly TreeEntry[], offset: number): string {
  const lines: string[] = [];
  const walk = (level: readonly TreeEntry[], depth: number): void => {
    for (const { id, title, path, type, pages: below = [] } of level) {
      const kind = type === 'document' ? '' : `, ${type}`;
      lines.push(
        `${'  '.repeat(depth)}- ${title.replace(/\s+/g, ' ')} (${id}${path === undefined ? '' : `, ${path}`}${kind})`,
      );
      walk(below, depth + 1);
    }
  };
  walk(pages, 0);
  const part = lines.slice(offset, offset + LISTED_PAGES);
  const rest = lines.length - offset - part.length;
  if (part.length === 0) return 'There are no more pages.';
  return rest > 0
    ? `${part.join('\n')}\n(${rest} more pages: ask again with the offset ${offset + part.length}.)`
    : part.join('\n');
}

/** A page: what identifies it, then a part of its text. */
export function pageText({ id, title, path, description, markdown = '' }: PageText, offset: number): string {
  const part = markdown.slice(offset, offset + PAGE_CHARACTERS);
  const rest = markdown.length - offset - part.length;
  const head = JSON.stringify({ id, title, path, description });
  return [
    head,
    part,
    ...(rest > 0 ? [`(${rest} more characters: ask again with the offset ${offset + part.length}.)`] : []),
  ].join('\n\n');
}
