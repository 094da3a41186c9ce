import {
  Button,
  Group,
  SegmentedControl,
  Select,
  Skeleton,
  Stack,
  Text,
  TextInput,
  VisuallyHidden,
} from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { useRef, type ReactNode } from 'react';
import { useSession } from '../api/session.js';
import { texts } from '../texts/en.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import type { ChangeRequest, RequestFilter, RequestStatus } from './queries.js';
import { StatusBadge } from './status-badge.js';
import type { ListSearch } from './routes.js';
import './request-list.css';

const words = texts.review.list;
const STATUSES: readonly RequestStatus[] = ['open', 'draft', 'merged', 'archived'];

/** What the interface is asked for, by the address of a list. */
export function useFilter({ status = 'open', by }: ListSearch): RequestFilter {
  const { user } = useSession();
  return {
    status,
    ...(by === 'me' && { creator: user.id }),
    ...(by === 'for-me' && { requestedReviewer: user.id }),
  };
}

/** The filters above a list; they are part of its address. */
export function RequestFilters({
  search,
  onChange,
}: {
  readonly search: ListSearch;
  readonly onChange: (search: ListSearch) => void;
}): ReactNode {
  return (
    <Group gap="sm" align="end" wrap="wrap">
      <SegmentedControl
        aria-label={words.status}
        value={search.status ?? 'open'}
        data={STATUSES.map((value) => ({ value, label: texts.review.status[value] }))}
        onChange={(status) => onChange({ ...search, status: status })}
      />
      <Select
        aria-label={words.whose}
        w={180}
        allowDeselect={false}
        value={search.by ?? 'all'}
        data={[
          { value: 'all', label: words.all },
          { value: 'me', label: words.mine },
          { value: 'for-me', label: words.forMe },
        ]}
        onChange={(by) => {
          const { by: _former, ...rest } = search;
          onChange(by === 'me' || by === 'for-me' ? { ...rest, by } : rest);
        }}
      />
      <TextInput
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={search.subject ?? ''}
        onChange={({ currentTarget: { value } }) => {
          const { subject: _former, ...rest } = search;
          onChange(value === '' ? rest : { ...rest, subject: value });
        }}
      />
    </Group>
  );
}

/** Change requests as rows; j and k move between them, Enter opens one. */
export function RequestList({
  requests,
  organizationId,
  subject = '',
  more,
}: {
  readonly requests: readonly ChangeRequest[] | undefined;
  readonly organizationId: string;
  readonly subject?: string | undefined;
  readonly more: { readonly load: () => void; readonly loading: boolean } | undefined;
}): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const step = (by: number): void => {
    const rows = [...(list.current?.querySelectorAll<HTMLAnchorElement>('a[data-row]') ?? [])];
    const at = rows.findIndex((row) => row === document.activeElement);
    rows[Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
  };
  useHotkeys([
    ['j', () => step(1)],
    ['k', () => step(-1)],
  ]);
  if (!requests) return <ListSkeleton />;
  const shown = requests.filter((request) => request.subject.toLowerCase().includes(subject.toLowerCase()));
  if (shown.length === 0) return <EmptyScreen title={words.emptyTitle} text={words.emptyText} />;
  return (
    <Stack gap="sm">
      <ul className="request-list" ref={list}>
        {shown.map((request) => (
          <RequestRow key={request.id} request={request} organizationId={organizationId} />
        ))}
      </ul>
      {more && (
        <Button variant="default" onClick={more.load} loading={more.loading} className="request-list-more">
          {texts.common.more}
        </Button>
      )}
    </Stack>
  );
}

function RequestRow({
  request,
  organizationId,
}: {
  readonly request: ChangeRequest;
  readonly organizationId: string;
}): ReactNode {
  const navigate = useNavigate();
  const params = { organizationId, spaceId: request.space, changeRequestId: String(request.number) };
  const to = '/o/$organizationId/s/$spaceId/~/changes/$changeRequestId';
  return (
    <li className="request-row" onDoubleClick={() => void navigate({ to, params })}>
      <StatusBadge status={request.status} />
      <div className="request-row-text">
        <Link to={to} params={params} data-row className="request-row-subject">
          {request.subject === '' ? texts.review.noSubject : request.subject}
        </Link>
        <Text size="sm" c="dimmed">
          {`#${request.number} · ${request.createdBy.displayName} · `}
          <Time at={request.updatedAt} />
          {request.outdated && ` · ${texts.review.outdated}`}
        </Text>
      </div>
      {request.comments > 0 && <Text size="sm">{words.openComments(request.comments)}</Text>}
    </li>
  );
}

function ListSkeleton(): ReactNode {
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>{texts.common.loading}</VisuallyHidden>
      {Array.from({ length: 6 }, (_, index) => (
        <Skeleton key={index} height={52} />
      ))}
    </Stack>
  );
}
