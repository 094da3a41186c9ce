import { Alert, Anchor, Badge, Box, Group, Loader, Stack, Text } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { requestQuery, send, type Schemas } from '../../api/client.js';
import { serviceTexts } from '../../texts/services.js';
import { AddressButton, ButtonLink, TextLink } from '../../ui/buttons.js';
import { ActionButton } from '../../ui/forms.js';
import { Loaded, Note, ScreenFrame, Section } from '../../ui/screens.js';
import { usePlace, type Place } from '../../writing/place.js';
import { WayBack } from '../../writing/place-frame.js';
import { pagesQuery, renewContent } from '../../writing/queries.js';
import { treeData } from '../../writing/tree/tree-data.js';
import { LongTable } from '../long-table.js';
import { RunBadge } from './imports-screen.js';
import { IMPORTS, isAtWork, runQuery, runsKey, sourceOf, type ImportRun } from './queries.js';

type RunProps = Readonly<{ run: ImportRun; place: Place }>;

const words = serviceTexts.imports;
const LEVELS = { error: 'red', warning: 'yellow', notice: 'gray' } as const;
const CHANGES = { add: 'green', change: 'blue', remove: 'red' } as const;

/** One import or export: how far it is, and its report. */
export function ImportRunScreen() {
  const place = usePlace();
  const { importRunId = '' } = useParams({ strict: false });
  const run = useQuery(runQuery(place, importRunId));
  return (
    <Loaded query={run}>
      {(found) => (
        <ScreenFrame
          title={sourceOf(found).kind}
          above={
            <Group mb="sm" gap="xs">
              <WayBack />
              <TextLink label={words.title} size="sm" to="/o/$organizationId/s/$spaceId/~/imports" params={place} />
            </Group>
          }
          actions={isAtWork(found) && <Cancel run={found} place={place} />}
        >
          <Stack>
            <Text className="plain-text">
              <bdi>{sourceOf(found).detail}</bdi>
            </Text>
            <Progress run={found} place={place} />
            {found.error !== undefined && (
              <Alert color={isAtWork(found) ? 'yellow' : 'red'} title={words.failed} role="alert">
                <bdi>{found.error}</bdi>
              </Alert>
            )}
            {found.status === 'completed' && <Report run={found} place={place} />}
          </Stack>
        </ScreenFrame>
      )}
    </Loaded>
  );
}

function Cancel({ run, place }: RunProps) {
  const path = { organizationId: place.organizationId, importRunId: run.id };
  return (
    <ActionButton
      label={words.cancel}
      color="red"
      action={() => send('post', `${IMPORTS}/{importRunId}/cancel`, path)}
      refresh={runsKey(place)}
      done={words.cancelled}
    />
  );
}

function Progress({ run, place }: RunProps) {
  const { status, createdAt, startedAt, completedAt } = run;
  useDidUpdate(() => void renewContent(place), [status]);
  return (
    <Group gap="xs" role="status">
      {isAtWork(run) && <Loader size="xs" aria-hidden />}
      <RunBadge status={status} />
      <Note at={completedAt ?? startedAt ?? createdAt}>{words.progress[status]}</Note>
    </Group>
  );
}

function Report({ run, place }: RunProps) {
  const { changed = true, pages = [], problems = [], plan, download } = run;
  return (
    <>
      {!changed && <Alert>{words.unchanged}</Alert>}
      <Result run={run} place={place} />
      {download !== undefined && (
        <Group>
          <AddressButton label={words.download} href={download} />
          <Note>{words.downloadText}</Note>
        </Group>
      )}
      {plan && <Plan plan={plan} />}
      {pages.length > 0 && <MadePages run={run} place={place} />}
      <Section title={words.problems(problems.length)}>
        {problems.length === 0 ? <Note>{words.noProblems}</Note> : <Problems problems={problems} />}
      </Section>
    </>
  );
}

/** The change request that has the result, where it can be seen before it is merged. */
function Result({ run: { target, changed }, place: { organizationId, spaceId } }: RunProps) {
  const { changeRequest } = target;
  const { data: request } = useQuery({
    ...requestQuery({ spaceId, changeRequestId: changeRequest ?? '' }),
    enabled: changeRequest !== undefined,
  });
  if (!request)
    return (
      changed === true && (
        <Box>
          <TextLink label={words.open} to="/o/$organizationId/s/$spaceId" params={{ organizationId, spaceId }} />
        </Box>
      )
    );
  const params = { organizationId, spaceId, changeRequestId: String(request.number) };
  return (
    <Section title={words.inRequest(request.number, request.subject)}>
      <Note>{words.inRequestText}</Note>
      <Box>
        <ButtonLink
          label={words.seeChanges}
          to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/changes"
          params={params}
        />
      </Box>
    </Section>
  );
}

function Plan({ plan: { direction, files } }: Readonly<{ plan: NonNullable<ImportRun['plan']> }>) {
  return (
    <Section title={words.plan(files.length)}>
      <Note>{words.planText[direction]}</Note>
      <LongTable
        items={files.map((file) => ({ ...file, id: file.path }))}
        minWidth={320}
        columns={[
          { heading: words.file, cell: ({ path }) => <bdi className="plain-text">{path}</bdi> },
          {
            heading: words.change,
            cell: ({ change }) => <Badge color={CHANGES[change]}>{words.changes[change]}</Badge>,
          },
        ]}
      />
    </Section>
  );
}

/** The pages that a run has written, by their titles as they are now. */
function MadePages({ run: { pages = [], target }, place }: RunProps) {
  const { organizationId, spaceId } = place;
  const { changeRequest } = target;
  const at = { organizationId, spaceId, ...(changeRequest !== undefined && { changeRequestId: changeRequest }) };
  const { data: tree } = useQuery(pagesQuery(at));
  const { items: present } = treeData(tree ?? []);
  return (
    <Section title={words.pages(pages.length)}>
      <LongTable
        items={pages}
        minWidth={320}
        columns={[
          {
            heading: words.page,
            cell: ({ id, type }) => {
              const label = present.get(id)?.title ?? id;
              if (type === 'folder' || !present.has(id)) return <bdi>{label}</bdi>;
              return changeRequest === undefined ? (
                <TextLink
                  label={label}
                  to="/o/$organizationId/s/$spaceId/~/pages/$pageId"
                  params={{ organizationId, spaceId, pageId: id }}
                />
              ) : (
                <TextLink
                  label={label}
                  to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId/~/pages/$pageId"
                  params={{ organizationId, spaceId, changeRequestId: changeRequest, pageId: id }}
                />
              );
            },
          },
          {
            heading: words.from,
            cell: ({ sourceURL: from, type }) => {
              if (from === undefined) return words.types[type];
              return <Anchor href={from} className="plain-text" children={from} />;
            },
          },
        ]}
      />
    </Section>
  );
}

function Problems({ problems }: Readonly<{ problems: readonly Schemas['ImportProblemBody'][] }>) {
  return (
    <LongTable
      items={problems.map((problem, index) => ({ ...problem, id: String(index) }))}
      columns={[
        { heading: words.place, cell: ({ file, line }) => <bdi className="plain-text">{`${file}:${line}`}</bdi> },
        { heading: words.level, cell: ({ level }) => <Badge color={LEVELS[level]}>{words.levels[level]}</Badge> },
        { heading: words.problem, cell: ({ message }) => <bdi className="plain-text">{message}</bdi> },
      ]}
    />
  );
}
