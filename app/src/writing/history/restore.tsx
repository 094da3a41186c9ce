import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { showDone } from '../../ui/toasts.js';
import { showUndo } from '../../ui/undo-toast.js';
import { startRequest, useOwnRequests } from '../edit-button.js';
import { addressOf, useGoTo, type Place } from '../place.js';
import { renewContent, type Space } from '../queries.js';
import { write } from '../write.js';

const words = texts.writing.history;

/** A page, or one of its blocks, as it was in a revision. */
export interface Restored {
  readonly page: string;
  readonly revision: string;
  readonly block?: string;
}

/** Asks before something of the past is brought back. */
export function ConfirmRestore({
  text,
  onClose,
  onConfirm,
  isPending,
}: {
  readonly text: string | undefined;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly isPending: boolean;
}): ReactNode {
  return (
    <Modal opened={text !== undefined} onClose={onClose} title={words.confirm}>
      <Stack>
        <Text size="sm">{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {texts.common.cancel}
          </Button>
          <Button data-autofocus loading={isPending} onClick={onConfirm}>
            {words.restorePageTo}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/**
 * Brings a page or block back: in a space with live edits at once, with a button that takes it back; in a locked one
 * within an own change request, to which it leads.
 */
export function useRestore(place: Place, space: Space) {
  const queries = useQueryClient();
  const goTo = useGoTo();
  const [own] = useOwnRequests(space.id);
  const { organizationId, spaceId } = place;
  return useMutation({
    mutationFn: async ({ page, revision, block }: Restored) => {
      const isLive = space.editMode === 'live';
      const changeRequestId = isLive ? undefined : String(own?.number ?? (await startRequest(spaceId, '')));
      const target: Place = { organizationId, spaceId, ...(changeRequestId !== undefined && { changeRequestId }) };
      const before = space.revision;
      await write(target, [
        { operation: 'revert_page', page, revision, ...(block !== undefined && { block: [block] }) },
      ]);
      await renewContent(queries, place);
      if (changeRequestId !== undefined) {
        showDone(words.restoredInRequest(Number(changeRequestId)));
        goTo(addressOf(target, { page }));
        return;
      }
      showUndo(words.restored, async () => {
        await write(target, [{ operation: 'revert_page', page, revision: before }]);
        await renewContent(queries, place);
      });
    },
  });
}

/** Brings a whole space back to a revision; a second rollback takes that back. */
export function RestoreSpace({
  place,
  space,
  revisionId,
}: {
  readonly place: Place;
  readonly space: Space;
  readonly revisionId: string;
}): ReactNode {
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const rollback = useMutation({
    mutationFn: async () => {
      const back = async (to: string): Promise<void> => {
        const path = { spaceId: space.id, revisionId: to };
        await answered(api.POST('/v1/spaces/{spaceId}/revisions/{revisionId}/rollback', { params: { path } }));
        await renewContent(queries, place);
      };
      const before = space.revision;
      await back(revisionId);
      showUndo(words.restored, () => back(before));
    },
    onSettled: close,
  });
  const mayRollBack = space.editMode === 'live' ? space.permissions.edit : space.permissions.merge;
  if (!mayRollBack) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {words.restoreSpace}
      </Button>
      <Modal opened={isOpen} onClose={close} title={words.confirm}>
        <Stack>
          <Text size="sm">{words.confirmSpace}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {texts.common.cancel}
            </Button>
            <Button data-autofocus loading={rollback.isPending} onClick={() => rollback.mutate()}>
              {words.restoreSpace}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
