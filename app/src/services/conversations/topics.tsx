import { Accordion, Group, SegmentedControl, Stack, Text, ScrollArea } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { get, useList } from '../../api/client.js';
import { conversationTexts as words } from '../../texts/conversations.js';
import { TextLink } from '../../ui/buttons.js';
import { PageIcon } from '../../ui/page-icon.js';
import { EmptyScreen, LoadedList, Note } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { Growth, Pulse } from './numbers.js';
import { CLUSTERS, THEMES, topicsKey, type Cluster, type Theme } from './queries.js';

type OfOrganization = Readonly<{ organizationId: string }>;

const BY = ['theme', 'issues', 'conversations', 'updatedAt'] as const;

/** The requests of customers: themes with their topics, or all topics in one order. */
export function Topics({ organizationId }: OfOrganization) {
  const { by: given } = useSearch({ from: '/signed-in/o/$organizationId/conversations' });
  const navigate = useNavigate();
  const by = BY.find((each) => each === given) ?? 'theme';
  return (
    <Stack>
      <ScrollArea scrollbars="x" maw="100%">
        <SegmentedControl
          aria-label={words.byLabel}
          data={BY.map((value) => ({ value, label: words.by[value] }))}
          value={by}
          onChange={(next) => void navigate({ to: '.', search: { tab: 'topics', by: next }, replace: true })}
        />
      </ScrollArea>
      {by === 'theme' ? <Themes organizationId={organizationId} /> : <Clusters key={by} {...{ organizationId, by }} />}
    </Stack>
  );
}

function Themes({ organizationId }: OfOrganization) {
  const [opened, setOpened] = useState<string[]>([]);
  const themes = useList<Theme>([...topicsKey(organizationId), 'themes'], (page) =>
    get(THEMES, { organizationId }, { page }),
  );
  return (
    <LoadedList query={themes} empty={<EmptyScreen title={words.noThemes} text={words.noThemesText} />}>
      {(items) => (
        <Accordion multiple variant="separated" order={2} value={opened} onChange={setOpened}>
          {items.map((theme) => (
            <Accordion.Item key={theme.id} value={theme.id}>
              <Accordion.Control>
                <ThemeHead theme={theme} />
              </Accordion.Control>
              <Accordion.Panel>
                {opened.includes(theme.id) && (
                  <Stack gap="xs">
                    <Text size="sm" className="plain-text" dir="auto">
                      {theme.summary}
                    </Text>
                    <Clusters organizationId={organizationId} by="issues" theme={theme.id} />
                  </Stack>
                )}
              </Accordion.Panel>
            </Accordion.Item>
          ))}
        </Accordion>
      )}
    </LoadedList>
  );
}

function ThemeHead({ theme: { label, icon, stats, impact, weeklyPulse } }: Readonly<{ theme: Theme }>) {
  return (
    <Group gap="md">
      <RowName
        below={[
          words.topics(stats.topics),
          words.conversationCount(stats.conversations),
          words.issueCount(stats.issues),
          words.shareOf(impact.share),
        ].join(' · ')}
      >
        <PageIcon icon={icon} /> <bdi>{label}</bdi>
      </RowName>
      <Growth impact={impact} />
      <Pulse weeks={weeklyPulse} />
    </Group>
  );
}

type ClustersProps = OfOrganization & Readonly<{ by: Exclude<(typeof BY)[number], 'theme'>; theme?: string }>;

/** Topics of a theme, or all of them. */
function Clusters({ organizationId, by, theme }: ClustersProps) {
  const clusters = useList<Cluster>([...topicsKey(organizationId), 'clusters', by, theme], (page) =>
    get(CLUSTERS, { organizationId }, { page, orderBy: by, order: 'desc', theme }),
  );
  return (
    <ListTable
      query={clusters}
      minWidth={640}
      empty={<EmptyScreen title={words.noTopics} text={words.noTopicsText} />}
      columns={[
        {
          heading: words.topic,
          cell: ({ id, label, icon, summary, reviewed }) => (
            <RowName below={<bdi>{summary}</bdi>}>
              <PageIcon icon={icon} />{' '}
              <TextLink
                label={<bdi>{label}</bdi>}
                to="/o/$organizationId/conversations/clusters/$clusterId"
                params={{ organizationId, clusterId: id }}
              />
              {reviewed && <Note span>{` (${words.reviewed})`}</Note>}
            </RowName>
          ),
        },
        {
          heading: words.conversations,
          cell: ({ stats }) => <RowName below={words.issueCount(stats.issues)}>{stats.conversations}</RowName>,
        },
        { heading: words.share, cell: ({ impact }) => words.percent(impact.share) },
        { heading: words.growth, cell: ({ impact }) => <Growth impact={impact} /> },
        { heading: words.pulse, cell: ({ weeklyPulse }) => <Pulse weeks={weeklyPulse} /> },
      ]}
    />
  );
}
