import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { answered, api, type Schemas } from '../api/client.js';
import { texts } from '../texts/en.js';

const words = texts.review.create;
const MAX_SUBJECT = 100;

/** Opens a change request of a space; absent for people who may only read. */
export function NewRequestButton({
  organizationId,
  spaceId,
  permissions,
}: {
  readonly organizationId: string;
  readonly spaceId: string;
  readonly permissions: Schemas['SpaceBody']['permissions'] | undefined;
}): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const [subject, setSubject] = useState('');
  const navigate = useNavigate();
  const create = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/v1/spaces/{spaceId}/change-requests', {
          params: { path: { spaceId } },
          body: { subject: subject.trim() },
        }),
      ),
    onSuccess: ({ number }) =>
      navigate({
        to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId',
        params: { organizationId, spaceId, changeRequestId: String(number) },
      }),
  });
  if (permissions?.edit !== true) return null;
  return (
    <>
      <Button onClick={open}>{words.button}</Button>
      <Modal opened={isOpen} onClose={close} title={words.title}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            create.mutate();
          }}
        >
          <Stack>
            <TextInput
              label={words.subject}
              description={words.subjectHint}
              data-autofocus
              maxLength={MAX_SUBJECT}
              value={subject}
              onChange={({ currentTarget }) => setSubject(currentTarget.value)}
            />
            <Group justify="end">
              <Button variant="default" onClick={close}>
                {texts.common.cancel}
              </Button>
              <Button type="submit" loading={create.isPending}>
                {words.submit}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
