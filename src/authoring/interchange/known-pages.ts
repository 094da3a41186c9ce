import { createHash } from 'node:crypto';
import { VERSION } from '../../version.js';
import type { Item } from '../content/domain/content-item.js';
import type { FileMetadata } from '../content/domain/content-change.js';
import type { GitBlob, GitObjects } from './git/git-objects.js';
import type { DesiredFile } from './import-changes.js';
import type { SpaceOutline } from './space-content.js';

/** A page of a space, made by an earlier import of the same repository from the same source file. */
export interface KnownPage {
  readonly title: string;
  readonly slug: string;
  /** True if the file has the same bytes now. */
  readonly isUnchanged: boolean;
}

/** The pages and files of a space, by the paths of their sources in the folder. */
export interface KnownSources {
  readonly pages: ReadonlyMap<string, KnownPage>;
  /** The files that have the same bytes now, as they are stored. */
  readonly files: ReadonlyMap<string, DesiredFile['stored']>;
}

/**
 * The hash of everything that the pages of a folder depend on beside their own sources: the paths of all files, the bytes of those that
 * are no pages (tables of contents, configuration, included texts, images), and the version of this program.
 */
export function contextHashOf(objects: GitObjects, pages: ReadonlySet<string>): string {
  const hash = createHash('sha256').update(JSON.stringify(VERSION));
  for (const path of [...objects.keys()].sort())
    hash.update(JSON.stringify(pages.has(path) ? [path] : [path, objects.get(path)?.oid]));
  return hash.digest('base64url');
}

/** The pages and files that a space has of a commit; undefined if anything that its pages depend on has changed since they were read. */
export function knownSources(
  { pages, files }: Pick<SpaceOutline, 'pages' | 'files'>,
  objects: GitObjects,
  contextHash: string,
): KnownSources | undefined {
  const paths = new Map([...objects].map(([path, blob]) => [blob.path, path]));
  const known = new Map<string, KnownPage>();
  for (const page of pages) {
    const blob = blobOf(page);
    const path = blob && paths.get(blob.path);
    if (path === undefined || page.slug === null) continue;
    // A file that is two pages has no single place.
    if (known.has(path)) return undefined;
    known.set(path, { title: page.title, slug: page.slug, isUnchanged: objects.get(path)?.oid === blob?.oid });
  }
  if (contextHashOf(objects, new Set(known.keys())) !== contextHash) return undefined;
  const stored = files.flatMap((file) => {
    const path = paths.get(blobOf(file)?.path ?? '');
    return path === undefined || file.hash === null ? [] : [[path, storedOf(file.hash, file)] as const];
  });
  return { pages: known, files: new Map(stored) };
}

function storedOf(hash: string, { props }: Item): DesiredFile['stored'] {
  const { contentType, size, width, height } = props as Omit<FileMetadata, 'name' | 'hash'>;
  return { hash, contentType, size, ...(width !== undefined && { width }), ...(height !== undefined && { height }) };
}

const blobOf = ({ props }: Item): GitBlob | undefined => props['git'] as GitBlob | undefined;
