import { Modal, VisuallyHidden } from '@mantine/core';
import '@mantine/spotlight/styles.css';
import { createSpotlight, Spotlight } from '@mantine/spotlight';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { defaultStringifySearch, useNavigate, useParams, useRouter } from '@tanstack/react-router';
import { useEffect, useState, type ReactNode } from 'react';
import IconArrow from '~icons/fa7-solid/arrow-right';
import IconFile from '~icons/fa7-regular/file-lines';
import IconClock from '~icons/fa7-regular/clock';
import IconUser from '~icons/fa7-regular/user';
import IconSearch from '~icons/fa7-solid/magnifying-glass';
import { get } from '../api/client.js';
import { ExtensionIcon, useExtensionLinks, type ExtensionLink } from '../extensions/extension-links.js';
import { spacesQuery, type Organization, searchQuery } from '../people/queries.js';
import { texts } from '../texts/en.js';
import { keyboardTexts } from '../texts/keyboard.js';
import { workspacePath } from '../ui/buttons.js';
import { emojiOf } from '../ui/emoji.js';
import { signOut } from './account-menu.js';
import { useRecents } from './recents.js';
import { KeyTable } from '../ui/tables.js';

const [store, spotlight] = createSpotlight();
const WAIT = 200;
const SHOWN = { spaces: 6, pages: 8, people: 4, recent: 6 };

type PaletteProps = Readonly<{ organization: Organization | undefined; onClose: () => void; onHelp: () => void }>;

interface Command {
  readonly id: string;
  readonly label: string;
  readonly description?: string | undefined;
  readonly icon: ReactNode;
  readonly run: () => void;
}

