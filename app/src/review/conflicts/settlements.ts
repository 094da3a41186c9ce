import { queryOptions } from '@tanstack/react-query';
import { get, REQUEST, type Schemas } from '../../api/client.js';
import { readAll } from '../../api/pages.js';
import { requestKey, type RequestAddress } from '../../api/queries.js';
import { settledText, type Settlement } from './settled-text.js';

export type Conflict = Schemas['ConflictBody'];

/** The text that a settlement leads to; empty where the conflict is not about text. */
export function settledTextOf({ markdown }: Conflict, settlement: Settlement): string {
  return markdown ? settledText(markdown.primary, markdown.changed, settlement) : '';
}

/** The resolution of a conflict, as the interface takes it. */
export function resolutionOf(conflict: Conflict, settlement: Settlement): Schemas['ConflictResolution'] {
  const { choice } = settlement;
  if (choice === 'theirs') return { conflict: conflict.id, keep: 'primary' };
  if (choice === 'mine') return { conflict: conflict.id, keep: 'changed' };
  return { conflict: conflict.id, markdown: settledTextOf(conflict, settlement) };
}

/** All conflicts, with the published revision that was compared. */
export const allConflictsQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'conflicts', 'all'),
    queryFn: async () => {
      let primary = '';
      const conflicts = await readAll(async (page) => {
        const answer = await get(`${REQUEST}/conflicts`, path, { limit: 1000, page });
        primary = answer.primary;
        return { items: answer.conflicts, next: answer.next };
      });
      return { primary, conflicts };
    },
  });
