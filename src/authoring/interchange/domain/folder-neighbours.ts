import type { ContentRef } from '../../../formats/document/types.js';
import { decodePath, joinPath, normalizePath } from './repository-paths.js';
import { Targets, type FoundTarget } from './targets.js';

/** Resolves a target from the root of the documentation of a space. */
type FindHere = (target: string) => FoundTarget;

/** A folder beside others that are read at the same time: links between them become links between their spaces. */
export interface Neighbour {
  /** Says where the documentation of the folder is, and waits until all folders have said it. */
  meet(root: string, find: FindHere): Promise<void>;
  /** Resolves a target in a file of `directory`, from the root of the folder. */
  find(directory: string, target: string): ContentRef | undefined;
}

interface Met {
  readonly root: string;
  readonly find: FindHere;
}

/** The folder of a space, whose pages are known already. */
export interface KnownFolder {
  readonly place: string;
  readonly space: string;
  /** The folder of its documentation, from there. */
  readonly root: string;
  /** Paths are relative to that. */
  readonly pages: readonly { readonly id: string; readonly path: string }[];
}

/** Resolves targets in a folder, and those that only a folder beside it has; `root` is that of its documentation. */
export function besides(targets: Targets, root: string, neighbour: Pick<Neighbour, 'find'>): Pick<Targets, 'find'> {
  return {
    find: (directory, target) => {
      const found = targets.find(directory, target);
      if (found.ref !== undefined || !found.local) return found;
      const ref = neighbour.find(joinPath(root, directory), target);
      return ref === undefined ? found : { ref, local: true };
    },
  };
}

/** A folder beside others that are known. */
export function besideKnown(own: string, others: readonly KnownFolder[]): Neighbour {
  const folders = new SpaceFolders(new Map([[own, ''], ...others.map(({ place, space }) => [place, space] as const)]));
  for (const { place, root, pages } of others) {
    const targets = new Targets(pages, [], [], { redirects: new Map() });
    folders.add(place, { root, find: (target) => targets.find('', target) });
  }
  return {
    meet: async () => undefined,
    find: (directory, target) => folders.find(own, joinPath(own, directory), target),
  };
}

/** The folders of the spaces of a site, which know each other once all of them are planned. */
export class FolderNeighbours {
  private readonly folders: SpaceFolders;
  private readonly all: Promise<void>;
  private done: () => void = () => undefined;
  private failed: (error: unknown) => void = () => undefined;

  /** The space of each folder. */
  constructor(spaces: ReadonlyMap<string, string>) {
    this.folders = new SpaceFolders(spaces);
    this.all = new Promise((done, failed) => {
      [this.done, this.failed] = [done, failed];
    });
    // Those who wait are told; nobody may be waiting yet.
    this.all.catch(() => undefined);
  }

  /** Runs the work on one folder; if it fails, the others do not wait for it. */
  async run<T>(folder: string, work: (neighbour: Neighbour) => Promise<T>): Promise<T> {
    try {
      return await work({
        meet: (root, find) => {
          this.folders.add(folder, { root, find });
          if (this.folders.isComplete) this.done();
          return this.all;
        },
        find: (directory, target) => this.folders.find(folder, joinPath(folder, directory), target),
      });
    } catch (error) {
      this.failed(error);
      throw error;
    }
  }
}

/** The folders of spaces, and where the documentation of each of them is. */
class SpaceFolders {
  private readonly met = new Map<string, Met>();

  /** The space of each folder. */
  constructor(private readonly spaces: ReadonlyMap<string, string>) {}

  get isComplete(): boolean {
    return this.met.size === this.spaces.size;
  }

  add(folder: string, met: Met): void {
    this.met.set(folder, met);
  }

  find(from: string, directory: string, target: string): ContentRef | undefined {
    const [, written = '', anchor = ''] = /^([^#?]*)(?:\?[^#]*)?(#.*)?$/s.exec(target) ?? [];
    if (written === '' || /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(target)) return undefined;
    const path = decodePath(written);
    const place = normalizePath(path.startsWith('/') ? path : joinPath(directory, path));
    if (place === undefined) return undefined;
    const [folder, inside] = this.folderOf(place) ?? [];
    const met = folder === undefined ? undefined : this.met.get(folder);
    if (folder === undefined || folder === from || met === undefined || inside === undefined) return undefined;
    const rest = within(met.root, inside);
    const ref = rest === undefined ? undefined : met.find(`${rest === '' ? 'README.md' : rest}${anchor}`).ref;
    const space = this.spaces.get(folder);
    if (space === undefined || (ref?.kind !== 'page' && ref?.kind !== 'anchor')) return undefined;
    return { ...ref, space };
  }

  /** The folder that a path lies in, the innermost one, and the path from there. */
  private folderOf(path: string): [string, string] | undefined {
    const inner = [...this.spaces.keys()].sort((a, b) => b.length - a.length);
    for (const folder of inner) {
      const inside = within(folder, path);
      if (inside !== undefined) return [folder, inside];
    }
    return undefined;
  }
}

/** A path from a folder that it lies in; undefined for one that does not. */
export function within(folder: string, path: string): string | undefined {
  if (folder === '') return path;
  if (path === folder) return '';
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : undefined;
}
