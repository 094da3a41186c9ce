import { Group, Select, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { get, readAll, send, useList } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { conversationTexts as words } from '../../texts/conversations.js';
import { TextLink } from '../../ui/buttons.js';
import { ActionButton } from '../../ui/forms.js';
import { EmptyScreen, LoadedList, Note, Section } from '../../ui/screens.js';
import { CLUSTER, clusterKey, CLUSTERS, DECISION, DECISIONS, topicsKey } from './queries.js';
import type { Cluster, ClusterPlace, Decision } from './queries.js';

type OfCluster = Readonly<{ cluster: Cluster; etag: string; place: ClusterPlace }>;

/** The decisions of people about a topic: merges and splits, which can be undone, and another merge. */
export function ClusterDecisions({ cluster, etag, place }: OfCluster) {
  const { permissions } = useOrganization();
  const { organizationId, clusterId } = place;
  const decisions = useList<Decision>([...clusterKey(place), 'decisions'], (page) =>
    get(DECISIONS, { organizationId }, { cluster: clusterId, page }),
  );
  const mayMerge = permissions.reviewConversations && cluster.mergedInto === undefined;
  return (
    <Section title={words.decisions}>
      <Note>{words.decisionsText}</Note>
      {cluster.mergedInto !== undefined && <OtherTopic label={words.partOf} id={cluster.mergedInto} place={place} />}
      <LoadedList query={decisions} empty={<EmptyScreen title={words.noDecisions} text={words.noDecisionsText} />}>
        {(items) => (
          <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
            {items.map((decision) => (
              <DecisionRow key={decision.id} decision={decision} place={place} />
            ))}
          </Stack>
        )}
      </LoadedList>
      {mayMerge && <Merge etag={etag} place={place} />}
    </Section>
  );
}

function OtherTopic({ label, id, place }: Readonly<{ label: string; id: string; place: ClusterPlace }>) {
  return (
    <TextLink
      label={<bdi>{label}</bdi>}
      to="/o/$organizationId/conversations/clusters/$clusterId"
      params={{ organizationId: place.organizationId, clusterId: id }}
    />
  );
}

function DecisionRow({ decision, place }: Readonly<{ decision: Decision; place: ClusterPlace }>) {
  const { permissions } = useOrganization();
  const navigate = useNavigate();
  const { organizationId, clusterId } = place;
  const { id, kind, cluster, other, otherLabel, issues, createdAt } = decision;
  const isHere = cluster === clusterId;
  const undo = async (): Promise<void> => {
    await send('delete', DECISION, { organizationId, decisionId: id });
    // The topic that was split off goes with its split.
    if (kind === 'split' && isHere)
      await navigate({
        to: '/o/$organizationId/conversations/clusters/$clusterId',
        params: { organizationId, clusterId: other },
      });
  };
  return (
    <Group component="li" gap="sm">
      <OtherTopic
        label={isHere ? words.decided[kind](otherLabel) : words.decidedThere[kind]}
        id={isHere ? other : cluster}
        place={place}
      />
      <Note at={createdAt}>{words.issueCount(issues)}</Note>
      {permissions.reviewConversations && (
        <ActionButton
          label={words.undo}
          aria-label={words.undoOne(otherLabel)}
          ask={{ title: words.undoTitle, text: words.undoText[kind], action: words.undo }}
          action={undo}
          refresh={topicsKey(organizationId)}
          done={words.undone}
        />
      )}
    </Group>
  );
}

/** Takes another topic into this one. */
function Merge({ etag, place }: Readonly<{ etag: string; place: ClusterPlace }>) {
  const [chosen, setChosen] = useState<string | null>(null);
  return (
    <Group>
      <ActionButton
        label={words.merge}
        ask={{
          title: words.merge,
          text: words.mergeText,
          action: words.mergeAction,
          disabled: chosen === null,
          onClose: () => setChosen(null),
        }}
        action={() =>
          send('post', `${CLUSTER}/merge`, place, { cluster: chosen ?? '' }, { headers: { 'If-Match': etag } })
        }
        refresh={topicsKey(place.organizationId)}
        done={words.merged}
      >
        <OtherTopics place={place} value={chosen} onChange={setChosen} />
      </ActionButton>
    </Group>
  );
}

interface OtherTopicsProps {
  readonly place: ClusterPlace;
  readonly value: string | null;
  readonly onChange: (id: string | null) => void;
}

/** All other topics, those with the most issues first. */
function OtherTopics({ place: { organizationId, clusterId }, value, onChange }: OtherTopicsProps) {
  const { data: topics = [] } = useQuery({
    queryKey: [...topicsKey(organizationId), 'all'],
    queryFn: () => readAll<Cluster>((page) => get(CLUSTERS, { organizationId }, { page, orderBy: 'issues' })),
  });
  return (
    <Select
      label={words.topic}
      data={topics
        .filter(({ id }) => id !== clusterId)
        .map(({ id, label, stats }) => ({ value: id, label: `${label} (${words.issueCount(stats.issues)})` }))}
      value={value}
      onChange={onChange}
      searchable
      limit={100}
      data-autofocus
    />
  );
}
