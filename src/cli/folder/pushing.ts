import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { pipeline } from 'node:stream/promises';
import { packFiles } from '../../authoring/interchange/archives/pack.js';
import { OperatorError } from '../../kernel/platform/operator-error.js';
import { bring, finish, packed, unsettled, type Brought } from './bringing.js';
import { changesBetween, isWithoutChange } from './folder-changes.js';
import { RefusedRequest, RunFailed, type RequestFacts, type Run, type SpaceClient } from './space-client.js';
import { hashesOf, hashOf, type FolderState, type HashedFile, type WorkingFolder } from './working-folder.js';

const FOLDER = 'push';
const ORDER = 'push/order.json';
const ARCHIVE = 'push/archive.zip';
const PUSHED = 'pushed';
/** Hours for which a server knows a push again that it has answered; one less than it says. */
const KNOWN_HOURS = 23;
const TRIES = 10;
const PAUSE_MS = 1000;

/** A push that is on its way, as it was sent. */
interface Order {
  readonly key: string;
  readonly at: string;
  readonly query: {
    readonly base: string;
    readonly subject?: string;
    readonly review?: string;
    readonly changeRequest?: string;
  };
  readonly files: Readonly<Record<string, string>>;
}

export interface PushWishes {
  readonly subject?: string | undefined;
  readonly review: boolean;
}

/** How a push has ended. */
export type Pushed =
  | { readonly result: 'nothing'; readonly request?: RequestFacts }
  | {
      readonly result: 'written' | 'merged';
      readonly revision: string;
      readonly brought: Brought;
      readonly problems: NonNullable<Run['problems']>;
    }
  | {
      readonly result: 'proposed' | 'conflicts';
      readonly request: RequestFacts;
      readonly problems: NonNullable<Run['problems']>;
    };

/** Sends what has changed in a folder. A push that was cut off is ended first, and not done twice. */
export function push(folder: WorkingFolder, client: SpaceClient, wishes: PushWishes): Promise<Pushed> {
  return folder.locked(async () => {
    await finish(folder);
    const cutOff = await pendingPush(folder);
    if (cutOff && isExpired(cutOff)) throw expired(cutOff);
    const before = cutOff && (await settle(folder, client, cutOff));
    const order = await orderOf(folder, client, wishes);
    if ('result' in order) return before ?? order;
    return settle(folder, client, order);
  });
}

/** Throws while a push is on its way whose end is not known. */
export async function requireNoPush(folder: WorkingFolder): Promise<void> {
  const order = await pendingPush(folder);
  if (order && !isExpired(order))
    throw new OperatorError('A push was cut off: bindery push ends it, and does nothing twice');
  await folder.remove(FOLDER, PUSHED);
}

/** Packs what there is to push. */
async function orderOf(
  folder: WorkingFolder,
  client: SpaceClient,
  { subject, review }: PushWishes,
): Promise<Order | Pushed> {
  const state = await folder.state();
  const files = await folder.files();
  const changes = changesBetween(hashesOf(await folder.base()), hashesOf(files), new Map(Object.entries(state.left)));
  if (isWithoutChange(changes)) return { result: 'nothing' };
  const open = await unsettled(folder, state);
  if (open.length > 0)
    throw new OperatorError(`Settle the conflicts first, and remove the markers: ${open.join(', ')}`);
  const proposal = review || isSuperseded(state) ? undefined : await openProposal(client, state);
  const isProposed =
    proposal && isWithoutChange(changesBetween(new Map(Object.entries(proposal.files)), hashesOf(files)));
  if (isProposed) return { result: 'nothing', request: proposal.request };
  const target = proposal?.request.id ?? state.changeRequest;
  await folder.remove(FOLDER);
  await mkdir(folder.own(FOLDER));
  const sent = await pack(folder, files);
  const order: Order = {
    key: randomUUID(),
    at: new Date().toISOString(),
    query: {
      base: proposal?.revision ?? state.revision,
      ...(subject !== undefined && { subject }),
      ...(review && { review: 'true' }),
      ...(target !== undefined && { changeRequest: target }),
    },
    files: sent,
  };
  await folder.write(ORDER, JSON.stringify(order));
  return order;
}

