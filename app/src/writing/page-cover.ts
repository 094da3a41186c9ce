import type { Page, SpaceFile } from './queries.js';

/** The file or address that a cover names. */
export function coverTarget(cover: Page['cover']): { readonly file?: string; readonly url?: string } {
  const ref = cover?.['ref'];
  if (typeof ref !== 'object' || ref === null) return {};
  if ('file' in ref && typeof ref.file === 'string') return { file: ref.file };
  return 'url' in ref && typeof ref.url === 'string' ? { url: ref.url } : {};
}

/** Where the picture of a cover is read; undefined for pictures elsewhere, which the workspace does not load. */
export function coverAddress(cover: Page['cover'], files: readonly SpaceFile[] = []): string | undefined {
  const { file } = coverTarget(cover);
  return file === undefined ? undefined : files.find(({ id }) => id === file)?.downloadURL;
}
