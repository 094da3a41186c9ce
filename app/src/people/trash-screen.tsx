import { Text } from '@mantine/core';
import { createLazyRoute } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get } from '../api/client.js';
import { useList } from '../api/pages.js';
import { restoreSpace } from '../shell/tree-actions.js';
import { texts } from '../texts/en.js';
import { ActionButton } from '../ui/action-button.js';
import { ListTable } from '../ui/list-table.js';
import { ScreenFrame } from '../ui/screen-frame.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import type { Space } from './queries.js';

const words = texts.people.trash;

function Trash(): ReactNode {
  const { organizationId } = trashScreen.useParams();
  const spaces = useList<Space>(['organization', organizationId, 'trash'], (page) =>
    get('/v1/orgs/{organizationId}/trash', { organizationId }, { page }),
  );
  return (
    <ScreenFrame title={words.title}>
      <Text c="dimmed" mb="md">
        {words.text}
      </Text>
      <ListTable
        query={spaces}
        minWidth={320}
        empty={<EmptyScreen title={words.empty} text={words.emptyText} />}
        columns={[
          { heading: words.space, cell: ({ title }) => <Text fw={600}>{title}</Text> },
          { heading: words.deleted, cell: ({ deletedAt }) => deletedAt !== undefined && <Time at={deletedAt} /> },
          {
            heading: words.restore,
            isButtons: true,
            cell: ({ id, title }) => (
              <ActionButton
                size="xs"
                aria-label={words.restoreOne(title)}
                action={() => restoreSpace(organizationId, id)}
                done={words.restored(title)}
              >
                {words.restore}
              </ActionButton>
            ),
          },
        ]}
      />
    </ScreenFrame>
  );
}

export const trashScreen = createLazyRoute('/signed-in/o/$organizationId/trash')({ component: Trash });
