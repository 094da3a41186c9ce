import { Alert, Badge, Group, Select, Stack } from '@mantine/core';
import { useDidUpdate } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { get, queries, useList } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { conversationTexts as words } from '../../texts/conversations.js';
import { Button, TextLink } from '../../ui/buttons.js';
import { EmptyScreen, Note, ScreenFrame, ScreenTabs, Time } from '../../ui/screens.js';
import { ListTable, RowName } from '../../ui/tables.js';
import { usePolling } from '../polling.js';
import {
  CONVERSATIONS,
  conversationsKey,
  settingsQuery,
  sourcesQuery,
  topicsKey,
  type Conversation,
} from './queries.js';
import { SendConversations } from './send-conversations.js';
import { SourcesAndSettings } from './settings.js';
import { Topics } from './topics.js';

type OfOrganization = Readonly<{ organizationId: string }>;

/** The questions of customers: topics, the conversations that they are from, and how these are treated. */
export function ConversationsScreen() {
  const { id: organizationId, permissions } = useOrganization();
  const [isSending, setSending] = useState(false);
  if (!permissions.viewConversations) return <EmptyScreen order={1} title={words.title} text={words.hidden} />;
  return (
    <ScreenFrame
      title={words.title}
      actions={
        permissions.ingestConversations && <Button label={words.upload.title} onClick={() => setSending(true)} />
      }
    >
      <Stack>
        <Analysis organizationId={organizationId} />
        <ScreenTabs
          labels={words.tabs}
          contents={{
            topics: <Topics organizationId={organizationId} />,
            conversations: <Conversations organizationId={organizationId} />,
            settings: <SourcesAndSettings organizationId={organizationId} />,
          }}
        />
      </Stack>
      {isSending && <SendConversations organizationId={organizationId} onClose={() => setSending(false)} />}
    </ScreenFrame>
  );
}

/** How far conversations are read; what follows from them is read again when that goes on. */
function Analysis({ organizationId }: OfOrganization) {
  const { data } = useQuery(settingsQuery(organizationId));
  const analysis = data?.body.analysis;
  useDidUpdate(
    () => void queries.invalidateQueries({ queryKey: topicsKey(organizationId) }),
    [analysis?.status, analysis?.clusteredAt],
  );
  if (!analysis) return null;
  const { status, waiting, clusteredAt, problem } = analysis;
  return (
    <>
      <Group gap="xs" role="status">
        <Badge color={status === 'idle' ? 'green' : 'blue'}>{words.analysis[status]}</Badge>
        {waiting > 0 && <Note>{words.waiting(waiting)}</Note>}
        {clusteredAt !== undefined && <Note at={clusteredAt}>{words.clusteredAt}</Note>}
      </Group>
      {problem !== undefined && (
        <Alert color="yellow" title={words.problem} role="alert">
          <bdi>{problem}</bdi>
        </Alert>
      )}
    </>
  );
}

function Conversations({ organizationId }: OfOrganization) {
  const { source } = useSearch({ from: '/signed-in/o/$organizationId/conversations' });
  const navigate = useNavigate();
  const { data: sources = [] } = useQuery(sourcesQuery(organizationId));
  const key = [...conversationsKey(organizationId), 'list', source];
  const conversations = useList<Conversation>(key, (page) => get(CONVERSATIONS, { organizationId }, { page, source }));
  const isWaiting = conversations.data?.pages[0]?.items.some(({ processedAt }) => processedAt === undefined);
  usePolling(key, isWaiting ?? false);
  const names = [...new Set([...sources.map(({ name }) => name), ...(source === undefined ? [] : [source])])];
  return (
    <Stack>
      <Select
        label={words.source}
        data={[{ value: '', label: words.all }, ...names.map((value) => ({ value, label: value }))]}
        value={source ?? ''}
        onChange={(name) => {
          const chosen = name === null || name === '' ? {} : { source: name };
          void navigate({ to: '.', search: { tab: 'conversations', ...chosen }, replace: true });
        }}
        maw={360}
        searchable
      />
      <ListTable
        query={conversations}
        empty={<EmptyScreen title={words.none} text={words.noneText} />}
        columns={[
          {
            heading: words.conversation,
            cell: ({ id, subject, source: from }) => (
              <RowName below={<bdi className="plain-text">{from}</bdi>}>
                <TextLink
                  label={<bdi>{subject ?? words.untitled}</bdi>}
                  to="/o/$organizationId/conversations/all/$conversationId"
                  params={{ organizationId, conversationId: id }}
                />
              </RowName>
            ),
          },
          { heading: words.began, cell: ({ createdAt }) => <Time at={createdAt} /> },
          {
            heading: words.read,
            cell: ({ processedAt }) => (
              <Badge color={processedAt === undefined ? 'gray' : 'green'}>
                {processedAt === undefined ? words.notRead : words.readIt}
              </Badge>
            ),
          },
        ]}
      />
    </Stack>
  );
}
