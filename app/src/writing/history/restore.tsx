import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { FormDialog } from '../../ui/form-dialog.js';
import { showDone } from '../../ui/toasts.js';
import { showUndo } from '../../ui/undo-toast.js';
import { startRequest, useOwnRequests } from '../edit-button.js';
import { addressOf, useGoTo, usePlace, useSpace } from '../place.js';
import { renewContent } from '../queries.js';
import { write } from '../write.js';

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
  const queries = useQueryClient();
  const goTo = useGoTo();
  const { organizationId, spaceId } = usePlace();
  const space = useSpace();
  const [own] = useOwnRequests();
  return async ({ page, revision, block }) => {
    const place = { organizationId, spaceId };
    const back = { operation: 'revert_page', page } as const;
    const changes = [{ ...back, revision, ...(block !== undefined && { block: [block] }) }];
    if (space.editMode !== 'live') {
      const changeRequestId = String(own?.number ?? (await startRequest(spaceId, '')));
      await write({ ...place, changeRequestId }, changes);
      await renewContent(queries, place);
      showDone(words.restoredInRequest(Number(changeRequestId)));
      return goTo(addressOf({ ...place, changeRequestId }, { page }));
    }
    await write(place, changes);
    await renewContent(queries, place);
    showUndo(words.restored, async () => {
      await write(place, [{ ...back, revision: space.revision }]);
      await renewContent(queries, place);
    });
  };
}

/** Brings a whole space back to a revision that is not its present one; a second rollback takes that back. */
export function RestoreSpace({ revisionId }: Readonly<{ revisionId: string }>): ReactNode {
  const place = usePlace();
  const space = useSpace();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const back = async (to: string): Promise<void> => {
    const path = { spaceId: space.id, revisionId: to };
    await send('post', '/v1/spaces/{spaceId}/revisions/{revisionId}/rollback', path);
    await renewContent(queries, place);
  };
  const rollBack = async (): Promise<void> => {
    const before = space.revision;
    await back(revisionId);
    showUndo(words.restored, () => back(before));
  };
  const mayRollBack = space.editMode === 'live' ? space.permissions.edit : space.permissions.merge;
  if (!mayRollBack || space.revision === revisionId) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {words.restoreSpace}
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={close}
        title={words.confirm}
        text={words.confirmSpace}
        action={words.restoreSpace}
        onSubmit={rollBack}
      />
    </>
  );
}
