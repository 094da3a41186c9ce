import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import { conflictsQuery, requestQuery, type RequestAddress } from './queries.js';
import './request-tabs.css';

const words = texts.review.tabs;

/** The screens of a change request, as links. */
export function RequestTabs({
  organizationId,
  path,
  current,
}: {
  readonly organizationId: string;
  readonly path: RequestAddress;
  readonly current: 'conversation' | 'changes' | 'conflicts';
}): ReactNode {
  const { data: request } = useQuery(requestQuery(path));
  const { data: conflicts } = useQuery({ ...conflictsQuery(path), enabled: request?.outdated === true });
  const params = { organizationId, ...path };
  const mark = (tab: typeof current): 'page' | undefined => (tab === current ? 'page' : undefined);
  return (
    <nav aria-label={words.label} className="request-tabs">
      <Link
        to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId"
        params={params}
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={mark('conversation')}
      >
        {words.conversation}
      </Link>
      <Link
        to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/changes"
        params={params}
        activeOptions={{ exact: true, includeSearch: false }}
        aria-current={mark('changes')}
      >
        {words.changes}
      </Link>
      {(current === 'conflicts' || (conflicts?.count ?? 0) > 0) && (
        <Link
          to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/conflicts"
          params={params}
          activeOptions={{ exact: true, includeSearch: false }}
          aria-current={mark('conflicts')}
        >
          {words.conflicts(conflicts?.count ?? 0)}
        </Link>
      )}
    </nav>
  );
}
