import { OperatorError } from '../../kernel/platform/operator-error.js';
import { bring, finish, type Brought } from './bringing.js';
import { requireNoPush } from './pushing.js';
import type { SpaceClient } from './space-client.js';
import type { FolderState, HashedFile, WorkingFolder } from './working-folder.js';

/** The space of a first pull. */
export interface PulledSpace {
  readonly url: string;
  readonly space: string;
  readonly changeRequest?: string | undefined;
}

const NO_FILES: ReadonlyMap<string, HashedFile> = new Map();

/** Fills a new folder with a space. */
export async function pullFirst(
  folder: WorkingFolder,
  client: SpaceClient,
  { url, space, changeRequest }: PulledSpace,
): Promise<Brought> {
  const { organization, revision } = await client.facts();
  const request = changeRequest === undefined ? undefined : await client.request(changeRequest);
  const state: FolderState = {
    version: 1,
    url,
    organization,
    space,
    ...(request && { changeRequest: request.id }),
    revision,
    left: {},
    conflicts: [],
  };
  return folder.locked(async () => {
    // A pull that is cut off is ended by the next one: no revision is that of the space until then.
    await folder.saveState({ ...state, revision: '' });
    return bring(folder, client, { state, since: NO_FILES, previous: NO_FILES, fresh: new Set() });
  });
}

/** Brings what has changed in the space since the last pull into a folder; undefined where that is nothing. */
export function pullAgain(folder: WorkingFolder, client: SpaceClient): Promise<Brought | undefined> {
  return folder.locked(async () => {
    await finish(folder);
    await requireNoPush(folder);
    const state = await folder.state();
    if ((await revisionInSpace(client, state)) === state.revision) return undefined;
    const since = await folder.base();
    const { proposal, ...rest } = state;
    const isOpen = proposal && ['draft', 'open'].includes((await client.request(proposal.id)).status);
    return bring(folder, client, {
      state: isOpen ? state : rest,
      since,
      // Once that is merged, the space has what was proposed, which keeps its spelling then.
      previous: proposal && !isOpen ? new Map([...since, ...(await proposedFiles(folder, proposal.files))]) : since,
      fresh: new Set(),
    });
  });
}

/** The revision of the space, or of the change request, of a folder. Throws for a change request that has ended. */
export async function revisionInSpace(client: SpaceClient, { changeRequest }: FolderState): Promise<string> {
  if (changeRequest === undefined) return (await client.facts()).revision;
  const { number, status, revision } = await client.request(changeRequest);
  if (status === 'merged')
    throw new OperatorError(`Change request #${number} is merged: pull the space into a folder of its own`);
  return revision;
}

async function proposedFiles(
  folder: WorkingFolder,
  proposed: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<string, HashedFile>> {
  return new Map([...(await folder.files())].filter(([path, { hash }]) => proposed[path] === hash));
}
