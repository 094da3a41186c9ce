import { Button, Divider, Modal, NavLink, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import IconEdit from '~icons/fa7-solid/pen';
import { get, send } from '../api/client.js';
import { type ChangeRequest } from '../api/queries.js';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import { addressOf, useGoTo, useMayWrite, usePlace, useSpace } from './place.js';

const MOST_OFFERED = 20;
const REQUESTS = '/v1/spaces/{spaceId}/change-requests';
const words = texts.writing.choice;

/** Begins to write a page, or the first one: at the place itself where that is possible, else in a change request. */
export function EditButton({ page }: { readonly page?: string }): ReactNode {
  const place = usePlace();
  const { organizationId, spaceId } = place;
  const space = useSpace();
  const mayWrite = useMayWrite();
  const [isOpen, { open, close }] = useDisclosure();
  const goTo = useGoTo();
  const target = { page, edit: page !== undefined };
  const start = (): void => (mayWrite ? goTo(addressOf(place, target)) : open());
  const mayEdit = space.permissions.edit;
  useHotkeys([['e', () => mayEdit && start()]]);
  return (
    <>
      <Tooltip label={words.noRight} disabled={mayEdit}>
        <Button
          size="xs"
          leftSection={<IconEdit width={12} aria-hidden="true" />}
          aria-disabled={!mayEdit}
          data-disabled={!mayEdit || undefined}
          onClick={mayEdit ? start : undefined}
        >
          {texts.writing.read.edit}
        </Button>
      </Tooltip>
      <Modal opened={isOpen} onClose={close} title={words.title}>
        <RequestChoice
          onChosen={(changeRequestId) => {
            close();
            goTo(addressOf({ organizationId, spaceId, changeRequestId }, target));
          }}
        />
      </Modal>
    </>
  );
}

/** The own change requests of the space that are not closed yet. */
export function useOwnRequests(): readonly ChangeRequest[] {
  const { spaceId } = usePlace();
  const { user } = useSession();
  const { data = [] } = useQuery({
    queryKey: ['change-requests', 'own', spaceId, user.id],
    queryFn: async () => {
      const query = { creator: user.id, limit: MOST_OFFERED };
      const lists = (['draft', 'open'] as const).map((status) => get(REQUESTS, { spaceId }, { ...query, status }));
      return (await Promise.all(lists)).flatMap(({ items }) => items);
    },
  });
  return data;
}

/** Makes a change request and returns its number. */
export async function startRequest(spaceId: string, subject: string): Promise<string> {
  const { number } = await send('post', REQUESTS, { spaceId }, subject === '' ? {} : { subject });
  return String(number);
}

function RequestChoice({ onChosen }: Readonly<{ onChosen: (changeRequestId: string) => void }>): ReactNode {
  const { spaceId } = usePlace();
  const queries = useQueryClient();
  const requests = useOwnRequests();
  const [subject, setSubject] = useState('');
  const start = useMutation({
    mutationFn: () => startRequest(spaceId, subject.trim()),
    onSuccess: async (id) => {
      await queries.invalidateQueries({ queryKey: ['change-requests'] });
      onChosen(id);
    },
  });
  return (
    <Stack>
      <Text size="sm">{words.text}</Text>
      <form action={() => start.mutate()}>
        <Stack gap="sm">
          <TextInput
            data-autofocus
            maxLength={250}
            label={words.subject}
            placeholder={words.subjectHint}
            value={subject}
            onChange={(event) => setSubject(event.currentTarget.value)}
          />
          <Button type="submit" loading={start.isPending}>
            {words.start}
          </Button>
        </Stack>
      </form>
      {requests.length > 0 && <Divider label={words.or} />}
      {requests.map(({ id, number, subject: each, updatedAt }) => (
        <NavLink
          key={id}
          component="button"
          onClick={() => onChosen(String(number))}
          label={`#${number} ${each}`}
          description={<Time at={updatedAt} />}
        />
      ))}
    </Stack>
  );
}
