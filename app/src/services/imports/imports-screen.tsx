import { Badge, Box } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get, useList } from '../../api/client.js';
import { serviceTexts } from '../../texts/services.js';
import { Button, TextLink } from '../../ui/buttons.js';
import { EmptyScreen, ScreenFrame, Time } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { usePlace, useSpace } from '../../writing/place.js';
import { WayBack } from '../../writing/place-frame.js';
import { usePolling } from '../polling.js';
import { NewImport } from './new-import.js';
import { IMPORTS, isAtWork, runsKey, sourceOf, type ImportRun } from './queries.js';

const words = serviceTexts.imports;
const COLORS = {
  pending: 'gray',
  'in-progress': 'blue',
  completed: 'green',
  failed: 'red',
  cancelled: 'gray',
} as const;

/** The imports and exports of a space, with what each has done. */
export function ImportsScreen() {
  const place = usePlace();
  const { permissions } = useSpace();
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  const { organizationId, spaceId } = place;
  const key = [...runsKey(place), 'list'];
  const runs = useList<ImportRun>(key, (page) => get(IMPORTS, { organizationId }, { space: spaceId, page }));
  usePolling(key, runs.data?.pages.some(({ items }) => items.some(isAtWork)) ?? false);
  const open = (importRunId: string) =>
    navigate({ to: '/o/$organizationId/s/$spaceId/~/imports/$importRunId', params: { ...place, importRunId } });
  return (
    <ScreenFrame
      title={words.title}
      above={
        <Box mb="sm">
          <WayBack />
        </Box>
      }
      actions={permissions.edit && <Button label={words.start} onClick={() => setNew(true)} />}
    >
      {permissions.edit ? (
        <ListTable
          query={runs}
          empty={<EmptyScreen title={words.none} text={words.noneText} />}
          columns={[
            { heading: words.source, cell: (run) => <RunName run={run} /> },
            { heading: serviceTexts.state, cell: ({ status }) => <RunBadge status={status} /> },
            { heading: words.began, cell: ({ createdAt }) => <Time at={createdAt} /> },
          ]}
        />
      ) : (
        <EmptyScreen title={words.hidden} text={words.hiddenText} />
      )}
      {isNew && <NewImport place={place} onStarted={open} onClose={() => setNew(false)} />}
    </ScreenFrame>
  );
}

function RunName({ run }: Readonly<{ run: ImportRun }>) {
  const place = usePlace();
  const { kind, detail } = sourceOf(run);
  return (
    <RowName below={<bdi className="plain-text">{detail}</bdi>}>
      <TextLink
        label={kind}
        to="/o/$organizationId/s/$spaceId/~/imports/$importRunId"
        params={{ ...place, importRunId: run.id }}
      />
    </RowName>
  );
}

export function RunBadge({ status }: Pick<ImportRun, 'status'>) {
  return <Badge color={COLORS[status]}>{words.states[status]}</Badge>;
}
