import { Injectable } from '@nestjs/common';
import { ContentStore, type Point } from '../../../authoring/content/content-store.js';
import { sourceOfDerived } from '../../../authoring/content/domain/computed/expansion.js';
import { itemKey, splitKey, type Item, type ItemKey } from '../../../authoring/content/domain/content-item.js';
import { idsIn, renameIdsIn } from '../../../authoring/interchange/rename-ids.js';
import { SpaceContents } from '../../../authoring/interchange/space-content.js';
import { CopiedIds } from '../domain/target-items.js';
import { textsOf } from '../item-translator.js';
import type { StoredWords } from '../translation-tasks.js';

const REFERRED = ['page', 'file', 'reusable'] as const;

/** Reads the words of pages and reusable contents of translations and of their sources, all of them at once. */
@Injectable()
export class TranslatedWords {
  constructor(
    private readonly store: ContentStore,
    private readonly contents: SpaceContents,
  ) {}

  /** The words of items of a space, in their order. */
  async of(spaceId: string, items: readonly Item[]): Promise<StoredWords[]> {
    const documents = await this.contents.documentTexts(spaceId, items);
    return items.map((item) => ({
      texts: [item.title, ...Object.values(textsOf(item))],
      json: item.hash === null ? undefined : documents.get(item.hash),
    }));
  }

  /** The words of items of the source, with the references that they have in the translation. */
  async ofSource(point: Point, items: readonly Item[], resultSpaceId: string): Promise<StoredWords[]> {
    const words = await this.of(point.spaceId, items);
    const named = new Set<string>();
    for (const { json } of words)
      for (const id of json === undefined ? [] : idsIn(json)) named.add(id).add(sourceOfDerived(id) ?? id);
    const keys = [...named].flatMap((id) => REFERRED.map((kind): ItemKey => itemKey({ kind, id })));
    const present = await this.store.byKeys(point, keys);
    const ids = new CopiedIds(
      point.spaceId,
      resultSpaceId,
      new Set([...present.keys()].map((key) => splitKey(key).id)),
    );
    return words.map(({ texts, json }) => ({ texts, json: json === undefined ? json : renameIdsIn(json, ids) }));
  }
}
