import type { Type } from '@nestjs/common';
import { ContributionPoint } from '../../kernel/platform/manifest/contribution.js';
import type { PrimaryHead } from './content-lines.js';
import type { Item, ItemKey } from './domain/content-item.js';

/** Takes what people write in a space that is a translation. */
export interface TranslationEdits {
  /**
   * Reads new versions of items, null for deleted ones, before they become a revision of the primary line and under the
   * lock of its head. Their documents are stored. Returns them as they become part of the revision: with the present
   * notes for readers. `mergedFrom` is the change request that brings them: that of a run may bring more than words. Throws
   * `conflict` for what a translation cannot say.
   */
  accept(
    head: PrimaryHead,
    items: ReadonlyMap<ItemKey, Item | null>,
    mergedFrom?: string,
  ): Promise<ReadonlyMap<ItemKey, Item | null>>;
}

/** The class that takes edits of translations: a provider of the module that contributes it. */
export const TRANSLATION_EDITS = new ContributionPoint<Type<TranslationEdits>>('edits of translations');
