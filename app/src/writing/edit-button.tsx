import { Button, Divider, Modal, NavLink, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useMutation, useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import IconEdit from '~icons/fa7-solid/pen';
import { answered, api } from '../api/client.js';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { Time } from '../ui/time.js';
import { addressOf, useGoTo, type Place } from './place.js';
import { requestQuery, spaceQuery, type ChangeRequest } from './queries.js';
import { mayWrite } from './write.js';

const MOST_OFFERED = 20;
const words = texts.writing.choice;

interface EditButtonProps {
  readonly place: Place;
  /** The page that is to be written; without one the first page of the place. */
  readonly page?: string;
}

/** Begins to write: at the place itself where that is possible, else in a change request that is chosen. */
export function EditButton({ place, page }: EditButtonProps): ReactNode {
  const { data: space } = useSuspenseQuery(spaceQuery(place.spaceId));
  const { changeRequestId = '' } = place;
  const { data: request } = useQuery({
    ...requestQuery(place.spaceId, changeRequestId),
    enabled: changeRequestId !== '',
  });
  const [isOpen, { open, close }] = useDisclosure();
  const goTo = useGoTo();
  const start = (): void => {
    if (mayWrite(place, space, request)) goTo(addressOf(place, { page, edit: page !== undefined }));
    else open();
  };
  const mayEdit = space.permissions.edit;
  useHotkeys([['e', () => mayEdit && start()]]);
  return (
    <>
      <Tooltip label={words.noRight} disabled={mayEdit}>
        <Button
          size="xs"
          leftSection={<IconEdit width={12} aria-hidden="true" />}
          onClick={start}
          {...(!mayEdit && { 'data-disabled': true, 'aria-disabled': true, onClick: undefined })}
        >
          {texts.writing.read.edit}
        </Button>
      </Tooltip>
      <Modal opened={isOpen} onClose={close} title={words.title}>
        <RequestChoice
          place={place}
          onChosen={(changeRequestId) => {
            close();
            goTo(
              addressOf(
                { organizationId: place.organizationId, spaceId: place.spaceId, changeRequestId },
                { page, edit: page !== undefined },
              ),
            );
          }}
        />
      </Modal>
    </>
  );
}

/** The own change requests that are not closed yet, and a new one. */
export function useOwnRequests(spaceId: string): readonly ChangeRequest[] {
  const { user } = useSession();
  const { data = [] } = useQuery({
    queryKey: ['change-requests', 'own', spaceId, user.id],
    queryFn: async () => {
      const lists = await Promise.all(
        (['draft', 'open'] as const).map((status) =>
          answered(
            api.GET('/v1/spaces/{spaceId}/change-requests', {
              params: { path: { spaceId }, query: { status, creator: user.id, limit: MOST_OFFERED } },
            }),
          ),
        ),
      );
      return lists.flatMap(({ items }) => items);
    },
  });
  return data;
}

/** Makes a change request and returns its number. */
export async function startRequest(spaceId: string, subject: string): Promise<string> {
  const { number } = await answered(
    api.POST('/v1/spaces/{spaceId}/change-requests', {
      params: { path: { spaceId } },
      body: subject === '' ? {} : { subject },
    }),
  );
  return String(number);
}

function RequestChoice({
  place: { spaceId },
  onChosen,
}: {
  readonly place: Place;
  readonly onChosen: (changeRequestId: string) => void;
}): ReactNode {
  const queries = useQueryClient();
  const requests = useOwnRequests(spaceId);
  const [subject, setSubject] = useState('');
  const start = useMutation({
    mutationFn: () => startRequest(spaceId, subject.trim()),
    onSuccess: async (id) => {
      await queries.invalidateQueries({ queryKey: ['change-requests'] });
      onChosen(id);
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    start.mutate();
  };
  return (
    <Stack>
      <Text size="sm">{words.text}</Text>
      <form onSubmit={submit}>
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
