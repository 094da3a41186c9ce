import { Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { get, send, useList } from '../api/client.js';
import { retentionQuery } from '../settings/retention/queries.js';
import { restoreSpace } from '../shell/tree-actions.js';
import { texts } from '../texts/en.js';
import { trashTexts } from '../texts/trash.js';
import { ActionButton } from '../ui/forms.js';
import { ListTable } from '../ui/tables.js';
import { EmptyScreen, Note, ScreenFrame, Strong, Time } from '../ui/screens.js';
import type { Space } from './queries.js';

const words = trashTexts;

export function TrashScreen() {
  const { organizationId } = useParams({ from: '/signed-in/o/$organizationId/trash' });
  const { data: retention } = useQuery(retentionQuery);
  const key = ['organization', organizationId, 'trash'];
  const spaces = useList<Space>(key, (page) => get('/v1/orgs/{organizationId}/trash', { organizationId }, { page }));
  return (
    <ScreenFrame title={texts.services.trash}>
      {retention && <Note mb="md">{words.text(retention.trash)}</Note>}
      <ListTable
        query={spaces}
        minWidth={320}
        empty={<EmptyScreen title={words.empty} text={words.emptyText} />}
        columns={[
          { heading: words.space, cell: ({ title }) => <Strong>{title}</Strong> },
          {
            heading: texts.common.deleted,
            cell: ({ deletedAt }) => deletedAt !== undefined && <Time at={deletedAt} />,
          },
          {
            heading: texts.people.people.actions,
            isButtons: true,
            cell: ({ id, title }) => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <ActionButton
                  label={words.restore}
                  size="xs"
                  aria-label={words.restoreOne(title)}
                  action={() => restoreSpace(organizationId, id)}
                  done={words.restored(title)}
                />
                <ActionButton
                  label={words.purge}
                  size="xs"
                  aria-label={words.purgeOne(title)}
                  ask={{
                    title: words.purgeTitle(title),
                    text: words.purgeText,
                    action: words.purge,
                    color: 'red',
                  }}
                  action={() => send('delete', '/v1/spaces/{spaceId}/trash', { spaceId: id })}
                  refresh={key}
                  done={words.purged(title)}
                />
              </Group>
            ),
          },
        ]}
      />
    </ScreenFrame>
  );
}
