import { Button, Group, Paper, SegmentedControl, Select, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef, useState, type ReactNode } from 'react';
import { send } from '../api/client.js';
import { type ChangeRequest } from '../api/queries.js';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { useSpace } from '../writing/place.js';
import { FormDialog } from '../ui/form-dialog.js';
import { TextLink } from '../ui/links.js';
import { LoadedList } from '../ui/loaded.js';
import { Note } from '../ui/note.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import { requestsQuery } from './queries.js';
import { StatusBadge } from './request-frame.js';
import { MAX_SUBJECT } from './request-texts.js';
import { STATUSES, type ListSearch } from './routes.js';

const words = texts.review.list;

/** The change requests of a space, or of all spaces of an organization; the filters are part of the address. */
export function RequestsScreen(): ReactNode {
  const { organizationId = '', spaceId } = useParams({ strict: false });
  const search: ListSearch = useSearch({ strict: false });
  const { status = 'open', by, subject = '' } = search;
  const navigate = useNavigate();
  const { user } = useSession();
  const query = useInfiniteQuery(
    requestsQuery(organizationId, spaceId, {
      status,
      ...(by === 'me' && { creator: user.id }),
      ...(by === 'for-me' && { requestedReviewer: user.id }),
    }),
  );
  const empty = <EmptyScreen title={words.emptyTitle} text={words.emptyText} />;
  return (
    <ScreenFrame title={words.title} actions={spaceId !== undefined && <NewRequest {...{ organizationId, spaceId }} />}>
      <Stack gap="md">
        <Filters search={search} onChange={(next) => void navigate({ to: '.', search: next, replace: true })} />
        <LoadedList query={query} empty={empty}>
          {(requests) => {
            const shown = requests.filter((each) => each.subject.toLowerCase().includes(subject.toLowerCase()));
            return shown.length === 0 ? empty : <Rows requests={shown} organizationId={organizationId} />;
          }}
        </LoadedList>
      </Stack>
    </ScreenFrame>
  );
}

type FiltersProps = Readonly<{ search: ListSearch; onChange: (search: ListSearch) => void }>;

function Filters({ search, onChange }: FiltersProps): ReactNode {
  const { by = 'all', subject = '', status = 'open' } = search;
  return (
    <Group gap="sm">
      <SegmentedControl
        aria-label={words.status}
        value={status}
        data={STATUSES.map((value) => ({ value, label: texts.review.status[value] }))}
        onChange={(next) => onChange({ ...search, status: next })}
      />
      <Select
        aria-label={words.whose}
        w={180}
        allowDeselect={false}
        value={by}
        data={(['all', 'me', 'for-me'] as const).map((value) => ({ value, label: words.by[value] }))}
        onChange={(next) => onChange({ ...search, by: next === 'me' || next === 'for-me' ? next : undefined })}
      />
      <TextInput
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={subject}
        onChange={({ currentTarget: { value } }) => onChange({ ...search, subject: value === '' ? undefined : value })}
      />
    </Group>
  );
}

type RowsProps = Readonly<{ requests: readonly ChangeRequest[]; organizationId: string }>;

/** Change requests as rows; j and k move between them, Enter opens one. */
function Rows({ requests, organizationId }: RowsProps): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const step = (by: number): void => {
    const rows = [...(list.current?.querySelectorAll<HTMLAnchorElement>('a') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
  };
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
  ]);
  return (
    <Stack ref={list} gap={4} role="list">
      {requests.map(({ id, space, number, subject, status, createdBy, updatedAt, outdated, comments }) => (
        <Paper key={id} withBorder p="sm" role="listitem">
          <Group gap="sm" wrap="nowrap">
            <StatusBadge status={status} />
            <Stack gap={0} flex={1} miw={0}>
              <TextLink
                to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId"
                params={{ organizationId, spaceId: space, changeRequestId: String(number) }}
                c="inherit"
                fw={600}
              >
                {subject === '' ? texts.review.noSubject : subject}
              </TextLink>
              <Note>
                {`#${number} · ${createdBy.displayName} · `}
                <Time at={updatedAt} />
                {outdated && ` · ${texts.review.outdated}`}
              </Note>
            </Stack>
            {comments > 0 && <Text size="sm">{words.openComments(comments)}</Text>}
          </Group>
        </Paper>
      ))}
    </Stack>
  );
}

/** Opens a change request of a space; absent for people who may only read. */
function NewRequest({ organizationId, spaceId }: Readonly<{ organizationId: string; spaceId: string }>): ReactNode {
  const space = useSpace();
  const [isOpen, { open, close }] = useDisclosure();
  const [subject, setSubject] = useState('');
  const navigate = useNavigate();
  const create = async (): Promise<void> => {
    const body = { subject: subject.trim() };
    const { number } = await send('post', '/v1/spaces/{spaceId}/change-requests', { spaceId }, body);
    const params = { organizationId, spaceId, changeRequestId: String(number) };
    await navigate({ to: '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId', params });
  };
  if (!space.permissions.edit) return null;
  const { button, submit, subject: label, subjectHint } = texts.review.create;
  return (
    <>
      <Button onClick={open}>{button}</Button>
      <FormDialog opened={isOpen} onClose={close} title={button} action={submit} onSubmit={create}>
        <TextInput
          label={label}
          description={subjectHint}
          data-autofocus
          maxLength={MAX_SUBJECT}
          value={subject}
          onChange={({ currentTarget }) => setSubject(currentTarget.value)}
        />
      </FormDialog>
    </>
  );
}