/** Packs files as they are read now, and returns their hashes. */
async function pack(
  folder: WorkingFolder,
  files: ReadonlyMap<string, HashedFile>,
): Promise<Readonly<Record<string, string>>> {
  const sent: Record<string, string> = {};
  const read = new Map(
    [...files].map(([path, file]) => [
      path,
      {
        read: async () => {
          const bytes = await file.read();
          sent[path] = hashOf(bytes);
          return bytes;
        },
      },
    ]),
  );
  await pipeline(packFiles(read), createWriteStream(folder.own(ARCHIVE)));
  return sent;
}

/** The change request of the last push, if it still waits. */
async function openProposal(client: SpaceClient, { proposal }: FolderState) {
  if (!proposal) return undefined;
  const request = await client.request(proposal.id);
  return ['draft', 'open'].includes(request.status) ? { ...proposal, request } : undefined;
}

/** The folder has met what was in the way of its changes: they go to the space again. */
function isSuperseded({ proposal, revision }: FolderState): boolean {
  return proposal !== undefined && proposal.hasConflicts && proposal.base !== revision;
}

async function settle(folder: WorkingFolder, client: SpaceClient, order: Order): Promise<Pushed> {
  const state = await folder.state();
  const run = await carriedOut(folder, client, state, order);
  const { problems = [] } = run;
  const { changeRequest: made } = run.target;
  const request = made === undefined || made === state.changeRequest ? undefined : await client.request(made);
  const last =
    isSuperseded(state) && order.query.changeRequest === undefined ? await openProposal(client, state) : undefined;
  if (last && last.id !== made) await client.archive(last.id);
  if (request && request.status !== 'merged') {
    const hasConflicts = (await client.conflicts(request.id)) > 0;
    const revision = run.revision ?? request.revision;
    const proposal = { id: request.id, revision, base: state.revision, hasConflicts, files: order.files };
    await folder.saveState({ ...state, conflicts: [], proposal });
    await folder.remove(FOLDER);
    return { result: hasConflicts ? 'conflicts' : 'proposed', request, problems };
  }
  await folder.unpack(folder.own(ARCHIVE), PUSHED);
  const pushed = await folder.kept(PUSHED);
  const before = await folder.base();
  const { proposal: _ended, ...rest } = state;
  const brought = await bring(folder, client, {
    state: { ...rest, conflicts: [] },
    since: pushed,
    previous: pushed,
    fresh: new Set([...pushed.keys()].filter((path) => !before.has(path))),
  });
  return { result: request ? 'merged' : 'written', revision: run.revision ?? brought.revision, brought, problems };
}

/** Sends a push until it is known how it has ended. One that was refused or has failed is forgotten. */
async function carriedOut(
  folder: WorkingFolder,
  client: SpaceClient,
  { organization }: FolderState,
  { key, query }: Order,
): Promise<Run> {
  try {
    for (let tries = 1; ; tries++) {
      try {
        const begun = await client.begin('push', { query, key, archive: packed(folder, ARCHIVE) });
        return await client.ended(organization, begun);
      } catch (error) {
        // The same push is on its way still, sent by a command that was cut off.
        if (!(error instanceof RefusedRequest && error.isBusy) || tries === TRIES) throw error;
        await setTimeout(PAUSE_MS);
      }
    }
  } catch (error) {
    if (error instanceof RunFailed || (error instanceof RefusedRequest && error.isFinal)) await folder.remove(FOLDER);
    throw error;
  }
}

async function pendingPush(folder: WorkingFolder): Promise<Order | undefined> {
  const text = await readFile(folder.own(ORDER), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Order);
}

function isExpired({ at }: Order): boolean {
  return Date.now() - new Date(at).getTime() > KNOWN_HOURS * 3600 * 1000;
}

function expired({ at }: Order): OperatorError {
  return new OperatorError(`A push of ${at} was cut off, and may have arrived: pull first`);
}
