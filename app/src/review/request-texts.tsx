import { ActionIcon, Button, Group, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import IconPen from '~icons/fa7-solid/pen';
import { texts } from '../texts/en.js';
import { Section } from '../ui/section.js';
import { descriptionOf, descriptionText, isPlainText } from './description-text.js';
import { useRequest, useRequestActions } from './queries.js';

const words = texts.review.request;
export const MAX_SUBJECT = 100;

/** The subject as the heading of the screen, changed in its place. */
export function RequestSubject(): ReactNode {
  const { path, request, space } = useRequest();
  const [isEdited, setIsEdited] = useState(false);
  const { mutateAsync } = useRequestActions(path);
  const end = (): void => setIsEdited(false);
  const { subject } = request;
  if (isEdited)
    return (
      <TextForm label={words.subject} initial={subject} save={(text) => mutateAsync({ subject: text })} onEnd={end} />
    );
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <Title order={1} size="h2">
        {subject === '' ? texts.review.noSubject : subject}
      </Title>
      {space.permissions.edit && request.status !== 'merged' && (
        <EditIcon label={words.editSubject} onClick={() => setIsEdited(true)} />
      )}
    </Group>
  );
}

/** Why and how a change request changes something, changed in its place. */
export function RequestDescription(): ReactNode {
  const { path, request, space } = useRequest();
  const [isEdited, setIsEdited] = useState(false);
  const { mutateAsync } = useRequestActions(path);
  const text = descriptionText(request.description);
  const mayChange = space.permissions.edit && request.status !== 'merged' && !isEdited;
  const edit = mayChange && <EditIcon label={words.editDescription} onClick={() => setIsEdited(true)} />;
  return (
    <Section title={words.description} actions={edit}>
      {isEdited ? (
        <TextForm
          isLong
          label={words.description}
          hint={isPlainText(request.description) ? words.descriptionHint : words.losesFormat}
          initial={text}
          save={(next) => mutateAsync({ description: descriptionOf(next) })}
          onEnd={() => setIsEdited(false)}
        />
      ) : (
        <Text className="plain-text" c={text === '' ? 'dimmed' : undefined}>
          {text === '' ? words.noDescription : text}
        </Text>
      )}
    </Section>
  );
}

function EditIcon({ label, onClick }: Readonly<{ label: string; onClick: () => void }>): ReactNode {
  return (
    <ActionIcon aria-label={label} onClick={onClick}>
      <IconPen width={14} aria-hidden="true" />
    </ActionIcon>
  );
}

interface TextFormProps {
  readonly label: string;
  readonly hint?: string;
  readonly initial: string;
  readonly isLong?: boolean;
  readonly save: (text: string) => Promise<unknown>;
  readonly onEnd: () => void;
}

function TextForm({ label, hint, initial, isLong = false, save, onEnd }: TextFormProps): ReactNode {
  const [text, setText] = useState(initial);
  const [isSaving, setIsSaving] = useState(false);
  const submit = (): void => {
    setIsSaving(true);
    // A fault is told by the change itself; what was typed stays.
    save(text.trim()).then(onEnd, () => setIsSaving(false));
  };
  const field = {
    label,
    description: hint,
    autoFocus: true,
    value: text,
    onChange: (event: { currentTarget: { value: string } }) => setText(event.currentTarget.value),
    onKeyDown: ({ key }: { key: string }) => key === 'Escape' && onEnd(),
  };
  return (
    <form action={submit}>
      <Stack gap="xs">
        {isLong ? (
          <Textarea {...field} autosize minRows={3} maxRows={16} />
        ) : (
          <TextInput {...field} maxLength={MAX_SUBJECT} />
        )}
        <Group gap="xs">
          <Button type="submit" size="sm" loading={isSaving}>
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
