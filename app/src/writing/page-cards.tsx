import { Anchor, List } from '@mantine/core';
import type { ReactNode } from 'react';
import { PageIcon } from '../ui/page-icon.js';
import { addressOf, useGoTo, type Place } from './place.js';
import type { Page } from './queries.js';
import { childrenOf, emojiOf, type TreeData } from './tree/tree-data.js';

/** The pages below a group, as links; pages with a text of their own have them in the tree alone. */
export function PageCards({
  place,
  page,
  tree,
}: {
  readonly place: Place;
  readonly page: Page;
  readonly tree: TreeData;
}): ReactNode {
  const goTo = useGoTo();
  if (page.type !== 'group') return null;
  return (
    <List listStyleType="none" spacing="xs">
      {childrenOf(tree, page.id).map((id) => {
        const below = tree.nodes.get(id)?.page;
        if (!below) return null;
        return (
          <List.Item key={id} icon={<PageIcon icon={below.icon} emoji={emojiOf(below)} />}>
            <Anchor component="button" onClick={() => goTo(addressOf(place, { page: id }))}>
              {below.title}
            </Anchor>
          </List.Item>
        );
      })}
    </List>
  );
}
