import { Modal, VisuallyHidden } from '@mantine/core';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import IconArrow from '~icons/fa7-solid/arrow-right';
import IconFile from '~icons/fa7-regular/file-lines';
import IconClock from '~icons/fa7-regular/clock';
import IconUser from '~icons/fa7-regular/user';
import IconSearch from '~icons/fa7-solid/magnifying-glass';
import { answered, api } from '../api/client.js';
import { spacesQuery, type Organization } from '../people/queries.js';
import { searchQuery } from '../people/search-query.js';
import { texts } from '../texts/en.js';
import { workspacePath } from '../ui/app-link.js';
import { signOut } from './account-menu.js';
import { useRecents } from './recents.js';

const [store, spotlight] = createSpotlight();
const WAIT = 200;
const SHOWN = { spaces: 6, pages: 8, people: 4, recent: 6 };

interface PaletteProps {
  readonly organization: Organization | undefined;
  readonly onClose: () => void;
  readonly onHelp: () => void;
}

interface Command {
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** Everything by its name: pages by the search of the organization, spaces, people and actions. */
export function Palette({ organization, onClose, onHelp }: PaletteProps): ReactNode {
  const [query, setQuery] = useState('');
  const words = texts.people.palette;
  const groups = useCommands(organization, query.trim(), onHelp);
  useEffect(() => spotlight.open(), []);
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={setQuery}
      onSpotlightClose={onClose}
      scrollable
      maxHeight="min(480px, 70vh)"
      shortcut={null}
    >
      <VisuallyHidden>
        <Modal.Title>{texts.people.shell.search}</Modal.Title>
      </VisuallyHidden>
      <Spotlight.Search
        placeholder={words.placeholder}
        aria-label={words.placeholder}
        leftSection={<IconSearch aria-hidden />}
      />
      <Spotlight.ActionsList>
        {groups
          .filter(({ commands }) => commands.length > 0)
          .map(({ label, commands }) => (
            <Spotlight.ActionsGroup key={label} label={label}>
              {commands.map(({ id, run, ...command }) => (
                <Spotlight.Action
                  key={id}
                  label={command.label}
                  description={command.description}
                  leftSection={command.icon}
                  onClick={run}
                />
              ))}
            </Spotlight.ActionsGroup>
          ))}
        {groups.every(({ commands }) => commands.length === 0) && (
          <Spotlight.Empty>{words.nothing(query)}</Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

interface CommandGroup {
  readonly label: string;
  readonly commands: readonly Command[];
}

function useCommands(organization: Organization | undefined, query: string, help: () => void): CommandGroup[] {
  const words = texts.people.palette;
  const actions = useActions(organization, query, help);
  const recent = useRecentCommands(organization, query);
  const spaces = useSpaceCommands(organization, query);
  const pages = usePageCommands(organization, query);
  const people = usePeopleCommands(organization, query);
  return [
    { label: words.recent, commands: recent },
    { label: words.pages, commands: pages },
    { label: words.spaces, commands: spaces },
    { label: words.people, commands: people },
    { label: words.actions, commands: actions },
  ];
}

function matches(text: string, query: string): boolean {
  return text.toLocaleLowerCase().includes(query.toLocaleLowerCase());
}

function useActions(organization: Organization | undefined, query: string, help: () => void): Command[] {
  const navigate = useNavigate();
  const words = texts.people;
  const places: readonly (readonly [string, string])[] = organization
    ? [
        [words.shell.home, `/o/${organization.id}`],
        [words.shell.changes, `/o/${organization.id}/changes`],
        ...(organization.permissions.listMembers
          ? [[words.shell.people, `/o/${organization.id}/people`] as const]
          : []),
        [words.shell.trash, `/o/${organization.id}/trash`],
      ]
    : [];
  const icon = <IconArrow aria-hidden />;
  const go = ([label, href]: readonly [string, string]): Command => ({
    id: href,
    label: words.palette.goTo(label),
    icon,
    run: () => void navigate({ href }),
  });
  const search: readonly Command[] =
    organization && query !== ''
      ? [
          {
            id: 'search',
            label: words.palette.searchFor(query),
            icon: <IconSearch aria-hidden />,
            run: () =>
              void navigate({
                to: '/o/$organizationId/search',
                params: { organizationId: organization.id },
                search: { query },
              }),
          },
        ]
      : [];
  const others: readonly Command[] = [
    ...[
      ...places,
      [words.notifications.title, '/notifications'] as const,
      [words.account.title, '/account'] as const,
    ].map(go),
    { id: 'help', label: words.keyboard.title, icon, run: help },
    { id: 'sign-out', label: words.account.signOut, icon, run: () => void signOut() },
  ];
  return [...search, ...others.filter(({ label }) => matches(label, query))];
}

function useRecentCommands(organization: Organization | undefined, query: string): Command[] {
  const navigate = useNavigate();
  return useRecents(organization?.id)
    .filter(({ title }) => matches(title, query))
    .slice(0, SHOWN.recent)
    .map(({ path, title }) => ({
      id: `recent-${path}`,
      label: title,
      icon: <IconClock aria-hidden />,
      run: () => void navigate({ href: path }),
    }));
}

function useSpaceCommands(organization: Organization | undefined, query: string): Command[] {
  const navigate = useNavigate();
  const organizationId = organization?.id ?? '';
  const { data: spaces = [] } = useQuery({ ...spacesQuery(organizationId), enabled: organization !== undefined });
  return spaces
    .filter(({ title }) => matches(title, query))
    .slice(0, SHOWN.spaces)
    .map(({ id, title, emoji }) => ({
      id,
      label: title,
      icon: <span aria-hidden>{emoji}</span>,
      run: () => void navigate({ to: '/o/$organizationId/s/$spaceId', params: { organizationId, spaceId: id } }),
    }));
}

function usePageCommands(organization: Organization | undefined, query: string): Command[] {
  const router = useRouter();
  const [asked] = useDebouncedValue(query, WAIT);
  const { data } = useQuery({
    ...searchQuery(organization?.id ?? '', asked, SHOWN.pages),
    enabled: organization !== undefined && asked !== '' && query !== '',
    placeholderData: keepPreviousData,
  });
  if (query === '') return [];
  return (data?.items ?? [])
    .flatMap(({ title: space, pages }) => pages.map((page) => ({ space, page })))
    .slice(0, SHOWN.pages)
    .map(({ space, page }) => ({
      id: page.id,
      label: page.title,
      description: [space, ...page.ancestors.map(({ title }) => title)].join(' / '),
      icon: <IconFile aria-hidden />,
      run: () => router.history.push(workspacePath(page.urls.app) ?? '/'),
    }));
}

function usePeopleCommands(organization: Organization | undefined, query: string): Command[] {
  const navigate = useNavigate();
  const [search] = useDebouncedValue(query, WAIT);
  const organizationId = organization?.id ?? '';
  const { data } = useQuery({
    queryKey: ['members', organizationId, 'palette', search],
    enabled: organization?.permissions.listMembers === true && search.length > 1,
    queryFn: () =>
      answered(
        api.GET('/v1/orgs/{organizationId}/members', {
          params: { path: { organizationId }, query: { search, limit: SHOWN.people } },
        }),
      ),
  });
  if (query.length < 2) return [];
  return (data?.items ?? []).map(({ id, user }) => ({
    id,
    label: user.displayName,
    ...(user.email !== undefined && { description: user.email }),
    icon: <IconUser aria-hidden />,
    run: () =>
      void navigate({
        to: '/o/$organizationId/people',
        params: { organizationId },
        search: { search: user.displayName },
      }),
  }));
}
