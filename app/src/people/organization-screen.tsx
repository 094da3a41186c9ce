import { Badge, Card, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, Link, Navigate } from '@tanstack/react-router';
import { Suspense, type ReactNode } from 'react';
import { get, useSession } from '../api/client.js';
import { useEntryDialogs } from '../shell/entry-menu.js';
import { useRecents } from '../shell/recents.js';
import { useWorkspaceTree } from '../shell/tree-actions.js';
import { texts } from '../texts/en.js';
import { AppLink, Button } from '../ui/buttons.js';
import { emojiOf } from '../ui/emoji.js';
import { Loaded, LoadedList, Note, ScreenFrame, EmptyScreen } from '../ui/screens.js';
import { useNotifications, type Space, useOrganization, organizationsQuery, chosenOrganization } from './queries.js';

const words = texts.people.home;
const RECENT = 8;
/** Loaded when somebody is mentioned: the first screen has no more than it shows. */
const NotificationRow = lazyRouteComponent(() => import('./notifications-screen.js'), 'NotificationRow');

export function OrganizationScreen() {
  const organization = useOrganization();
  const { spaces, tree } = useWorkspaceTree(organization);
  const { dialog, show } = useEntryDialogs(tree);
  const noSpaces = tree.mayCreateAtTop
    ? { title: words.noSpaces, text: words.noSpacesText }
    : { title: words.noSpacesSeen, text: words.noSpacesForReaders };
  return (
    <ScreenFrame
      title={organization.title}
      actions={tree.mayCreateAtTop && <Button label={texts.people.tree.newSpace} onClick={() => show('space')} />}
    >
      <Stack gap="xl">
        <Waiting />
        <Mentions />
        <Recent />
        <Section title={words.spaces}>
          <Loaded query={spaces} empty={<EmptyScreen {...noSpaces} />}>
            {(all) => <SpaceCards spaces={all} />}
          </Loaded>
        </Section>
      </Stack>
      {dialog}
    </ScreenFrame>
  );
}

function Section({ title, children }: Readonly<{ title: string; children: ReactNode }>) {
  return (
    <section aria-label={title}>
      <Title order={2} mb="sm">
        {title}
      </Title>
      {children}
    </section>
  );
}

function Waiting() {
  const organization = useOrganization();
  const { user } = useSession();
  const path = { organizationId: organization.id };
  const query = { status: 'open', requestedReviewer: user.id, limit: 10 } as const;
  const requests = useQuery({
    queryKey: ['change-requests', 'waiting', organization.id],
    queryFn: async () => (await get('/v1/orgs/{organizationId}/change-requests', path, query)).items,
  });
  return (
    <Section title={words.waiting}>
      <Loaded query={requests} empty={<Text c="dimmed">{words.nothingWaits}</Text>}>
        {(items) =>
          items.map(({ id, number, subject, createdBy, updatedAt, urls }) => (
            <LinkRow key={id} url={urls.app} text={`#${number} ${subject}`} by={createdBy.displayName} at={updatedAt} />
          ))
        }
      </Loaded>
    </Section>
  );
}

function Mentions() {
  const organization = useOrganization();
  const mentions = useNotifications({ kind: 'mentioned' }, 5);
  const none = <Text c="dimmed">{words.noMentions}</Text>;
  return (
    <Section title={words.mentions}>
      <LoadedList query={mentions} empty={none}>
        {(items) => {
          const here = items.filter((item) => item.organization.id === organization.id);
          if (here.length === 0) return none;
          const rows = here.map((item) => <NotificationRow key={item.id} notification={item} />);
          return <Suspense fallback={null}>{rows}</Suspense>;
        }}
      </LoadedList>
    </Section>
  );
}

function Recent() {
  const organization = useOrganization();
  const recents = useRecents(organization.id).slice(0, RECENT);
  if (recents.length === 0) return null;
  return (
    <Section title={words.recent}>
      {recents.map(({ path, title, at }) => (
        <LinkRow key={path} url={`.${path}`} text={title} at={at} />
      ))}
    </Section>
  );
}

function LinkRow({ url, text, by, at }: Readonly<{ url: string; text: string; by?: string; at: string }>) {
  return (
    <Group gap="xs" mb="xs">
      <AppLink url={url}>{text}</AppLink>
      <Note at={at}>{by !== undefined && `${by} · `}</Note>
    </Group>
  );
}

/** Spaces as cards that lead to them. */
export function SpaceCards({ spaces }: Readonly<{ spaces: readonly Space[] }>) {
  return (
    <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
      {spaces.map(({ id, title, emoji, organization: organizationId, updatedAt, changeRequestsOpen }) => (
        <Card
          key={id}
          withBorder
          padding="md"
          renderRoot={(props) => (
            <Link {...props} to="/o/$organizationId/s/$spaceId" params={{ organizationId, spaceId: id }} />
          )}
        >
          <Group gap="xs" wrap="nowrap">
            <span aria-hidden>{emojiOf({ emoji })}</span>
            <Text fw={600} truncate>
              {title}
            </Text>
          </Group>
          <Group justify="space-between" mt="xs">
            <Note at={updatedAt}>{texts.common.changed}</Note>
            {changeRequestsOpen > 0 && <Badge>{words.openRequests(changeRequestsOpen)}</Badge>}
          </Group>
        </Card>
      ))}
    </SimpleGrid>
  );
}

/** Leads to the organization that was open last. */
export function HomeScreen() {
  const organizations = useQuery(organizationsQuery);
  return (
    <Loaded query={organizations}>
      {(all) => {
        const organization = chosenOrganization(all);
        if (organization)
          return <Navigate to="/o/$organizationId" params={{ organizationId: organization.id }} replace />;
        return <EmptyScreen title={texts.people.home.none} text={texts.people.home.noneText} />;
      }}
    </Loaded>
  );
}
