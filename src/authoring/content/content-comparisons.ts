import { Injectable } from '@nestjs/common';
import type { SpaceAccess } from '../../kernel/access/access.service.js';
import { ContentStore, type Point } from './content-store.js';
import { ContentLines, requestBase, requestPoint, revisionPoint } from './content-lines.js';
import type { ItemKey } from './domain/content-item.js';

/** A space as whoever compares sees it. */
type Compared = Pick<SpaceAccess, 'id' | 'hiddenPages'>;

/** Two states of the content of a space. */
export interface ContentComparison {
  readonly before: Point;
  readonly after: Point;
  /** The items that may differ; some may be named twice. */
  readonly keys: () => Promise<readonly ItemKey[]>;
  /** The id of the change request whose merge made the later state. */
  readonly mergedFrom?: string;
}

/** Finds the states between which a revision or a change request changed something. */
@Injectable()
export class ContentComparisons {
  constructor(
    private readonly store: ContentStore,
    private readonly lines: ContentLines,
  ) {}

  /** A revision and the previous one of its line; an update also includes the changes from primary. */
  async ofRevision({ id: spaceId, hiddenPages }: Compared, revisionId: string): Promise<ContentComparison> {
    const revision = await this.lines.revision(spaceId, revisionId);
    const { line, sequence, baseSequence, mergedFrom } = revision;
    const after = revisionPoint(spaceId, revision, hiddenPages);
    if (line === '')
      return {
        before: { ...after, base: sequence - 1 },
        after,
        keys: () => this.store.changedBetween(spaceId, '', sequence - 1, sequence),
        ...(mergedFrom !== null && { mergedFrom }),
      };
    const previousBase = await this.lines.baseBefore(spaceId, revision);
    return {
      before: { ...after, sequence: sequence - 1, base: previousBase },
      after,
      keys: async () => {
        const keys = await Promise.all([
          this.store.changedBetween(spaceId, line, sequence - 1, sequence),
          this.store.changedBetween(spaceId, '', previousBase, baseSequence),
        ]);
        return keys.flat();
      },
    };
  }

  /** A change request, by id or number, and what its changes are the difference to. */
  async ofRequest({ id: spaceId, hiddenPages }: Compared, idOrNumber: string): Promise<ContentComparison> {
    const request = await this.lines.request(spaceId, idOrNumber);
    const before = requestBase(request, hiddenPages);
    const after = requestPoint(request, hiddenPages);
    return {
      before,
      after,
      keys: async () => {
        const changed = await Promise.all([this.store.overlay(before), this.store.overlay(after)]);
        return changed.flatMap((overlay) => [...overlay.keys()]);
      },
    };
  }
}
