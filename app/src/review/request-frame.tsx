import { Badge, Container, Group, Stack, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMatchRoute } from '@tanstack/react-router';
import type { KeyboardEvent, ReactNode } from 'react';
import IconPen from '~icons/fa7-solid/pen';
import { texts } from '../texts/en.js';
import { reviewTexts } from '../texts/review.js';
import { TextField, useText } from '../ui/forms.js';
import { Button, ButtonLink, IconButton, SecondaryButton, TextLink } from '../ui/buttons.js';
import { Note } from '../ui/screens.js';
import { conflictsQuery, useRequest, useRequestUpdate, type RequestStatus } from './queries.js';

const words = reviewTexts.request;
const COLORS = { draft: 'gray', open: 'green', merged: 'violet', archived: 'red' } as const;
const ROUTE = '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId';
const TABS = { conversation: '', changes: '/~/changes', conflicts: '/~/conflicts' } as const;
export const MAX_SUBJECT = 100;

export function StatusBadge({ status }: Readonly<{ status: RequestStatus }>) {
  return <Badge color={COLORS[status]}>{reviewTexts.status[status]}</Badge>;
}

/** The head of a change request: its space, its subject, its state, and its screens, of which one is shown below. */
export function RequestFrame({ children }: Readonly<{ children: ReactNode }>) {
  const { path, request, space } = useRequest();
  const { number, status, createdBy, createdAt, agent } = request;
  return (
    <Container size="xl" px={{ base: 'sm', sm: 'md' }} py="md">
      <Stack gap="md">
        <Group gap="md">
          <TextLink label={space.title} size="sm" to="/o/$organizationId/s/$spaceId" params={path} />
          <TextLink label={words.pages} size="sm" to={`${ROUTE}/~/pages`} params={path} />
        </Group>
        <RequestSubject />
        <Group gap="xs">
          <StatusBadge status={status} />
          <Note at={createdAt}>
            {`#${number} · ${agent === undefined ? '' : `${words.byAgent(agent)} · `}${words.openedBy(createdBy.displayName)}`}
          </Note>
        </Group>
        <Tabs />
        {children}
      </Stack>
    </Container>
  );
}

function Tabs() {
  const { path, request } = useRequest();
  const isAt = useMatchRoute();
  const { data: { conflicts } = { conflicts: [] } } = useQuery({ ...conflictsQuery(path), enabled: request.outdated });
  const { label, ...names } = reviewTexts.tabs;
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
            label={shown[tab]}
            key={tab}
            {...{ to, variant }}
            params={path}
            px={{ base: 'xs', sm: 'md' }}
            activeOptions={{ exact: true, includeSearch: false }}
          />
        );
      })}
    </Group>
  );
}

/** The subject as the heading of the screen, changed in its place. */
function RequestSubject() {
  const { subject } = useRequest().request;
  const [isEdited, { open, close }] = useDisclosure();
  if (isEdited) return <SubjectForm onEnd={close} />;
  return (
    <Group gap="xs" wrap="nowrap" align="start">
      <Title order={1}>{subject === '' ? reviewTexts.noSubject : subject}</Title>
      <EditIcon label={words.editSubject} onClick={open} />
    </Group>
  );
}

function SubjectForm({ onEnd }: Readonly<{ onEnd: () => void }>) {
  const subject = useText(useRequest().request.subject);
  const { mutate, isPending } = useRequestUpdate();
  const onKeyDown = ({ key }: KeyboardEvent) => key === 'Escape' && onEnd();
  return (
    <form action={() => mutate({ subject: subject.value.trim() }, { onSuccess: onEnd })}>
      <Stack gap="xs">
        <TextField {...subject} label={words.subject} autoFocus maxLength={MAX_SUBJECT} onKeyDown={onKeyDown} />
        <Group gap="xs">
          <Button label={texts.common.save} type="submit" loading={isPending} />
          <SecondaryButton label={texts.common.cancel} onClick={onEnd} />
        </Group>
      </Stack>
    </form>
  );
}

/** Absent for people who may not change the change request, and once it is merged. */
export function EditIcon({ label, onClick }: Readonly<{ label: string; onClick: () => void }>) {
  const { request, space } = useRequest();
  if (!space.permissions.edit || request.status === 'merged') return null;
  return <IconButton label={label} Icon={IconPen} onClick={onClick} />;
}
