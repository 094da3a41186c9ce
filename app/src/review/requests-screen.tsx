import { Group, Paper, SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';
import { get, send, useList, useSession, type ChangeRequest } from '../api/client.js';
import { spacesQuery } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { reviewTexts } from '../texts/review.js';
import { useSpace } from '../writing/place.js';
import { TextLink, useFollow } from '../ui/buttons.js';
import { ActionButton, TextField, useText } from '../ui/forms.js';
import { LoadedList, Note, ScreenFrame, EmptyScreen } from '../ui/screens.js';
import { MAX_SUBJECT, StatusBadge } from './request-frame.js';
import { STATUSES, type ListSearch } from './routes.js';

const words = reviewTexts.list;

/** The change requests of a space, or of all spaces of an organization; the filters are part of the address. */
export function RequestsScreen() {
  const { organizationId = '', spaceId } = useParams({ strict: false });
  const search: ListSearch = useSearch({ strict: false });
  const { status = 'open', by, subject = '' } = search;
  const navigate = useNavigate();
  const filter = (next: ListSearch): void => void navigate({ to: '.', search: { ...search, ...next }, replace: true });
  const query = useRequests(organizationId, spaceId, search);
  const empty = <EmptyScreen title={words.emptyTitle} text={words.emptyText} />;
  return (
    <ScreenFrame title={texts.services.requests} actions={spaceId !== undefined && <NewRequest spaceId={spaceId} />}>
      <Stack gap="md">
        <Group gap="sm">
          <SegmentedControl
            aria-label={words.status}
            value={status}
            data={STATUSES.map((value) => ({ value, label: reviewTexts.status[value] }))}
            onChange={(next) => filter({ status: next })}
          />
          <Select
            aria-label={words.whose}
            w={180}
            value={by ?? 'all'}
            data={(['all', 'me', 'for-me'] as const).map((value) => ({ value, label: words.by[value] }))}
            onChange={(next) => filter({ by: next === 'me' || next === 'for-me' ? next : undefined })}
          />
          <TextField
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            value={subject}
            onText={(text) => filter({ subject: text === '' ? undefined : text })}
          />
        </Group>
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

function useRequests(organizationId: string, spaceId: string | undefined, { status = 'open', by }: ListSearch) {
  const { user } = useSession();
  return useList<ChangeRequest>(['change-requests', organizationId, spaceId, status, by], (page) => {
    const whose = { ...(by === 'me' && { creator: user.id }), ...(by === 'for-me' && { requestedReviewer: user.id }) };
    const query = { status, ...whose, page, limit: 50 };
    return spaceId === undefined
      ? get('/v1/orgs/{organizationId}/change-requests', { organizationId }, query)
      : get('/v1/spaces/{spaceId}/change-requests', { spaceId }, query);
  });
}

/** Change requests as rows; j and k move between them, Enter opens one. */
function Rows({ requests, organizationId }: Readonly<{ requests: readonly ChangeRequest[]; organizationId: string }>) {
  const { spaceId } = useParams({ strict: false });
  const { data: spaces = [] } = useQuery(spacesQuery(organizationId));
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
          <Group gap="sm">
            <StatusBadge status={status} />
            <Stack gap={0} flex="1 1 200px" miw={0}>
              <TextLink
                label={subject === '' ? reviewTexts.noSubject : subject}
                to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId"
                params={{ organizationId, spaceId: space, changeRequestId: String(number) }}
                c="inherit"
                fw={600}
              />
              <Note at={updatedAt}>
                {spaceId === undefined && `${spaces.find(({ id: each }) => each === space)?.title ?? ''} `}
                {`#${number} · ${createdBy.displayName}${outdated ? ` · ${reviewTexts.outdated}` : ''} · `}
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
function NewRequest({ spaceId }: Readonly<{ spaceId: string }>) {
  const space = useSpace();
  const subject = useText();
  const follow = useFollow();
  const create = async (): Promise<void> => {
    const body = { subject: subject.value.trim() };
    follow((await send('post', '/v1/spaces/{spaceId}/change-requests', { spaceId }, body)).urls.app);
  };
  if (!space.permissions.edit) return null;
  const words = reviewTexts.create;
  return (
    <ActionButton label={words.button} variant="filled" ask={{ ...words, title: words.button }} action={create}>
      <TextField
        {...subject}
        label={reviewTexts.request.subject}
        description={words.subjectHint}
        data-autofocus
        maxLength={MAX_SUBJECT}
      />
    </ActionButton>
  );
}
