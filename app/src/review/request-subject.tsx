import { ActionIcon, Button, Group, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import IconPen from '~icons/fa7-solid/pen';
import { answered, api } from '../api/client.js';
import { texts } from '../texts/en.js';
import { renewRequest, type ChangeRequest, type RequestAddress } from './queries.js';

const words = texts.review.request;
const MAX_SUBJECT = 100;

/** The subject as the heading of the screen, changed in its place. */
export function RequestSubject({
  request,
  path,
  mayEdit,
}: {
  readonly request: ChangeRequest;
  readonly path: RequestAddress;
  readonly mayEdit: boolean;
}): ReactNode {
  const queries = useQueryClient();
  const [draft, setDraft] = useState<string>();
  const save = useMutation({
    mutationFn: (subject: string) =>
      answered(
        api.PATCH('/v1/spaces/{spaceId}/change-requests/{changeRequestId}', { params: { path }, body: { subject } }),
      ),
    onSuccess: async () => {
      setDraft(undefined);
      await renewRequest(queries, path);
    },
  });
  if (draft !== undefined)
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(draft.trim());
        }}
      >
        <Group align="end">
          <TextInput
            flex={1}
            label={words.subject}
            value={draft}
            maxLength={MAX_SUBJECT}
            autoFocus
            onChange={({ currentTarget }) => setDraft(currentTarget.value)}
            onKeyDown={({ key }) => key === 'Escape' && setDraft(undefined)}
          />
          <Button type="submit" loading={save.isPending}>
            {texts.common.save}
          </Button>
          <Button variant="default" onClick={() => setDraft(undefined)}>
            {texts.common.cancel}
          </Button>
        </Group>
      </form>
    );
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <Title order={1} size="h2" className="request-subject">
        {request.subject === '' ? texts.review.noSubject : request.subject}
      </Title>
      {mayEdit && request.status !== 'merged' && (
        <ActionIcon aria-label={words.editSubject} onClick={() => setDraft(request.subject)}>
          <IconPen />
        </ActionIcon>
      )}
    </Group>
  );
}
