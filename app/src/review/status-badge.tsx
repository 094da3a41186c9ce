import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../texts/en.js';
import type { RequestStatus } from './queries.js';

const COLORS: Readonly<Record<RequestStatus, string>> = {
  draft: 'gray',
  open: 'green',
  merged: 'violet',
  archived: 'red',
};

/** The status of a change request in a word and a colour. */
export function StatusBadge({ status }: { readonly status: RequestStatus }): ReactNode {
  return (
    <Badge color={COLORS[status]} variant="light" className="status-badge">
      {texts.review.status[status]}
    </Badge>
  );
}
