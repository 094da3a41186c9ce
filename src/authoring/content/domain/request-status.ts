export type RequestStatus = 'draft' | 'open' | 'archived' | 'merged';

interface StatusRow {
  /** The statuses that a request can set. */
  readonly becomes: readonly RequestStatus[];
  /** True if content, updates and reviews are accepted. */
  readonly active: boolean;
}

const FREE = ['draft', 'open', 'archived'] as const;

/** The permitted actions in each status; `merged` is reached by a merge only, from any other, and never left. */
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

/** Tells whether a change request accepts content, updates and reviews. */
export function isActive(status: RequestStatus): boolean {
  return STATUSES[status].active;
}
