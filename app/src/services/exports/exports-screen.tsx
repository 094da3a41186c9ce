import { Box, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get, useList } from '../../api/client.js';
import { exportTexts as words } from '../../texts/exports.js';
import { serviceTexts } from '../../texts/services.js';
import { Button, TextLink } from '../../ui/buttons.js';
import {
  ActionButton,
  changing,
  FlagField,
  FormDialog,
  TextField,
  useFieldFaults,
  useText,
  isWebUrl,
} from '../../ui/forms.js';
import { EmptyScreen, Note, ScreenFrame, Section, Time } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { usePlace, useSpace, type Place } from '../../writing/place.js';
import { WayBack } from '../../writing/place-frame.js';
import { RunBadge } from '../imports/imports-screen.js';
import { IMPORTS, isAtWork, runsKey, sourceOf, type ImportRun } from '../imports/queries.js';
import { usePolling } from '../polling.js';
import { Pdf } from './pdf.js';
import { exportFolder, exportToGit } from './queries.js';

/** The ways out of a space, or of a change request: a PDF, a folder, a repository; and the exports before. */
export function ExportsScreen() {
  const place = usePlace();
  const { permissions } = useSpace();
  const open = useOpenRun(place);
  return (
    <ScreenFrame
      title={words.title}
      above={
        <Box mb="sm">
          <WayBack />
        </Box>
      }
    >
      <Stack>
        <Pdf key={`${place.spaceId} ${place.changeRequestId}`} />
        <Section title={words.folder}>
          <Note>{words.folderText}</Note>
          <Group>
            <ActionButton
              label={words.folderAction}
              action={async () => open(await exportFolder(place))}
              refresh={runsKey(place)}
            />
          </Group>
        </Section>
        {permissions.triggerGitSync && place.changeRequestId === undefined && (
          <Section title={words.git}>
            <Note>{words.gitText}</Note>
            <GitExport place={place} onStarted={open} />
          </Section>
        )}
        <Section title={words.former}>
          <FormerExports place={place} />
        </Section>
      </Stack>
    </ScreenFrame>
  );
}

function useOpenRun({ organizationId, spaceId }: Place): (importRunId: string) => Promise<void> {
  const navigate = useNavigate();
  return (importRunId) =>
    navigate({
      to: '/o/$organizationId/s/$spaceId/~/imports/$importRunId',
      params: { organizationId, spaceId, importRunId },
    });
}

type GitExportProps = Readonly<{ place: Place; onStarted: (importRunId: string) => Promise<void> }>;

function GitExport({ place, onStarted }: GitExportProps) {
  const [isAsking, setAsking] = useState(false);
  return (
    <Group>
      <Button label={words.gitAction} variant="default" onClick={() => setAsking(true)} />
      {isAsking && <GitForm place={place} onStarted={onStarted} onClose={() => setAsking(false)} />}
    </Group>
  );
}

function GitForm({ place, onStarted, onClose }: GitExportProps & Readonly<{ onClose: () => void }>) {
  const { title } = useSpace();
  const [url, ref, directory] = [useText(), useText('refs/heads/main'), useText()];
  const message = useText(words.firstMessage(title));
  const [force, setForce] = useState(false);
  const { at, noting } = useFieldFaults();
  const names = serviceTexts.imports;
  const address = url.value.trim();
  const isAddress = isWebUrl(address);
  const target = {
    url: address,
    ref: ref.value.trim(),
    directory: directory.value.trim(),
    message: message.value.trim(),
    force,
  };
  const begin = async (): Promise<void> => onStarted(await exportToGit(place, target));
  return (
    <FormDialog
      title={words.gitAction}
      text={words.gitText}
      action={words.begin}
      size="lg"
      disabled={!isAddress || target.ref === '' || target.message === ''}
      onSubmit={noting(changing(begin, { refresh: runsKey(place) }))}
      onClose={onClose}
    >
      <TextField
        {...url}
        type="url"
        label={names.addresses.git}
        description={names.credentials}
        error={(address !== '' && !isAddress && names.addressFault) || at('url')}
        maxLength={2048}
        required
        data-autofocus
      />
      <TextField
        {...ref}
        label={words.branch}
        description={words.branchHelp}
        error={at('ref')}
        maxLength={255}
        required
      />
      <TextField
        {...directory}
        label={names.directory}
        description={names.directoryHelp}
        error={at('repoProjectDirectory')}
        maxLength={1024}
      />
      <TextField
        {...message}
        label={words.message}
        error={at('commitMessage')}
        maxLength={10_000}
        required
        dir="auto"
      />
      <FlagField label={words.force} description={words.forceHelp} checked={force} onFlag={setForce} />
    </FormDialog>
  );
}

function FormerExports({ place }: Readonly<{ place: Place }>) {
  const { organizationId, spaceId } = place;
  const key = [...runsKey(place), 'exports'];
  const runs = useList<ImportRun>(key, (page) =>
    get(IMPORTS, { organizationId }, { space: spaceId, kind: 'export', page }),
  );
  usePolling(key, runs.data?.pages.some(({ items }) => items.some(isAtWork)) ?? false);
  return (
    <ListTable
      query={runs}
      minWidth={400}
      empty={<EmptyScreen title={words.none} text={words.noneText} />}
      columns={[
        {
          heading: serviceTexts.imports.source,
          cell: (run) => (
            <RowName below={<bdi className="plain-text">{sourceOf(run).detail}</bdi>}>
              <TextLink
                label={sourceOf(run).kind}
                to="/o/$organizationId/s/$spaceId/~/imports/$importRunId"
                params={{ organizationId, spaceId, importRunId: run.id }}
              />
            </RowName>
          ),
        },
        { heading: serviceTexts.state, cell: ({ status }) => <RunBadge status={status} /> },
        { heading: serviceTexts.imports.began, cell: ({ createdAt }) => <Time at={createdAt} /> },
      ]}
    />
  );
}
