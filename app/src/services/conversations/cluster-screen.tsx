import { Badge, Box, Group, Select, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { send } from '../../api/client.js';
import { spacesQuery, useOrganization } from '../../people/queries.js';
import { StatusBadge } from '../../review/request-frame.js';
import { conversationTexts as words } from '../../texts/conversations.js';
import { reviewTexts } from '../../texts/review.js';
import { AppLink, SecondaryButton, TextLink, useFollow } from '../../ui/buttons.js';
import { ActionButton, FlagField, useChange } from '../../ui/forms.js';
import { EmptyScreen, Loaded, Note, ScreenFrame, Section } from '../../ui/screens.js';
import { RowName } from '../../ui/tables.js';
import { AskedIssues } from './asked-issues.js';
import { ClusterDecisions } from './cluster-decisions.js';
import { EditCluster } from './edit-cluster.js';
import { Growth, Pulse } from './numbers.js';
import {
  CLUSTER,
  clusterKey,
  clusterQuery,
  coverageQuery,
  topicsKey,
  type Cluster,
  type ClusterPlace,
  type Coverage,
} from './queries.js';

type ClusterProps = Readonly<{ cluster: Cluster; etag: string; place: ClusterPlace }>;

const COVERAGE_COLORS = { answered: 'green', partly: 'yellow', unanswered: 'red' } as const;
const STATE_COLORS = { open: 'gray', proposed: 'blue', resolved: 'green' } as const;

/** One topic: what customers wrote, the pages that should have answered, and what was done about it. */
export function ClusterScreen() {
  const place = useParams({ from: '/signed-in/o/$organizationId/conversations/clusters/$clusterId' });
  const { permissions } = useOrganization();
  const cluster = useQuery({ ...clusterQuery(place), enabled: permissions.viewConversations });
  const [isEditing, setEditing] = useState(false);
  if (!permissions.viewConversations) return <EmptyScreen order={1} title={words.title} text={words.hidden} />;
  return (
    <Loaded query={cluster}>
      {({ body, etag }) => (
        <ScreenFrame
          title={body.label}
          above={
            <Box mb="sm">
              <TextLink label={words.title} size="sm" to="/o/$organizationId/conversations" params={place} />
            </Box>
          }
          actions={
            permissions.reviewConversations && <SecondaryButton label={words.edit} onClick={() => setEditing(true)} />
          }
        >
          <Stack>
            <Numbers cluster={body} etag={etag} place={place} />
            <CoverageSections cluster={body} place={place} />
            <ClusterDecisions cluster={body} etag={etag} place={place} />
            <Section title={words.asked}>
              <AskedIssues key={body.id} place={place} etag={etag} />
            </Section>
          </Stack>
          {isEditing && <EditCluster cluster={body} etag={etag} place={place} onClose={() => setEditing(false)} />}
        </ScreenFrame>
      )}
    </Loaded>
  );
}

function Numbers({ cluster, etag, place }: ClusterProps) {
  const { permissions } = useOrganization();
  const { summary, stats, impact, weeklyPulse, sources, reviewed } = cluster;
  const keep = useChange(
    (isKept: boolean) => send('patch', CLUSTER, place, { reviewed: isKept }, { headers: { 'If-Match': etag } }),
    { refresh: topicsKey(place.organizationId), done: (changed) => (changed.reviewed ? words.kept : words.notKept) },
  );
  return (
    <>
      <Text className="plain-text" dir="auto">
        {summary}
      </Text>
      <Group gap="lg">
        <RowName below={words.issueCount(stats.issues)}>{words.conversationCount(stats.conversations)}</RowName>
        <RowName below={words.share}>{words.percent(impact.share)}</RowName>
        <RowName below={words.growth}>
          <Growth impact={impact} />
        </RowName>
        <RowName below={words.pulse}>
          <Pulse weeks={weeklyPulse} />
        </RowName>
      </Group>
      <Note className="plain-text">
        {words.sources}:{' '}
        <bdi>
          {Object.entries(sources)
            .map(([name, count]) => `${name} (${count})`)
            .join(', ')}
        </bdi>
      </Note>
      {permissions.reviewConversations ? (
        <FlagField
          label={words.keep}
          description={words.keepHelp}
          checked={keep.isPending ? keep.variables : reviewed}
          disabled={keep.isPending}
          onFlag={(isKept) => keep.mutate(isKept)}
        />
      ) : (
        reviewed && <Note>{words.kept}</Note>
      )}
    </>
  );
}

/** The pages that are near to a topic, and the change requests for it. */
function CoverageSections({ cluster, place }: Pick<ClusterProps, 'cluster' | 'place'>) {
  const coverage = useQuery(coverageQuery(place));
  return (
    <Loaded query={coverage}>
      {(found) => (
        <>
          <Section
            title={words.pages}
            actions={<Badge color={COVERAGE_COLORS[found.coverage]}>{words.coverage[found.coverage]}</Badge>}
          >
            <Note>{words.coverageText[found.coverage]}</Note>
            <Pages coverage={found} organizationId={place.organizationId} />
          </Section>
          <Section
            title={words.done}
            actions={<Badge color={STATE_COLORS[found.state]}>{words.states[found.state]}</Badge>}
          >
            <Note>{words.stateTexts[found.state]}</Note>
            <Requests coverage={found} organizationId={place.organizationId} />
            <Draft key={cluster.id} coverage={found} place={place} />
          </Section>
        </>
      )}
    </Loaded>
  );
}

type CoverageProps = Readonly<{ coverage: Coverage; organizationId: string }>;

function Pages({ coverage: { pages, questions }, organizationId }: CoverageProps) {
  const { data: spaces = [] } = useQuery(spacesQuery(organizationId));
  if (pages.length === 0) return null;
  const titleOf = (id: string): string => spaces.find((space) => space.id === id)?.title ?? '';
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {pages.map(({ page, space, title, sections, answers, urls }) => (
        <li key={`${space} ${page}`}>
          <RowName
            below={
              <>
                {words.answers(answers, questions)} · <bdi>{[titleOf(space), ...sections].join(' · ')}</bdi>
              </>
            }
          >
            <AppLink url={urls.app}>
              <bdi>{title}</bdi>
            </AppLink>
          </RowName>
        </li>
      ))}
    </Stack>
  );
}

