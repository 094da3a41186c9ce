export type RequestStatus = 'draft' | 'open' | 'archived' | 'merged';

interface StatusRow {
  /** Where it may go by a request of its own. */
  readonly becomes: readonly RequestStatus[];
  /** Whether content, updates and reviews are taken. */
  readonly active: boolean;
}

const FREE = ['draft', 'open', 'archived'] as const;

/** What a change request may do in each status; `merged` is reached by a merge only, from any other, and never left. */
const STATUSES = {
  draft: { becomes: FREE, active: true },
  open: { becomes: FREE, active: true },
  archived: { becomes: FREE, active: false },
  merged: { becomes: [], active: false },
} as const satisfies Record<RequestStatus, StatusRow>;

export const REQUEST_STATUSES = Object.keys(STATUSES) as readonly RequestStatus[];

export function mayBecome(from: RequestStatus, to: RequestStatus): boolean {
  const { becomes }: StatusRow = STATUSES[from];
  return becomes.includes(to);
}

/** Whether a change request takes content, updates and reviews. */
export function isActive(status: RequestStatus): boolean {
  return STATUSES[status].active;
}
