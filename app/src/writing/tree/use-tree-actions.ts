import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { texts } from '../../texts/en.js';
import { showDone, showFault } from '../../ui/toasts.js';
import { showUndo } from '../../ui/undo-toast.js';
import type { Place } from '../place.js';
import { pageSourceQuery, pagesQuery, presentRevision, renewContent, type Page } from '../queries.js';
import { write, type Change } from '../write.js';
import {
  branchOf,
  childrenOf,
  movedPages,
  ROOT,
  stepTo,
  type Direction,
  type TreeData,
  type TreePlace,
} from './tree-data.js';

const MOST_CHANGES = 50;
const words = texts.writing.tree;

/** What can be done with the pages of a tree; every action writes at its place and shows what it did. */
export interface TreeActions {
  /** Resolves to the id of the new page; undefined when it was not made. */
  add(below: string, change: NewPage): Promise<string | undefined>;
  rename(page: Page, title: string): Promise<void>;
  move(page: Page, to: TreePlace): Promise<void>;
  step(page: Page, direction: Direction): Promise<void>;
  setHidden(page: Page, hidden: boolean): Promise<void>;
  duplicate(page: Page): Promise<string | undefined>;
  remove(page: Page): Promise<void>;
}

export interface NewPage {
  readonly type: 'document' | 'group' | 'link';
  readonly title: string;
  readonly address?: string;
}

export function useTreeActions(place: Place, tree: TreeData): TreeActions {
  const queries = useQueryClient();
  return useMemo(() => {
    const { queryKey } = pagesQuery(place);
    const show = (change: (pages: readonly Page[]) => Page[]): void => {
      queries.setQueryData(queryKey, (pages: Page[] | undefined) => pages && change(pages));
    };
    const run = async <Result>(changes: readonly Change[], after?: (pages: readonly string[]) => Result) => {
      try {
        const { pages } = await write(place, changes);
        return after?.(pages);
      } catch (error) {
        showFault(error);
        return undefined;
      } finally {
        await renewContent(queries, place);
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
      rename: (page, title) => run([{ operation: 'update_page', page: page.id, title }]),
      move,
      step: async (page, direction) => {
        const to = stepTo(tree, page.id, direction);
        if (to) await move(page, to);
      },
      setHidden: (page, hidden) => run([{ operation: 'update_page', page: page.id, hidden }]),
      duplicate: async (page) => {
        const { markdown = '' } = await queries.fetchQuery(pageSourceQuery(place, page.id));
        const node = tree.nodes.get(page.id);
        const parent = node?.parent ?? ROOT;
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
        const undo = async (): Promise<void> => {
          for (let index = 0; index < branch.length; index += MOST_CHANGES)
            await write(
              place,
              branch
                .slice(index, index + MOST_CHANGES)
                .map((id) => ({ operation: 'revert_page', page: id, revision }) satisfies Change),
            );
          await renewContent(queries, place);
          showDone(words.restored);
        };
        show((pages) => movedPages(pages, page.id));
        const below = branch.length - 1;
        await run([{ operation: 'delete_page', page: page.id }], () =>
          showUndo(below === 0 ? words.deleted(page.title) : words.deletedMany(page.title, below), undo),
        );
      },
    };
  }, [queries, place, tree]);
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
