import { queryOptions } from '@tanstack/react-query';
import { answered, api, type Schemas } from '../../api/client.js';
import { readAll } from '../../api/pages.js';
import { requestKey, type RequestAddress } from '../queries.js';

export type Conflict = Schemas['ConflictBody'];
export type Choice = 'primary' | 'changed' | 'both' | 'own';

/** What somebody decided for a conflict; `own` is the text that was written, even while another choice holds. */
export interface Settlement {
  readonly choice: Choice;
  readonly own?: string;
}

/** The choices that a conflict has: texts can be put together and written anew, everything else has two sides. */
export function choicesOf({ markdown }: Conflict): readonly Choice[] {
  return markdown ? ['primary', 'changed', 'both', 'own'] : ['primary', 'changed'];
}

/** The text that a settlement leads to; undefined where the conflict is not about text. */
export function settledText({ markdown }: Conflict, { choice, own }: Settlement): string | undefined {
  if (!markdown) return undefined;
  if (choice === 'own') return own ?? markdown.changed;
  if (choice === 'both')
    return `${[markdown.primary, markdown.changed]
      .map((side) => side.trim())
      .join('\n\n')
      .trim()}\n`;
  return markdown[choice];
}

/** The resolution of a conflict, as the interface takes it. */
export function resolutionOf(conflict: Conflict, settlement: Settlement): Schemas['ConflictResolution'] {
  const { choice } = settlement;
  if (choice === 'primary' || choice === 'changed') return { conflict: conflict.id, keep: choice };
  return { conflict: conflict.id, markdown: settledText(conflict, settlement) ?? '' };
}

interface Conflicts {
  /** The published revision that was compared. */
  readonly primary: string;
  readonly conflicts: readonly Conflict[];
}

/** All conflicts, compared with one published revision. */
export const allConflictsQuery = (path: RequestAddress) =>
  queryOptions({
    queryKey: requestKey(path, 'conflicts', 'all'),
    queryFn: async (): Promise<Conflicts> => {
      let primary = '';
      const conflicts = await readAll(async (page) => {
        const {
          conflicts: items,
          next,
          ...rest
        } = await answered(
          api.GET('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/conflicts', {
            params: { path, query: { limit: 1000, ...(page !== undefined && { page }) } },
          }),
        );
        primary = rest.primary;
        return { items, ...(next && { next }) };
      });
      return { primary, conflicts };
    },
  });
