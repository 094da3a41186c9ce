import type { ReactNode } from 'react';
import { send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { ActionButton } from '../../ui/action-button.js';
import { showDone } from '../../ui/toasts.js';
import { showUndo } from '../../ui/undo-toast.js';
import { startRequest, useOwnRequests } from '../edit-button.js';
import { addressOf, spaceOf, useGoTo, usePlace, useSpace } from '../place.js';
import { renewContent } from '../queries.js';
import { writeAndRenew } from '../write.js';

const words = texts.writing.history;

/** A page, or one of its blocks, as it was in a revision. */
export interface Restored {
  readonly page: string;
  readonly revision: string;
  readonly block?: string;
}

/**
 * Brings a page or block back: in a space with live edits at once, with a button that takes it back; in a locked one
 * within an own change request, to which it leads.
 */
export function useRestore(): (restored: Restored) => Promise<void> {
  const goTo = useGoTo();
  const place = spaceOf(usePlace());
  const space = useSpace();
  const [own] = useOwnRequests();
  return async ({ page, revision, block }) => {
    const back = { operation: 'revert_page', page } as const;
    const changes = [{ ...back, revision, ...(block !== undefined && { block: [block] }) }];
    if (space.editMode !== 'live') {
      const changeRequestId = String(own?.number ?? (await startRequest(place.spaceId, '')));
      await writeAndRenew({ ...place, changeRequestId }, changes);
      showDone(words.restoredInRequest(Number(changeRequestId)));
      return goTo(addressOf({ ...place, changeRequestId }, { page }));
    }
    await writeAndRenew(place, changes);
    showUndo(words.restored, () => writeAndRenew(place, [{ ...back, revision: space.revision }]));
  };
}

/** Brings a whole space back to a revision that is not its present one; a second rollback takes that back. */
export function RestoreSpace({ revisionId }: Readonly<{ revisionId: string }>): ReactNode {
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
  const confirm = { title: words.confirm, text: words.confirmSpace, action: words.restoreSpace };
  return (
    <ActionButton size="xs" action={rollBack} confirm={confirm}>
      {words.restoreSpace}
    </ActionButton>
  );
}