/** Everything by its name: pages by the search of the organization, spaces, people and actions. */
export function Palette({ organization, onClose, onHelp }: PaletteProps) {
  const [query, setQuery] = useState('');
  const words = texts.people.palette;
  const groups = useCommands(organization, query.trim(), onHelp).filter(({ commands }) => commands.length > 0);
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
      <Spotlight.Search placeholder={words.placeholder} aria-label={words.placeholder} leftSection={<IconSearch />} />
      <Spotlight.ActionsList>
        {groups.map(({ label, commands }) => (
          <Spotlight.ActionsGroup key={label} label={label}>
            {commands.map(({ id, icon, run, ...command }) => (
              <Spotlight.Action key={id} {...command} leftSection={icon} onClick={run} />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.length === 0 && <Spotlight.Empty>{words.nothing(query)}</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** The commands that fit a query, by their kinds. */
function useCommands(organization: Organization | undefined, query: string, help: () => void) {
  const words = texts.people.palette;
  const isMatch = ({ label }: Command): boolean => label.toLocaleLowerCase().includes(query.toLocaleLowerCase());
  const goTo = useGoing();
  const recent = useRecents(organization?.id).map(({ path, title }) => ({
    ...goTo(path, title, <IconClock />),
    id: `recent-${path}`,
  }));
  const isAsked = organization !== undefined && query !== '';
  const search = isAsked ? `/o/${organization.id}/search${defaultStringifySearch({ query })}` : undefined;
  return [
    { label: texts.people.home.recent, commands: recent.filter(isMatch).slice(0, SHOWN.recent) },
    { label: texts.common.pages, commands: usePages(organization, query) },
    { label: texts.people.home.spaces, commands: useSpaces(organization).filter(isMatch).slice(0, SHOWN.spaces) },
    { label: texts.people.people.title, commands: usePeople(organization, query) },
    {
      label: texts.people.people.actions,
      commands: [
        ...(search === undefined ? [] : [goTo(search, words.searchFor(query), <IconSearch />)]),
        ...useActions(organization, help).filter(isMatch),
        ...useExtensionScreens(organization).filter(isMatch),
      ],
    },
  ];
}

/** A command that leads to a path of the workspace. */
function useGoing(): (href: string, label: string, icon: ReactNode, description?: string) => Command {
  const navigate = useNavigate();
  return (href, label, icon, description) => {
    const run = (): void => void navigate({ href });
    return { id: href, label, icon, description, run };
  };
}

function useActions(organization: Organization | undefined, help: () => void): Command[] {
  const goTo = useGoing();
  const { account, palette, shell } = texts.people;
  const icon = <IconArrow />;
  const home = `/o/${organization?.id}`;
  const places: readonly (readonly [string, string, boolean?])[] = [
    [shell.home, home, organization !== undefined],
    [texts.services.requests, `${home}/changes`, organization !== undefined],
    [texts.services.sites, `${home}/sites`, organization !== undefined],
    [texts.services.conversations, `${home}/conversations`, organization?.permissions.viewConversations],
    [texts.services.templates, `${home}/templates`, organization !== undefined],
    [texts.services.agentInstructions, `${home}/agent-instructions`, organization !== undefined],
    [texts.services.archive, `${home}/archive`, organization?.permissions.admin],
    [texts.people.people.title, `${home}/people`, organization?.permissions.listMembers],
    [texts.services.trash, `${home}/trash`, organization !== undefined],
    [texts.services.settings, `${home}/settings`, organization?.permissions.admin],
    [shell.notifications(0), '/notifications'],
    [account.title, '/account'],
  ];
  return [
    ...places.filter(([, , isShown = true]) => isShown).map(([label, path]) => goTo(path, palette.goTo(label), icon)),
    { id: 'help', label: shell.keys, icon, run: help },
    { id: 'sign-out', label: account.signOut, icon, run: () => void signOut() },
  ];
}

/** The screens of modules in the organization, and in the space that is open. */
function useExtensionScreens(organization: Organization | undefined): Command[] {
  const goTo = useGoing();
  const { spaceId } = useParams({ strict: false });
  const organizationId = organization?.id ?? '';
  const home = `/o/${organizationId}`;
  const inOrganization = useExtensionLinks({ organizationId });
  const inSpace = useExtensionLinks({ organizationId, spaceId: spaceId ?? '' });
  const command = (base: string, { label, screen, icon }: ExtensionLink): Command =>
    goTo(
      `${base}/extensions${screen === undefined ? '' : `/${screen}`}`,
      texts.people.palette.goTo(label),
      <ExtensionIcon icon={icon} />,
    );
  return [
    ...(organization ? inOrganization : []).map((link) => command(home, link)),
    ...(spaceId === undefined ? [] : inSpace).map((link) => command(`${home}/s/${spaceId}/~`, link)),
  ];
}

function useSpaces(organization: Organization | undefined): Command[] {
  const goTo = useGoing();
  const { data = [] } = useQuery({ ...spacesQuery(organization?.id ?? ''), enabled: organization !== undefined });
  return data.map(({ id, organization: at, title, emoji }) =>
    goTo(`/o/${at}/s/${id}`, title, <span aria-hidden>{emojiOf({ emoji })}</span>),
  );
}

function usePages(organization: Organization | undefined, query: string): Command[] {
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
      icon: <IconFile />,
      run: () => router.history.push(workspacePath(page.urls.app) ?? '/'),
    }));
}

function usePeople(organization: Organization | undefined, query: string): Command[] {
  const goTo = useGoing();
  const [search] = useDebouncedValue(query, WAIT);
  const organizationId = organization?.id ?? '';
  const { data } = useQuery({
    queryKey: ['members', organizationId, 'palette', search],
    enabled: organization?.permissions.listMembers === true && search.length > 1,
    queryFn: () => get('/v1/orgs/{organizationId}/members', { organizationId }, { search, limit: SHOWN.people }),
  });
  if (query.length < 2) return [];
  return (data?.items ?? []).map(({ id, user: { displayName, email } }) => {
    const href = `/o/${organizationId}/people${defaultStringifySearch({ search: displayName })}`;
    return { ...goTo(href, displayName, <IconUser />, email), id };
  });
}

/** The shortcuts of the workspace. */
export function KeyboardHelp({ onClose }: Readonly<{ onClose: () => void }>) {
  return (
    <Modal opened onClose={onClose} title={texts.people.shell.keys} size="lg">
      <KeyTable keys={keyboardTexts.shortcuts} />
    </Modal>
  );
}
