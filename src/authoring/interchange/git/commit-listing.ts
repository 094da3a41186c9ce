import git from 'isomorphic-git';
import { EntryRules } from './entry-rules.js';
import type { GitBlob } from './git-objects.js';
import type { MemoryFs } from './memory-fs.js';

/** The place of a repository in its file system. */
export const GITDIR = '/repository';

/** The content of a commit or tree, without the bytes of its files; folders come before what is in them. */
export interface CommitListing {
  /** The plain files, by path. */
  readonly objects: ReadonlyMap<string, GitBlob>;
  readonly folders: readonly string[];
  /** The trees, each once. */
  readonly trees: ReadonlySet<string>;
  /** The entries that are left out, with reasons. */
  readonly refused: readonly { readonly path: string; readonly message: string }[];
}

/** Lists a commit or tree. Throws errors of isomorphic-git for objects that are missing or damaged. */
export async function listCommit(fs: MemoryFs, oid: string, cache: object): Promise<CommitListing> {
  const objects = new Map<string, GitBlob>();
  const folders: string[] = [];
  const trees = new Set<string>();
  const refused: { path: string; message: string }[] = [];
  const rules = new EntryRules();
  const list = async (from: string, prefix: string, depth: number): Promise<void> => {
    const { oid: tree, tree: entries } = await git.readTree({ fs, gitdir: GITDIR, oid: from, cache });
    trees.add(tree);
    for (const entry of entries) {
      const path = prefix + entry.path;
      const message = rules.refusal(entry, path, depth);
      if (message !== undefined) refused.push({ path, message });
      else if (entry.type === 'tree') {
        folders.push(path);
        await list(entry.oid, `${path}/`, depth + 1);
      } else objects.set(path, { oid: entry.oid, path });
    }
  };
  await list(oid, '', 0);
  return { objects, folders, trees, refused };
}
