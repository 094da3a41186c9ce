import type { Page } from './queries.js';

/** The file or address that a cover names. */
export function coverTarget(cover: Page['cover']): { readonly file?: string; readonly url?: string } {
  const ref = cover?.['ref'];
  if (typeof ref !== 'object' || ref === null) return {};
  if ('file' in ref && typeof ref.file === 'string') return { file: ref.file };
  return 'url' in ref && typeof ref.url === 'string' ? { url: ref.url } : {};
}
