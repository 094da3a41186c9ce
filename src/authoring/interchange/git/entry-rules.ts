import { isPlainName } from '../domain/repository-paths.js';

export const LINK_MODE = '120000';
const MAX_DEPTH = 64;

/** The facts of an entry of a tree that decide whether it can be a file of a folder. */
interface EntryFacts {
  readonly path: string;
  readonly mode: string;
  readonly type: string;
}

/** Finds the entries of a repository that are left out by an import, and left alone by an export. One serves one walk. */
export class EntryRules {
  private readonly spelled = new Map<string, string>();

  /** Why an entry is left out; undefined for one that is not. Entries are asked for in the order of their trees. */
  refusal(entry: EntryFacts, path: string, depth: number): string | undefined {
    if (!isPlainName(entry.path)) return 'the name cannot be used in a folder';
    if (entry.type === 'commit') return 'submodules are not followed';
    if (entry.mode === LINK_MODE) return 'symbolic links are not followed';
    if (entry.type === 'tree')
      return depth >= MAX_DEPTH ? `folders are nested at most ${MAX_DEPTH} levels deep` : undefined;
    const other = this.spelled.get(path.toLowerCase());
    if (other !== undefined) return `differs from ${other} only in capitals`;
    this.spelled.set(path.toLowerCase(), path);
    return undefined;
  }
}
