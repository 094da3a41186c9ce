import type { ContentRef } from '../../../formats/document/types.js';
import { parseReferenceUri } from '../../../formats/markdown/references.js';
import type { PlannedFile, PlannedPage, PlannedReusableContent } from './plan-model.js';
import { decodePath, directoryOf, joinPath, normalizePath } from './repository-paths.js';

export interface FoundTarget {
  ref?: ContentRef;
  /** True if the target is a path, so it should have been found. */
  local: boolean;
}

/** Resolves the targets in the files of a repository. */
export class Targets {
  private readonly pages = new Map<string, string>();
  private readonly files = new Map<string, string>();
  private readonly contents = new Map<string, string>();
  private readonly lowercase = new Map<string, string>();

  constructor(
    pages: Iterable<Pick<PlannedPage, 'id' | 'path'>>,
    files: readonly Pick<PlannedFile, 'id' | 'path'>[],
    contents: readonly Pick<PlannedReusableContent, 'id' | 'path'>[],
    private readonly config: { readonly redirects: ReadonlyMap<string, string> },
    /** For paths that lead out of the folder: its own, and the files outside of it that are read by another path. */
    private readonly outside?: { readonly root: string; readonly moved: ReadonlyMap<string, string> },
  ) {
    for (const page of pages) if (page.path !== undefined) this.pages.set(page.path, page.id);
    for (const file of files) this.files.set(file.path, file.id);
    for (const content of contents) this.contents.set(content.path, content.id);
    for (const path of [...this.pages.keys(), ...this.files.keys(), ...this.contents.keys()]) {
      if (!this.lowercase.has(path.toLowerCase())) this.lowercase.set(path.toLowerCase(), path);
    }
  }

  /** Resolves `target` in a file of `directory`. */
  find(directory: string, target: string): FoundTarget {
    const own = parseReferenceUri(target);
    if (own !== undefined) return { ref: own, local: false };
    if (target === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return { local: false };
    const hash = target.indexOf('#');
    const path = hash === -1 ? target : target.slice(0, hash);
    const anchor = hash === -1 ? '' : decodePath(target.slice(hash + 1));
    if (path === '') return anchor === '' ? { local: false } : { ref: { kind: 'anchor', anchor }, local: true };
    const found = this.findPath(directory, path);
    if (found === undefined) return { local: true };
    const page = this.pages.get(found);
    if (page !== undefined)
      return { ref: anchor === '' ? { kind: 'page', page } : { kind: 'anchor', page, anchor }, local: true };
    const content = this.contents.get(found);
    if (content !== undefined) return { ref: { kind: 'reusable-content', reusableContent: content }, local: true };
    const file = this.files.get(found);
    return file === undefined ? { local: true } : { ref: { kind: 'file', file }, local: true };
  }

  /** Finds a path as written, decoded, without its extension, of a folder, in other case, or redirected. */
  private findPath(directory: string, target: string, redirected = false): string | undefined {
    for (const written of writtenPaths(directory, target)) {
      const path = normalizePath(written) ?? this.movedPath(written);
      if (path === undefined) continue;
      const candidates = [
        path,
        `${path}.md`,
        joinPath(path, 'README.md'),
        joinPath(path, 'index.md'),
        `${path}.mdx`,
        joinPath(path, 'index.mdx'),
      ];
      const exact = candidates.find((candidate) => this.has(candidate));
      if (exact !== undefined) return exact;
      const similar = candidates
        .map((candidate) => this.lowercase.get(candidate.toLowerCase()))
        .find((candidate) => candidate !== undefined);
      if (similar !== undefined) return similar;
      // Pages that were published as HTML are still linked to by that extension.
      const source = /\.html?$/i.test(path) ? path.replace(/\.html?$/i, '.md') : undefined;
      if (source !== undefined && this.has(source)) return source;
      const redirect = redirected ? undefined : this.config.redirects.get(path);
      if (redirect !== undefined) return this.findPath(directoryOf(''), redirect.replace(/#.*$/s, ''), true);
    }
    return undefined;
  }

  private movedPath(written: string): string | undefined {
    const whole = this.outside && normalizePath(joinPath(this.outside.root, written));
    return whole === undefined ? undefined : this.outside?.moved.get(whole);
  }

  private has(path: string): boolean {
    return this.pages.has(path) || this.files.has(path) || this.contents.has(path);
  }
}

/**
 * The possible paths of a target: as written, decoded, without a query. Asset paths are often written as if every page
 * were at the root.
 */
function writtenPaths(directory: string, target: string): string[] {
  const forms = [...new Set([target, decodePath(target), decodePath(target.replace(/\?.*$/s, ''))])];
  const assets = forms.flatMap((form) => /(?:^|\/)(\.gitbook\/assets\/.*)$/s.exec(form)?.[1] ?? []);
  return [...forms.map((form) => (form.startsWith('/') ? form : joinPath(directory, form))), ...assets];
}
