import { useMemo } from 'react';
import { queries } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { showDone, showFault, showUndo } from '../../ui/toasts.js';
import { childrenOf, ROOT } from '../../ui/tree/forest.js';
import type { Place } from '../place.js';
import {
  pageSourceQuery,
  pagesQuery,
  presentRevision,
  renewContent,
  type Page,
  write,
  writeAndRenew,
  type Change,
} from '../queries.js';
import { branchOf, movedPages, stepTo, type Direction, type TreeData, type TreePlace } from './tree-data.js';

const MOST_CHANGES = 50;
const words = texts.tree;

/** Actions on the pages of a tree; each writes at its place and shows what it did. */
export type TreeActions = ReturnType<typeof useTreeActions>;

type Insertion = Extract<Change, { operation: 'insert_page' }>;

type NewPage = Readonly<{ type: 'document' | 'group' | 'link'; title: string; address?: string }>;

export function useTreeActions(place: Place, tree: TreeData) {
  return useMemo(() => {
    const { queryKey } = pagesQuery(place);
    const show = (change: (pages: readonly Page[]) => Page[]): void => {
      queries.setQueryData(queryKey, (pages: Page[] | undefined) => pages && change(pages));
    };
    const run = async <Result>(change: Change, after?: (pages: readonly string[]) => Result) => {
      try {
        const { pages } = await writeAndRenew(place, [change]);
        return after?.(pages);
      } catch (error) {
        showFault(error);
        return undefined;
      }
    };
    const insert = (below: string, page: NewPage, more: Partial<Insertion> = {}): Promise<Page | undefined> => {
      const { type, title } = page;
      const change = { ...insertion(below, page), ...more };
      return run(change, ([id]) => (id === undefined ? undefined : { id, type, title }));
    };
    const move = async (page: Page, to: TreePlace): Promise<void> => {
      show((pages) => movedPages(pages, page.id, to));
      const into = to.into === ROOT ? null : to.into;
      const change: Change = { operation: 'update_page', page: page.id, into, at: to.at };
      await run(change, () => showDone(words.moved(page.title)));
    };
    return {
      /** Resolves to the new page; undefined when it was not made. */
      add: (below: string, page: NewPage) => insert(below, page),
      update: (page: Page, fields: Readonly<{ title?: string; hidden?: boolean }>) =>
        run({ operation: 'update_page', page: page.id, ...fields }),
      move,
      step: async (page: Page, direction: Direction) => {
        const to = stepTo(tree, page.id, direction);
        if (to) await move(page, to);
      },
      duplicate: async (page: Page) => {
        const { markdown = '' } = await queries.fetchQuery(pageSourceQuery(place, page.id));
        const parent = tree.parents.get(page.id) ?? ROOT;
        const title = words.copyOf(page.title).slice(0, 250);
        const document = { markdown: markdown.replace(/^# .*\n*/, '') };
        const at = childrenOf(tree, parent).indexOf(page.id) + 1;
        return insert(parent, { type: 'document', title }, { at, document });
      },
      remove: async (page: Page) => {
        const revision = await presentRevision(place);
        const branch = branchOf(tree, page.id);
        const back = branch.map((id): Change => ({ operation: 'revert_page', page: id, revision }));
        const undo = async (): Promise<void> => {
          for (let index = 0; index < back.length; index += MOST_CHANGES)
            await write(place, back.slice(index, index + MOST_CHANGES));
          await renewContent(place);
          showDone(words.restored);
        };
        show((pages) => movedPages(pages, page.id));
        const below = branch.length - 1;
        await run({ operation: 'delete_page', page: page.id }, () =>
          showUndo(below === 0 ? words.deleted(page.title) : words.deletedMany(page.title, below), undo),
        );
      },
    };
  }, [place, tree]);
}

/** Opens a page when it is made. */
export async function openMade(made: Promise<Page | undefined>, onOpen: (page: Page) => unknown): Promise<void> {
  const page = await made;
  if (page) onOpen(page);
}

function insertion(below: string, { type, title, address }: NewPage): Insertion {
  return {
    operation: 'insert_page',
    type,
    title,
    ...(below !== ROOT && { into: below }),
    ...(address !== undefined && { target: { kind: 'url', url: address } }),
  };
}
