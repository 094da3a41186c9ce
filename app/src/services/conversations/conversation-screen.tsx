import { Badge, Box, Card, Center, Group, Stack, Table, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { get, send, useList, type Schemas } from '../../api/client.js';
import { useOrganization } from '../../people/queries.js';
import { conversationTexts as words } from '../../texts/conversations.js';
import { texts } from '../../texts/en.js';
import { AddressButton, SecondaryButton, TextLink } from '../../ui/buttons.js';
import { ActionButton } from '../../ui/forms.js';
import { EmptyScreen, Loaded, LoadedList, Note, ScreenFrame, Section } from '../../ui/screens.js';
import { CONVERSATION, conversationsKey, ISSUES, type ConversationIssue } from './queries.js';

type Whole = Schemas['WholeConversationBody'];
type ConversationPlace = Readonly<{ organizationId: string; conversationId: string }>;

const STEP = 100;
const COLORS = { user: 'blue', assistant: 'violet', 'team-member': 'green' } as const;

/** One conversation: what was said, and what it asks for. */
export function ConversationScreen() {
  const place = useParams({ from: '/signed-in/o/$organizationId/conversations/all/$conversationId' });
  const { permissions } = useOrganization();
  const whole = useQuery({
    queryKey: [...conversationsKey(place.organizationId), 'one', place.conversationId],
    queryFn: () => get(CONVERSATION, place),
    enabled: permissions.viewConversations,
  });
  if (!permissions.viewConversations) return <EmptyScreen order={1} title={words.title} text={words.hidden} />;
  return (
    <Loaded query={whole}>
      {({ conversation, parts, metadata }) => (
        <ScreenFrame
          title={conversation.subject ?? words.untitled}
          above={
            <Box mb="sm">
              <TextLink
                label={words.title}
                size="sm"
                to="/o/$organizationId/conversations"
                params={place}
                search={{ tab: 'conversations' }}
              />
            </Box>
          }
          actions={
            <Group gap="xs">
              {conversation.urls.source !== undefined && (
                <AddressButton label={words.atSource} href={conversation.urls.source} />
              )}
              {permissions.ingestConversations && <Delete place={place} />}
            </Group>
          }
        >
          <Stack>
            <Group gap="xs">
              <Note className="plain-text">
                <bdi>{conversation.source}</bdi>
              </Note>
              <Note at={conversation.createdAt}>{words.began}</Note>
            </Group>
            <Section title={words.found}>
              <FoundIssues place={place} />
            </Section>
            <Section title={words.turns}>
              <Turns key={place.conversationId} parts={parts} />
            </Section>
            <Attributes metadata={metadata} />
          </Stack>
        </ScreenFrame>
      )}
    </Loaded>
  );
}

function Delete({ place }: Readonly<{ place: ConversationPlace }>) {
  const navigate = useNavigate();
  const remove = async (): Promise<void> => {
    await send('delete', CONVERSATION, place);
    await navigate({ to: '/o/$organizationId/conversations', params: place, search: { tab: 'conversations' } });
  };
  return (
    <ActionButton
      label={texts.common.delete}
      color="red"
      ask={{ title: words.delete, text: words.deleteText, action: texts.common.delete, color: 'red' }}
      action={remove}
      refresh={conversationsKey(place.organizationId)}
      done={words.deleted}
    />
  );
}

function FoundIssues({ place: { organizationId, conversationId } }: Readonly<{ place: ConversationPlace }>) {
  const issues = useList<ConversationIssue>(
    [...conversationsKey(organizationId), 'one', conversationId, 'issues'],
    (page) => get(ISSUES, { organizationId }, { conversation: conversationId, page }),
  );
  return (
    <LoadedList query={issues} empty={<Note>{words.noneFound}</Note>}>
      {(items) => (
        <Stack component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
          {items.map(({ issue: { id, title, cluster } }) => (
            <Group key={id} component="li" gap="xs">
              <bdi className="plain-text">{title}</bdi>
              {cluster === undefined ? (
                <Note>{words.noTopicYet}</Note>
              ) : (
                <TextLink
                  label={words.topic}
                  aria-label={`${words.topic}: ${title}`}
                  size="sm"
                  to="/o/$organizationId/conversations/clusters/$clusterId"
                  params={{ organizationId, clusterId: cluster }}
                />
              )}
            </Group>
          ))}
        </Stack>
      )}
    </LoadedList>
  );
}

/** The messages, from the beginning; more of a long conversation on demand. */
function Turns({ parts }: Pick<Whole, 'parts'>) {
  const [shown, setShown] = useState(STEP);
  if (parts.length === 0) return <Note>{words.noTurns}</Note>;
  return (
    <>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {parts.slice(0, shown).map(({ role, body }, index) => (
          <Card key={index} component="li" withBorder>
            <Badge color={COLORS[role]}>{words.roles[role]}</Badge>
            <Text className="plain-text" dir="auto" mt="xs">
              {body}
            </Text>
          </Card>
        ))}
      </Stack>
      {parts.length > shown && (
        <Center>
          <SecondaryButton label={texts.common.more} onClick={() => setShown(shown + STEP)} />
        </Center>
      )}
    </>
  );
}

function Attributes({ metadata: { attributes = {} } }: Pick<Whole, 'metadata'>) {
  const entries = Object.entries(attributes);
  if (entries.length === 0) return null;
  return (
    <Section title={words.attributes}>
      <Table>
        <Table.Tbody>
          {entries.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} className="plain-text">
                <bdi>{name}</bdi>
              </Table.Th>
              <Table.Td className="plain-text">
                <bdi>{value}</bdi>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
