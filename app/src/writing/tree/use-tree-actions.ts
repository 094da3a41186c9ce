import { useMemo } from 'react';
import { queries } from '../../api/query-client.js';
import { texts } from '../../texts/en.js';
import { showDone, showFault } from '../../ui/toasts.js';
import { childrenOf, ROOT } from '../../ui/tree/forest.js';
import { showUndo } from '../../ui/undo-toast.js';
import type { Place } from '../place.js';
import { pageSourceQuery, pagesQuery, presentRevision, renewContent, type Page } from '../queries.js';
import { write, writeAndRenew, type Change } from '../write.js';
import { branchOf, movedPages, stepTo, type Direction, type TreeData, type TreePlace } from './tree-data.js';

const MOST_CHANGES = 50;
const words = texts.writing.tree;

/** What can be done with the pages of a tree; every action writes at its place and shows what it did. */
export interface TreeActions {
  /** Resolves to the id of the new page; undefined when it was not made. */
  add(below: string, change: NewPage): Promise<string | undefined>;
  update(page: Page, fields: Readonly<{ title?: string; hidden?: boolean }>): Promise<void>;
  move(page: Page, to: TreePlace): Promise<void>;
  step(page: Page, direction: Direction): Promise<void>;
  duplicate(page: Page): Promise<string | undefined>;
  remove(page: Page): Promise<void>;
}

export interface NewPage {
  readonly type: 'document' | 'group' | 'link';
  readonly title: string;
  readonly address?: string;
}

export function useTreeActions(place: Place, tree: TreeData): TreeActions {
  return useMemo(() => {
    const { queryKey } = pagesQuery(place);
    const show = (change: (pages: readonly Page[]) => Page[]): void => {
      queries.setQueryData(queryKey, (pages: Page[] | undefined) => pages && change(pages));
    };
    const run = async <Result>(changes: readonly Change[], after?: (pages: readonly string[]) => Result) => {
      try {
        const { pages } = await writeAndRenew(place, changes);
        return after?.(pages);
      } catch (error) {
        showFault(error);
        return undefined;
      }
    };
    const move = async (page: Page, to: TreePlace): Promise<void> => {
      show((pages) => movedPages(pages, page.id, to));
      const into = to.into === ROOT ? null : to.into;
      await run([{ operation: 'update_page', page: page.id, into, at: to.at }], () =>
        showDone(words.moved(page.title)),
      );
    };
    return {
      add: (below, added) => run([insertion(below, added)], ([id]) => id),
      update: (page, fields) => run([{ operation: 'update_page', page: page.id, ...fields }]),
      move,
      step: async (page, direction) => {
        const to = stepTo(tree, page.id, direction);
        if (to) await move(page, to);
      },
      duplicate: async (page) => {
        const { markdown = '' } = await queries.fetchQuery(pageSourceQuery(place, page.id));
        const parent = tree.parents.get(page.id) ?? ROOT;
        const title = words.copyOf(page.title).slice(0, 250);
        const body = markdown.replace(/^# .*\n*/, '');
        const change: Change = {
          ...insertion(parent, { type: 'document', title }),
          at: childrenOf(tree, parent).indexOf(page.id) + 1,
          document: { markdown: body },
        };
        return run([change], ([id]) => id);
      },
      remove: async (page) => {
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
        await run([{ operation: 'delete_page', page: page.id }], () =>
          showUndo(below === 0 ? words.deleted(page.title) : words.deletedMany(page.title, below), undo),
        );
      },
    };
  }, [place, tree]);
}

function insertion(below: string, { type, title, address }: NewPage): Extract<Change, { operation: 'insert_page' }> {
  return {
    operation: 'insert_page',
    type,
    title,
    ...(below !== ROOT && { into: below }),
    ...(address !== undefined && { target: { kind: 'url', url: address } }),
  };
}
