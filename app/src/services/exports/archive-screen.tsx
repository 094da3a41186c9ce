import { Alert, Badge, Group, Progress, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { exportTexts } from '../../texts/exports.js';
import { serviceTexts } from '../../texts/services.js';
import { AddressButton } from '../../ui/buttons.js';
import { ActionButton } from '../../ui/forms.js';
import { EmptyScreen, Loaded, Note, ScreenFrame, Section } from '../../ui/screens.js';
import { archiveKey, archiveQuery, beginArchive } from './queries.js';

type Run = Schemas['OrganizationExportBody'];

const words = exportTexts.archive;
const COLORS = { pending: 'gray', 'in-progress': 'blue', completed: 'green', failed: 'red' } as const;

/** The whole organization as an archive, for administrators. */
export function ArchiveScreen() {
  const { id: organizationId, permissions } = useOrganization();
  const newest = useQuery({ ...archiveQuery(organizationId), enabled: permissions.admin });
  if (!permissions.admin) return <EmptyScreen order={1} title={words.title} text={serviceTexts.hidden} />;
  return (
    <ScreenFrame title={words.title}>
      <Stack>
        <Note>{words.text}</Note>
        <Group>
          <ActionButton
            label={words.begin}
            variant="filled"
            disabled={isAtWork(newest.data)}
            action={() => beginArchive(organizationId)}
            refresh={archiveKey(organizationId)}
            done={words.begun}
          />
        </Group>
        <Loaded query={newest}>
          {(run) =>
            run === null ? <EmptyScreen title={words.none} text={words.noneText} /> : <NewestExport run={run} />
          }
        </Loaded>
      </Stack>
    </ScreenFrame>
  );
}

const isAtWork = (run: Run | null | undefined): boolean => run?.status === 'pending' || run?.status === 'in-progress';

function NewestExport({ run }: Readonly<{ run: Run }>) {
  const { status, progress, createdAt, completedAt, error, rows = 0, files = 0, download } = run;
  return (
    <Section title={words.newest}>
      <Group gap="xs" role="status">
        <Badge color={COLORS[status]}>{words.states[status]}</Badge>
        <Note at={completedAt ?? createdAt}>{completedAt === undefined ? words.began : words.ended}</Note>
        {status === 'completed' && <Note>{words.rows(rows, files)}</Note>}
      </Group>
      {isAtWork(run) && progress.total > 0 && (
        <Progress
          value={(100 * progress.done) / progress.total}
          aria-label={words.progress(progress.done, progress.total)}
        />
      )}
      {error !== undefined && (
        <Alert color="red" title={words.failed} role="alert">
          <bdi>{error}</bdi>
        </Alert>
      )}
      {download !== undefined && (
        <Group>
          <AddressButton label={words.download} href={download} />
          <Note>{words.downloadText}</Note>
        </Group>
      )}
      {status === 'completed' && download === undefined && <Note>{words.gone}</Note>}
    </Section>
  );
}
