import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { get, send } from '../api/client.js';
import { useList } from '../api/pages.js';
import { texts } from '../texts/en.js';
import { ActionButton } from '../ui/action-button.js';
import { CopyField } from '../ui/copy-field.js';
import { Note } from '../ui/note.js';
import { Time } from '../ui/time.js';
import type { Member } from './queries.js';
import { SessionTable, type ListedSession } from './session-table.js';

interface MemberDialogProps {
  readonly path: { readonly organizationId: string; readonly userId: string };
  readonly member: Member;
  readonly onClose: () => void;
}

const words = texts.people.people;

/** Makes a link that signs a member in, to be handed over by the administrator. */
export function SignInLink({ path, member, onClose }: MemberDialogProps): ReactNode {
  const { data, isPending, mutate } = useMutation({
    mutationFn: () => send('post', '/v1/orgs/{organizationId}/members/{userId}/sign-in-link', path),
  });
  return (
    <Modal opened onClose={onClose} title={words.signInLinkTitle(member.user.displayName)}>
      <Stack>
        <Text>{words.signInLinkText}</Text>
        {data ? (
          <>
            <CopyField label={words.signInLinkField} value={data.url} />
            <Note>
              {words.ends} <Time at={data.expiresAt} />
            </Note>
          </>
        ) : (
          <Group justify="flex-end">
            <Button loading={isPending} onClick={() => mutate()} data-autofocus>
              {words.makeLink}
            </Button>
          </Group>
        )}
      </Stack>
    </Modal>
  );
}

/** The browsers in which a member is signed in, and their end. */
export function MemberSessions({ path, member, onClose }: MemberDialogProps): ReactNode {
  const key = ['member-sessions', path.organizationId, path.userId];
  const url = '/v1/orgs/{organizationId}/members/{userId}/sessions';
  const name = member.user.displayName;
  const sessions = useList<ListedSession>(key, (page) => get(url, path, { page }));
  const hasSome = sessions.data?.pages.some(({ items }) => items.length > 0) === true;
  return (
    <Modal opened onClose={onClose} size="lg" title={words.sessionsTitle(name)}>
      <SessionTable query={sessions} />
      {hasSome && (
        <Group justify="flex-end" mt="md">
          <ActionButton
            variant="filled"
            color="red"
            action={() => send('delete', url, path)}
            refresh={key}
            done={words.sessionsEnded(name)}
          >
            {words.endSessions}
          </ActionButton>
        </Group>
      )}
    </Modal>
  );
}
