import { ActionIcon, Badge, Button, Container, Group, Stack, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMatchRoute } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import IconPen from '~icons/fa7-solid/pen';
import { texts } from '../texts/en.js';
import { SecondaryButton } from '../ui/secondary-button.js';
import { ButtonLink, TextLink } from '../ui/links.js';
import { Note } from '../ui/note.js';
import { Time } from '../ui/time.js';
import { conflictsQuery, useRequest, useRequestUpdate, type RequestStatus } from './queries.js';

const words = texts.review.request;
const COLORS = { draft: 'gray', open: 'green', merged: 'violet', archived: 'red' } as const;
const ROUTE = '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId';
const TABS = { conversation: '', changes: '/~/changes', conflicts: '/~/conflicts' } as const;
export const MAX_SUBJECT = 100;

export function StatusBadge({ status }: Readonly<{ status: RequestStatus }>): ReactNode {
  return (
    <Badge color={COLORS[status]} variant="light" flex="none">
      {texts.review.status[status]}
    </Badge>
  );
}

/** The head of a change request: its space, its subject, its state, and its screens, of which one is shown below. */
export function RequestFrame({ children }: Readonly<{ children: ReactNode }>): ReactNode {
  const { path, request, space } = useRequest();
  const { number, status, createdBy, createdAt, agent } = request;
  return (
    <Container size="xl" py="md">
      <Stack gap="md">
        <Group gap="md">
          <TextLink size="sm" to="/o/$organizationId/s/$spaceId" params={path}>
            {space.title}
          </TextLink>
          <TextLink size="sm" to={`${ROUTE}/~/pages`} params={path}>
            {words.pages}
          </TextLink>
        </Group>
        <RequestSubject />
        <Group gap="xs">
          <StatusBadge status={status} />
          <Note>
            {`#${number} · ${words.openedBy(createdBy.displayName)} `}
            <Time at={createdAt} />
            {agent !== undefined && ` · ${words.byAgent(agent)}`}
          </Note>
        </Group>
        <Tabs />
        {children}
      </Stack>
    </Container>
  );
}

function Tabs(): ReactNode {
  const { path, request } = useRequest();
  const isAt = useMatchRoute();
  const { data: { conflicts } = { conflicts: [] } } = useQuery({ ...conflictsQuery(path), enabled: request.outdated });
  const { label, ...names } = texts.review.tabs;
  const shown = { ...names, conflicts: names.conflicts(conflicts.length) };
  return (
    <Group component="nav" gap="xs" aria-label={label}>
      {(['conversation', 'changes', 'conflicts'] as const).map((tab) => {
        const to = `${ROUTE}${TABS[tab]}` as const;
        const isCurrent = isAt({ to }) !== false;
        if (tab === 'conflicts' && !isCurrent && conflicts.length === 0) return null;
        const variant = isCurrent ? 'light' : 'subtle';
        return (
          <ButtonLink
            key={tab}
            {...{ to, variant }}
            params={path}
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {shown[tab]}
          </ButtonLink>
        );
      })}
    </Group>
  );
}

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
          <Button type="submit" loading={isPending}>
            {texts.common.save}
          </Button>
          <SecondaryButton label={texts.common.cancel} onClick={onEnd} />
        </Group>
      </Stack>
    </form>
  );
}

/** Absent for people who may not change the change request, and once it is merged. */
export function EditIcon({ label, onClick }: Readonly<{ label: string; onClick: () => void }>): ReactNode {
  const { request, space } = useRequest();
  if (!space.permissions.edit || request.status === 'merged') return null;
  return (
    <ActionIcon aria-label={label} onClick={onClick}>
      <IconPen width={14} aria-hidden="true" />
    </ActionIcon>
  );
}
