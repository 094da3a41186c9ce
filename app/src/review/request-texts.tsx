import { ActionIcon, Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import IconPen from '~icons/fa7-solid/pen';
import { texts } from '../texts/en.js';
import { Note } from '../ui/note.js';
import { Section } from '../ui/section.js';
import { CommentForm } from './comments/comment-form.js';
import { MarkdownText } from './comments/comment-text.js';
import { descriptionOf, descriptionText, isPlainText } from './description-text.js';
import { useRequest, useRequestUpdate } from './queries.js';

const words = texts.review.request;
export const MAX_SUBJECT = 100;

/** The subject as the heading of the screen, changed in its place. */
export function RequestSubject(): ReactNode {
  const { subject } = useRequest().request;
  const [isEdited, { open, close }] = useDisclosure();
  if (isEdited) return <SubjectForm onEnd={close} />;
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <Title order={1} size="h2">
        {subject === '' ? texts.review.noSubject : subject}
      </Title>
      <EditIcon label={words.editSubject} onClick={open} />
    </Group>
  );
}

function SubjectForm({ onEnd }: Readonly<{ onEnd: () => void }>): ReactNode {
  const [subject, setSubject] = useState(useRequest().request.subject);
  const { mutate, isPending } = useRequestUpdate();
  return (
    <form action={() => mutate({ subject: subject.trim() }, { onSuccess: onEnd })}>
      <Stack gap="xs">
        <TextInput
          label={words.subject}
          autoFocus
          maxLength={MAX_SUBJECT}
          value={subject}
          onChange={({ currentTarget }) => setSubject(currentTarget.value)}
          onKeyDown={({ key }) => key === 'Escape' && onEnd()}
        />
        <Group gap="xs">
          <Button type="submit" size="sm" loading={isPending}>
            {texts.common.save}
          </Button>
          <Button size="sm" variant="default" onClick={onEnd}>
            {texts.common.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Why and how a change request changes something, changed in its place. */
export function RequestDescription(): ReactNode {
  const { description } = useRequest().request;
  const [isEdited, { open, close }] = useDisclosure();
  const { mutateAsync } = useRequestUpdate();
  const text = descriptionText(description);
  if (!isEdited)
    return (
      <Section title={words.description} actions={<EditIcon label={words.editDescription} onClick={open} />}>
        {text === '' ? (
          <Text c="dimmed">{words.noDescription}</Text>
        ) : (
          <MarkdownText markdown={text} label={words.description} />
        )}
      </Section>
    );
  return (
    <Section title={words.description}>
      <CommentForm
        label={words.description}
        submit={texts.common.save}
        initial={text}
        autoFocus
        mayBeEmpty
        mentions={false}
        onSubmit={(next) => mutateAsync({ description: descriptionOf(next) }).then(close)}
        onCancel={close}
      >
        {!isPlainText(description) && <Note>{words.losesFormat}</Note>}
      </CommentForm>
    </Section>
  );
}

/** Absent for people who may not change the change request, and once it is merged. */
function EditIcon({ label, onClick }: Readonly<{ label: string; onClick: () => void }>): ReactNode {
  const { request, space } = useRequest();
  if (!space.permissions.edit || request.status === 'merged') return null;
  return (
    <ActionIcon aria-label={label} onClick={onClick}>
      <IconPen width={14} aria-hidden="true" />
    </ActionIcon>
  );
}
