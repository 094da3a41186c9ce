import { addressFault, isWrittenPicture } from '../../kernel/common/safe-address.js';
import type { ContentRef } from './types.js';

/** The possible meanings of a target in Markdown, as far as its text shows. */
export type LinkTarget =
  | { readonly kind: 'external' }
  | { readonly kind: 'anchor'; readonly anchor: string }
  /** Intended as a page: by reference of the batch, by id, or by path; the first that exists counts. */
  | {
      readonly kind: 'page';
      readonly ref?: string;
      readonly id?: string;
      readonly paths: readonly string[];
      readonly anchor?: string;
    }
  | { readonly kind: 'file'; readonly ref?: string; readonly id?: string }
  | { readonly kind: 'reusable'; readonly id: string }
  /** Intended as an internal target, but no such object can exist. */
  | { readonly kind: 'nothing' };

/** Tells whether a target of a source may be stored as an address; that of an image may contain the image itself. */
export function isStorable(target: string, isPicture = false): boolean {
  return addressFault(target) === undefined || (isPicture && isWrittenPicture(target));
}

/** Converts a target of a source to an address. One that may not be stored becomes empty and leads nowhere. */
export function addressReference(target: string, isPicture = false): Extract<ContentRef, { kind: 'url' }> {
  return { kind: 'url', url: isStorable(target, isPicture) ? target : '' };
}

/**
 * Tells whether a reference is an address that is kept as it was written, although it means a page, a file or a reusable
 * content of its space: one that was not there.
 */
export function isWrittenTarget(ref: ContentRef): ref is Extract<ContentRef, { kind: 'url' }> {
  if (ref.kind !== 'url' || SCHEME.test(ref.url) || ref.url.startsWith('//')) return false;
  const { kind } = readLinkTarget(ref.url, '');
  return kind === 'page' || kind === 'file' || kind === 'reusable';
}

const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const ID = /^[a-zA-Z0-9]{1,40}$/;

/**
 * Parses a target: `/pages/<id or path>`, `/files/<id>`, `/reusable-contents/<id>`, addresses of our own files,
 * `./<ref>.md`, `./<ref>`, relative and absolute paths of Markdown files, `#anchor`; every target with a scheme is an
 * address. `directory` is the path of the page's folder.
 */
export function readLinkTarget(target: string, directory: string): LinkTarget {
  if (/^data:/i.test(target)) return { kind: 'nothing' };
  if (SCHEME.test(target) || target.startsWith('//')) {
    const own = /^https?:\/\/[^/]+\/~files\/([a-zA-Z0-9]{1,40})\//.exec(target)?.[1];
    return own === undefined ? { kind: 'external' } : { kind: 'file', id: own };
  }
  const [location = '', anchor] = splitAnchor(target);
  const withAnchor = anchor === undefined || anchor === '' ? {} : { anchor };
  if (location === '') return anchor === undefined || anchor === '' ? { kind: 'nothing' } : { kind: 'anchor', anchor };
  const path = decode(location);
  const page = /^\/pages\/(.+)$/.exec(path)?.[1];
  if (page !== undefined) {
    return {
      kind: 'page',
      ...(ID.test(page) && { id: page }),
      paths: [pagePath(page.split('/'))].filter(Boolean),
      ...withAnchor,
    };
  }
  const file = /^\/files\/([^/]+)$/.exec(path)?.[1];
  if (file !== undefined) return { kind: 'file', id: file };
  const reusable = /^\/reusable-contents\/([a-zA-Z0-9]{1,40})$/.exec(path)?.[1];
  if (reusable !== undefined) return { kind: 'reusable', id: reusable };
  const ref = /^\.\/([^/]+?)(\.md)?$/.exec(path);
  const segments = path.startsWith('/') ? path.split('/') : [...directory.split('/'), ...path.split('/')];
  if (/\.md$/i.test(path) || path.endsWith('/')) {
    return {
      kind: 'page',
      ...(ref?.[1] !== undefined && { ref: ref[1] }),
      paths: [pagePath(segments)].filter(Boolean),
      ...withAnchor,
    };
  }
  return ref?.[1] !== undefined ? { kind: 'file', ref: ref[1] } : { kind: 'nothing' };
}

function splitAnchor(target: string): [string, string | undefined] {
  const hash = target.indexOf('#');
  return hash < 0 ? [target, undefined] : [target.slice(0, hash), decode(target.slice(hash + 1))];
}

/** The page path of a Markdown file: without `.md` and `README`, dots resolved, in lower case. */
function pagePath(segments: readonly string[]): string {
  const path: string[] = [];
  for (const segment of segments) {
    if (segment === '..') path.pop();
    else if (segment !== '' && segment !== '.') path.push(segment);
  }
  const last = path.pop();
  if (last !== undefined && !/^readme(\.md)?$/i.test(last)) path.push(last.replace(/\.md$/i, ''));
  return path.join('/').toLowerCase();
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
