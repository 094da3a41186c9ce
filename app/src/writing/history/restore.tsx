import { send } from '../../api/client.js';
import { writingTexts } from '../../texts/writing.js';
import { ActionButton } from '../../ui/forms.js';
import { showDone, showUndo } from '../../ui/toasts.js';
import { startRequest, useOwnRequests } from '../edit-button.js';
import { addressOf, useGoTo, usePlace, usePlaceRequest, useSpace } from '../place.js';
import { renewContent, writeAndRenew } from '../queries.js';

const words = writingTexts.history;

/** A page, or one of its blocks, as it was in a revision. */
export type Restored = Readonly<{ page: string; revision: string; block?: string }>;

/**
 * Brings a page or block back: in a space with live edits at once, with a button that takes it back; in a locked one
 * within an own change request, to which it leads; in the history of a change request within that one.
 */
export function useRestore(): (restored: Restored) => Promise<void> {
  const goTo = useGoTo();
  const place = usePlace();
  const space = useSpace();
  const present = usePlaceRequest()?.revision ?? space.revision;
  const [own] = useOwnRequests();
  return async ({ page, revision, block }) => {
    const back = { operation: 'revert_page', page } as const;
    const changes = [{ ...back, revision, ...(block !== undefined && { block: [block] }) }];
    if (place.changeRequestId === undefined && space.editMode !== 'live') {
      const changeRequestId = String(own?.number ?? (await startRequest(place.spaceId, '')));
      await writeAndRenew({ ...place, changeRequestId }, changes);
      showDone(words.restoredInRequest(Number(changeRequestId)));
      return goTo(addressOf({ ...place, changeRequestId }, { page }));
    }
    await writeAndRenew(place, changes);
    showUndo(words.restored, () => writeAndRenew(place, [{ ...back, revision: present }]));
  };
}

/** Brings a whole space back to a revision that is not its present one; a second rollback takes that back. */
export function RestoreSpace({ revisionId }: Readonly<{ revisionId: string }>) {
  const place = usePlace();
  const space = useSpace();
  const back = async (to: string): Promise<void> => {
    const path = { spaceId: space.id, revisionId: to };
    await send('post', '/v1/spaces/{spaceId}/revisions/{revisionId}/rollback', path);
    await renewContent(place);
  };
  const rollBack = async (): Promise<void> => {
    await back(revisionId);
    showUndo(words.restored, () => back(space.revision));
  };
  const mayRollBack = space.editMode === 'live' ? space.permissions.edit : space.permissions.merge;
  if (!mayRollBack || space.revision === revisionId) return null;
  const ask = { title: words.confirm, text: words.confirmSpace, action: words.restoreSpace, color: 'red' };
  return <ActionButton label={words.restoreSpace} size="xs" action={rollBack} ask={ask} />;
}
