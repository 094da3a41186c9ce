export type Status = 'draft' | 'open' | 'archived' | 'merged';

/** Where a status may go by a request of its own; `merged` is reached by a merge only, and never left. */
const TRANSITIONS: Readonly<Record<Status, readonly Status[]>> = {
  draft: ['draft', 'open', 'archived'],
  open: ['draft', 'open', 'archived'],
  archived: ['draft', 'open', 'archived'],
  merged: [],
};

export function mayBecome(from: Status, to: Status): boolean {
  return TRANSITIONS[from].includes(to);
}
