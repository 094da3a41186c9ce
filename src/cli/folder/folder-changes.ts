/* Comparisons of folders, each as the hash of each file by its path: pure functions. */

export type Hashes = ReadonlyMap<string, string>;

export interface FolderChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly deleted: readonly string[];
  /** Files with the same bytes at another path. */
  readonly renamed: readonly { readonly from: string; readonly to: string }[];
}

/** The changes from one state of a folder to another. Files of `left` count as there, with these bytes. */
export function changesBetween(base: Hashes, now: Hashes, left: Hashes = new Map()): FolderChanges {
  const gone = [...base.keys()].filter((path) => !now.has(path)).sort();
  const fresh = [...now.keys()].filter((path) => !base.has(path) && left.get(path) !== now.get(path)).sort();
  const changed = [...now].flatMap(([path, hash]) => (base.has(path) && base.get(path) !== hash ? [path] : [])).sort();
  const renamed: { from: string; to: string }[] = [];
  for (const to of fresh) {
    const from = gone.find((path) => base.get(path) === now.get(to) && !renamed.some((pair) => pair.from === path));
    if (from !== undefined) renamed.push({ from, to });
  }
  return {
    added: fresh.filter((path) => !renamed.some(({ to }) => to === path)),
    changed,
    deleted: gone.filter((path) => !renamed.some(({ from }) => from === path)),
    renamed,
  };
}

export function isWithoutChange({ added, changed, deleted, renamed }: FolderChanges): boolean {
  return added.length + changed.length + deleted.length + renamed.length === 0;
}

/** One line for each change. */
export function changeLines({ added, changed, deleted, renamed }: FolderChanges): string[] {
  return [
    ...changed.map((path) => `changed: ${path}`),
    ...added.map((path) => `added: ${path}`),
    ...deleted.map((path) => `deleted: ${path}`),
    ...renamed.map(({ from, to }) => `renamed: ${from} -> ${to}`),
  ];
}

/** The reason why a file is left to people. */
export type ConflictReason = 'both-changed' | 'deleted-here' | 'deleted-there';

/** Something to be done to a file of a folder; what is not named stays. */
export type MergeStep =
  | { readonly path: string; readonly action: 'take' | 'delete' | 'merge' }
  /** `deleted-here` brings back the file of the server; `deleted-there` leaves that of the folder. */
  | { readonly path: string; readonly action: 'conflict'; readonly reason: 'deleted-here' | 'deleted-there' };

/** The steps that bring what has changed between two states on the server into a folder that has changed as well. */
export function mergeSteps(base: Hashes, local: Hashes, remote: Hashes): MergeStep[] {
  const paths = new Set([...base.keys(), ...local.keys(), ...remote.keys()]);
  return [...paths].sort().flatMap((path): MergeStep[] => {
    const [was, here, there] = [base.get(path), local.get(path), remote.get(path)];
    if (here === there || there === was) return [];
    if (here === was) return [{ path, action: there === undefined ? 'delete' : 'take' }];
    if (here === undefined) return [{ path, action: 'conflict', reason: 'deleted-here' }];
    if (there === undefined) return [{ path, action: 'conflict', reason: 'deleted-there' }];
    return [{ path, action: 'merge' }];
  });
}
