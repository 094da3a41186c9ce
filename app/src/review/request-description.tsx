import { ActionIcon, Button, Card, Group, Stack, Text, Textarea, Title } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import IconPen from '~icons/fa7-solid/pen';
import { texts } from '../texts/en.js';
import { descriptionOf, descriptionText, isPlainText } from './description-text.js';
import type { ChangeRequest, RequestAddress } from './queries.js';
import { useRequestActions } from './request-actions.js';

const words = texts.review.request;

/** Why and how a change request changes something, changed in its place. */
export function RequestDescription({
  request,
  path,
  mayEdit,
}: {
  readonly request: ChangeRequest;
  readonly path: RequestAddress;
  readonly mayEdit: boolean;
}): ReactNode {
  const [draft, setDraft] = useState<string>();
  const { mutate, isPending } = useRequestActions(path);
  const text = descriptionText(request.description);
  const mayChange = mayEdit && request.status !== 'merged';
  const save = (): void =>
    mutate({ description: descriptionOf(draft ?? '') }, { onSuccess: () => setDraft(undefined) });
  return (
    <Card withBorder component="section" aria-label={words.description}>
      <Group justify="space-between" wrap="nowrap">
        <Title order={2} size="h4">
          {words.description}
        </Title>
        {mayChange && draft === undefined && (
          <ActionIcon aria-label={words.editDescription} onClick={() => setDraft(text)}>
            <IconPen width={14} aria-hidden="true" />
          </ActionIcon>
        )}
      </Group>
      {draft === undefined ? (
        <Text className="comment-plain" c={text === '' ? 'dimmed' : undefined}>
          {text === '' ? words.noDescription : text}
        </Text>
      ) : (
        <Stack gap="xs">
          <Textarea
            aria-label={words.description}
            description={isPlainText(request.description) ? words.descriptionHint : words.losesFormat}
            autosize
            minRows={3}
            maxRows={16}
            autoFocus
            value={draft}
            onChange={({ currentTarget }) => setDraft(currentTarget.value)}
            onKeyDown={({ key }) => key === 'Escape' && setDraft(undefined)}
          />
          <Group gap="xs">
            <Button size="sm" loading={isPending} onClick={save}>
              {texts.common.save}
            </Button>
            <Button size="sm" variant="default" onClick={() => setDraft(undefined)}>
              {texts.common.cancel}
            </Button>
          </Group>
        </Stack>
      )}
    </Card>
  );
}
