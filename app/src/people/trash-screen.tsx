import { useParams } from '@tanstack/react-router';
import { get, useList } from '../api/client.js';
import { restoreSpace } from '../shell/tree-actions.js';
import { texts } from '../texts/en.js';
import { ActionButton } from '../ui/forms.js';
import { ListTable } from '../ui/tables.js';
import { EmptyScreen, Note, ScreenFrame, Strong, Time } from '../ui/screens.js';
import type { Space } from './queries.js';

const words = texts.people.trash;

export function TrashScreen() {
  const { organizationId } = useParams({ from: '/signed-in/o/$organizationId/trash' });
  const spaces = useList<Space>(['organization', organizationId, 'trash'], (page) =>
    get('/v1/orgs/{organizationId}/trash', { organizationId }, { page }),
  );
  return (
    <ScreenFrame title={words.title}>
      <Note mb="md">{words.text}</Note>
      <ListTable
        query={spaces}
        minWidth={320}
        empty={<EmptyScreen title={words.empty} text={words.emptyText} />}
        columns={[
          { heading: words.space, cell: ({ title }) => <Strong>{title}</Strong> },
          {
            heading: texts.writing.diff.changes.deleted,
            cell: ({ deletedAt }) => deletedAt !== undefined && <Time at={deletedAt} />,
          },
          {
            heading: words.restore,
            isButtons: true,
            cell: ({ id, title }) => (
              <ActionButton
                label={words.restore}
                size="xs"
                aria-label={words.restoreOne(title)}
                action={() => restoreSpace(organizationId, id)}
                done={words.restored(title)}
              />
            ),
          },
        ]}
      />
    </ScreenFrame>
  );
}
