import { Blockquote, Checkbox, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { get, send, useList } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { conversationTexts as words } from '../../texts/conversations.js';
import { TextLink } from '../../ui/buttons.js';
import { ActionButton, TextField, useText } from '../../ui/forms.js';
import { EmptyScreen, LoadedList, Note, Strong } from '../../ui/screens.js';
import { CLUSTER, clusterKey, ISSUES, topicsKey, type ClusterPlace, type ConversationIssue } from './queries.js';

type OfPlace = Readonly<{ place: ClusterPlace; etag: string }>;

/** The words of customers as they were kept: without their personal data. Reviewers make some of them a topic. */
export function AskedIssues({ place, etag }: OfPlace) {
  const { organizationId, clusterId } = place;
  const { permissions } = useOrganization();
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const issues = useList<ConversationIssue>([...clusterKey(place), 'issues'], (page) =>
    get(ISSUES, { organizationId }, { cluster: clusterId, page }),
  );
  const toggle = (id: string): void =>
    setChosen(chosen.includes(id) ? chosen.filter((each) => each !== id) : [...chosen, id]);
  return (
    <LoadedList query={issues} empty={<EmptyScreen title={words.noIssues} text={words.noIssuesText} />}>
      {(items) => (
        <>
          {permissions.reviewConversations && (
            <Split place={place} etag={etag} issues={chosen} onDone={() => setChosen([])} />
          )}
          <Stack component="ul" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
            {items.map((item) => (
              <Group key={item.issue.id} component="li" gap="sm" align="flex-start" wrap="nowrap">
                {permissions.reviewConversations && (
                  <Checkbox
                    aria-label={words.choose(item.issue.title)}
                    checked={chosen.includes(item.issue.id)}
                    onChange={() => toggle(item.issue.id)}
                  />
                )}
                <AskedIssue item={item} organizationId={organizationId} />
              </Group>
            ))}
          </Stack>
        </>
      )}
    </LoadedList>
  );
}

function AskedIssue({ item, organizationId }: Readonly<{ item: ConversationIssue; organizationId: string }>) {
  const { issue, conversation } = item;
  return (
    <Stack gap={4} miw={0}>
      <Strong>
        <bdi>{issue.title}</bdi>
      </Strong>
      {issue.summary !== issue.title && issue.summary !== '' && (
        <Blockquote p="xs" fz="sm" className="plain-text" dir="auto">
          {issue.summary}
        </Blockquote>
      )}
      <Note at={conversation.createdAt}>
        {words.in}{' '}
        <TextLink
          label={<bdi>{conversation.subject ?? words.untitled}</bdi>}
          size="sm"
          to="/o/$organizationId/conversations/all/$conversationId"
          params={{ organizationId, conversationId: conversation.id }}
        />{' '}
        <bdi>{conversation.source}</bdi>
      </Note>
    </Stack>
  );
}

interface SplitProps extends OfPlace {
  readonly issues: readonly string[];
  readonly onDone: () => void;
}

/** Makes chosen issues a topic of their own. */
function Split({ place, etag, issues, onDone }: SplitProps) {
  const label = useText('');
  const said = label.value.trim();
  const split = async (): Promise<void> => {
    const body = { issues: [...issues], ...(said !== '' && { label: said }) };
    await send('post', `${CLUSTER}/split`, place, body, { headers: { 'If-Match': etag } });
    onDone();
  };
  return (
    <Group>
      <ActionButton
        label={words.split}
        disabled={issues.length === 0}
        ask={{ title: words.split, text: words.splitText(issues.length), action: words.splitAction }}
        action={split}
        refresh={topicsKey(place.organizationId)}
        done={words.splitDone}
      >
        <TextField {...label} label={words.label} description={words.splitLabel} maxLength={100} dir="auto" />
      </ActionButton>
    </Group>
  );
}