function Requests({ coverage: { changeRequests }, organizationId }: CoverageProps) {
  if (changeRequests.length === 0) return null;
  return (
    <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {changeRequests.map(({ id, space, number, subject, status, updatedAt }) => (
        <Group key={id} component="li" gap="sm">
          <StatusBadge status={status} />
          <TextLink
            label={<bdi>{subject === '' ? reviewTexts.noSubject : subject}</bdi>}
            to="/o/$organizationId/s/$spaceId/~/changes/$changeRequestId"
            params={{ organizationId, spaceId: space, changeRequestId: String(number) }}
          />
          <Note at={updatedAt}>#{number}</Note>
        </Group>
      ))}
    </Stack>
  );
}

/** Drafts a change request from a topic, in a space where the person may propose one. */
function Draft({ coverage: { pages }, place }: Readonly<{ coverage: Coverage; place: ClusterPlace }>) {
  const { data: spaces = [] } = useQuery(spacesQuery(place.organizationId));
  const [space, setSpace] = useState('');
  const follow = useFollow();
  const own = spaces.filter(({ permissions }) => permissions.edit);
  const isNear = pages.length > 0;
  const chosen = space === '' && !isNear ? own[0]?.id : space;
  if (own.length === 0) return null;
  const draft = async (): Promise<void> => {
    const body = chosen === undefined || chosen === '' ? {} : { space: chosen };
    follow((await send('post', `${CLUSTER}/change-requests`, place, body)).urls.app);
  };
  return (
    <Group>
      <ActionButton
        label={words.draft}
        ask={{ title: words.draft, text: words.draftText, action: words.draftAction }}
        action={draft}
        refresh={clusterKey(place)}
      >
        <Select
          label={words.space}
          data={[
            ...(isNear ? [{ value: '', label: words.nearest }] : []),
            ...own.map(({ id, title }) => ({ value: id, label: title })),
          ]}
          value={chosen ?? ''}
          onChange={(id) => setSpace(id ?? '')}
          searchable
        />
      </ActionButton>
    </Group>
  );
}
