import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { packFiles } from '../../authoring/interchange/archives/pack.js';
import { mergeWithMarkers } from '../../formats/markdown/merge-text.js';
import { mergeSteps, type ConflictReason } from './folder-changes.js';
import type { SpaceClient } from './space-client.js';
import { hashesOf, type FolderState, type HashedFile, type WorkingFolder } from './working-folder.js';

const PLAN = 'plan.json';
const ARCHIVE = 'incoming.zip';
/** The files of the space as they come, which become the base once they are in the folder. */
const INCOMING = 'incoming';
const MERGED = 'merged';
const BASE = 'base';

/** The longest file that is merged by lines, in bytes. */
const MAX_MERGED = 4 * 1024 ** 2;
const NAMES = { ours: 'this folder', theirs: 'the space' } as const;
const MARKER = new RegExp(`^<<<<<<< ${NAMES.ours}\\r?$`, 'm');

type Files = ReadonlyMap<string, HashedFile>;

export interface FileConflict {
  readonly path: string;
  readonly reason: ConflictReason;
  readonly message: string;
}

/** The changes that a pull has made in a folder, by path. */
export interface Brought {
  readonly revision: string;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly merged: readonly string[];
  readonly conflicts: readonly FileConflict[];
  /** Content that a folder cannot hold. */
  readonly problems: readonly string[];
}

/** A change of a file that is still to be made; `from` is the hash of the file that it is made to. */
interface Move {
  readonly path: string;
  readonly from: string | null;
  /** The own file that takes its place; null deletes it. */
  readonly source: string | null;
}

interface Plan {
  readonly state: FolderState;
  readonly moves: readonly Move[];
}

/** The states between which the space has changed, and what to leave out. */
interface Wanted {
  readonly state: FolderState;
  /** The files of the folder when it was equal to the space. */
  readonly since: Files;
  /** The texts whose spelling the space keeps. */
  readonly previous: Files;
  /** Files of `since` that the space need not have: they have just been pushed. */
  readonly fresh: ReadonlySet<string>;
}

/** Brings what has changed in a space since a state of the folder into the folder. */
export async function bring(folder: WorkingFolder, client: SpaceClient, wanted: Wanted): Promise<Brought> {
  const { state, since, previous, fresh } = wanted;
  const texts = new Map([...previous].filter(([path]) => isText(path)));
  const begun = await client.begin('export', {
    query: { changeRequest: state.changeRequest },
    ...(texts.size > 0 && { archive: packFiles(texts) }),
  });
  const run = await client.ended(state.organization, begun);
  await client.download(run, folder.own(ARCHIVE));
  await folder.unpack(folder.own(ARCHIVE), INCOMING);
  const remote = await folder.kept(INCOMING);
  const local = await folder.files();
  const untaken = [...fresh].filter((path) => !remote.has(path));
  const base = new Map([...since].filter(([path]) => !untaken.includes(path)));
  const { moves, ...outcome } = await plannedMoves(folder, base, local, remote);
  const left = Object.entries(state.left).filter(([path]) => local.has(path) && !remote.has(path));
  const revision = run.revision ?? state.revision;
  const next: FolderState = {
    ...state,
    revision,
    left: Object.fromEntries([...left, ...untaken.map((path) => [path, since.get(path)?.hash ?? ''] as const)]),
    conflicts: [
      ...new Set([
        ...state.conflicts.filter((path) => local.has(path)),
        ...outcome.conflicts.flatMap(({ path, reason }) => (reason === 'both-changed' ? [path] : [])),
      ]),
    ],
  };
  await folder.write(PLAN, JSON.stringify({ state: next, moves } satisfies Plan));
  await finish(folder);
  const problems = (run.problems ?? []).map(({ file, message }) => `${file}: ${message}`);
  return { revision, ...outcome, problems };
}

type Outcome = Pick<Brought, 'written' | 'deleted' | 'merged' | 'conflicts'>;

