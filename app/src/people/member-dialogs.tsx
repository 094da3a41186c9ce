import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../api/client.js';
import { nextPage } from '../api/pages.js';
import { queries } from '../api/query-client.js';
import { texts } from '../texts/en.js';
import { CopyField } from '../ui/copy-field.js';
import { LoadedList } from '../ui/loaded.js';
import { Time } from '../ui/time.js';
import { showDone } from '../ui/toasts.js';
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
  const make = useMutation({
    mutationFn: () =>
      answered(api.POST('/v1/orgs/{organizationId}/members/{userId}/sign-in-link', { params: { path } })),
  });
  return (
    <Modal opened onClose={onClose} title={words.signInLinkTitle(member.user.displayName)}>
      <Stack>
        <Text>{words.signInLinkText}</Text>
        {make.data ? (
          <>
            <CopyField label={words.signInLinkField} value={make.data.url} />
            <Text size="sm" c="dimmed">
              {words.ends} <Time at={make.data.expiresAt} />
            </Text>
          </>
        ) : (
          <Group justify="flex-end">
            <Button loading={make.isPending} onClick={() => make.mutate()} data-autofocus>
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
  const sessions = useInfiniteQuery({
    queryKey: key,
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam: page }) =>
      answered(api.GET('/v1/orgs/{organizationId}/members/{userId}/sessions', { params: { path, query: { page } } })),
    getNextPageParam: nextPage<ListedSession>,
  });
  const end = useMutation({
    mutationFn: () => answered(api.DELETE('/v1/orgs/{organizationId}/members/{userId}/sessions', { params: { path } })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: key });
      showDone(words.sessionsEnded(member.user.displayName));
    },
  });
  return (
    <Modal opened onClose={onClose} size="lg" title={words.sessionsTitle(member.user.displayName)}>
      <LoadedList query={sessions} empty={<Text>{words.noSessions}</Text>}>
        {(items) => (
          <Stack>
            <SessionTable sessions={items} />
            <Group justify="flex-end">
              <Button color="red" loading={end.isPending} onClick={() => end.mutate()}>
                {words.endSessions}
              </Button>
            </Group>
          </Stack>
        )}
      </LoadedList>
    </Modal>
  );
}