/** Finds out what becomes of each file, and writes the merged ones down. */
async function plannedMoves(
  folder: WorkingFolder,
  base: Files,
  local: Files,
  remote: Files,
): Promise<Outcome & { readonly moves: readonly Move[] }> {
  const written: string[] = [];
  const deleted: string[] = [];
  const merged: string[] = [];
  const conflicts: FileConflict[] = [];
  const moves: Move[] = [];
  await folder.remove(MERGED);
  await mkdir(folder.own(MERGED));
  for (const step of mergeSteps(hashesOf(base), hashesOf(local), hashesOf(remote))) {
    const { path, action } = step;
    const from = local.get(path)?.hash ?? null;
    const take = { path, from, source: `${INCOMING}/${path}` };
    if (action === 'take') {
      written.push(path);
      moves.push(take);
    } else if (action === 'delete') {
      deleted.push(path);
      moves.push({ path, from, source: null });
    } else if (action === 'conflict') {
      if (step.reason === 'deleted-here') moves.push(take);
      conflicts.push(conflictOf(path, step.reason));
    } else {
      const result = await mergeFile(base.get(path), local.get(path), remote.get(path));
      if (result.text === undefined || result.hasConflict)
        conflicts.push(conflictOf(path, 'both-changed', result.text));
      else merged.push(path);
      if (result.text === undefined) continue;
      const source = `${MERGED}/${moves.length}`;
      await writeFile(folder.own(source), result.text);
      moves.push({ path, from, source });
    }
  }
  return { moves, written, deleted, merged, conflicts };
}

/** Makes the changes that a pull has planned, also those of one that was cut off. A file that has changed meanwhile stays. */
export async function finish(folder: WorkingFolder): Promise<void> {
  const text = await readFile(folder.own(PLAN), 'utf8').catch(() => undefined);
  if (text === undefined) return;
  const { state, moves } = JSON.parse(text) as Plan;
  // The base is replaced last: with the incoming files gone, all of this is done already.
  if (await folder.has(INCOMING)) {
    for (const { path, from, source } of moves) {
      if (((await folder.hashAt(path)) ?? null) !== from) continue;
      if (source === null) await folder.delete(path);
      else await folder.put(path, folder.own(source));
    }
    await folder.remove(BASE);
    await rename(folder.own(INCOMING), folder.own(BASE));
  }
  await folder.saveState(state);
  await folder.remove('push', 'pushed', PLAN, MERGED, ARCHIVE);
}

/** Those of some files in which a conflict is not settled. */
export async function unsettled(folder: WorkingFolder, { conflicts }: FolderState): Promise<string[]> {
  const open: string[] = [];
  for (const path of conflicts) {
    const text = await readFile(join(folder.root, path), 'utf8').catch(() => '');
    if (MARKER.test(text)) open.push(path);
  }
  return open;
}

/** The stream of a file that was packed before. */
export function packed(folder: WorkingFolder, name: string) {
  return createReadStream(folder.own(name));
}

/** Files whose spelling an export can keep. */
function isText(path: string): boolean {
  return /\.(md|markdown|ya?ml)$/i.test(path);
}

/** Undefined where a file is no text that can be merged: that of the folder stays. */
async function mergeFile(
  base: HashedFile | undefined,
  ours: HashedFile | undefined,
  theirs: HashedFile | undefined,
): Promise<{ readonly text?: string; readonly hasConflict: boolean }> {
  const read = async (file: HashedFile | undefined): Promise<Buffer> => (await file?.read()) ?? Buffer.alloc(0);
  const versions = [await read(base), await read(ours), await read(theirs)];
  if (versions.some((bytes) => bytes.length > MAX_MERGED || bytes.includes(0))) return { hasConflict: true };
  const [was = '', own = '', other = ''] = versions.map((bytes) => bytes.toString('utf8'));
  return mergeWithMarkers(was, own, other, NAMES);
}

function conflictOf(path: string, reason: ConflictReason, text?: string): FileConflict {
  const messages: Readonly<Record<ConflictReason, string>> = {
    'both-changed':
      text === undefined
        ? `both have changed it; the file of the space is .bindery/${BASE}/${path}`
        : 'both have changed the same lines, which stand between the markers now',
    'deleted-here': 'deleted here and changed in the space: it is back as the space has it',
    'deleted-there': 'changed here and deleted in the space: it stays, and a push adds it again',
  };
  return { path, reason, message: messages[reason] };
}
