import {
  Badge,
  Button,
  Center,
  Loader,
  Stack,
  Text,
  Title,
  Container,
  Group,
  Tabs,
  Card,
  Skeleton,
  type TextProps,
} from '@mantine/core';
import { Link, useRouter, useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { texts } from '../texts/en.js';
import { faultText } from './toasts.js';
import type { InfiniteData, UseInfiniteQueryResult, UseQueryResult } from '@tanstack/react-query';
import type { ListPage } from '../api/client.js';
import { SecondaryButton } from './buttons.js';

/** Shown while the data of a screen is on its way. */
export function LoadingScreen() {
  return (
    <Center mih={200} role="status" aria-label={texts.common.loading}>
      <Loader />
    </Center>
  );
}

/** Shown in place of a screen that failed: what happened, and what to do. */
export function FaultScreen({ error, reset }: Readonly<{ error: unknown; reset?: () => void }>) {
  const router = useRouter();
  const again = (): void => {
    reset?.();
    void router.invalidate();
  };
  return (
    <EmptyScreen order={1} title={texts.faults.title} text={faultText(error)}>
      <Button onClick={again}>{texts.faults.tryAgain}</Button>
    </EmptyScreen>
  );
}

interface EmptyScreenProps {
  readonly title: string;
  readonly text?: string;
  /** The level of the heading; 1 where the screen has no other one. */
  readonly order?: 1 | 2;
  readonly children?: ReactNode;
}

/** A screen without content: says what would be here, and offers the first step. */
export function EmptyScreen({ title, text, order = 2, children }: EmptyScreenProps) {
  return (
    <Center mih={240} p="md">
      <Stack align="center" maw={480} gap="sm">
        <Title order={order} size={22} ta="center">
          {title}
        </Title>
        {text !== undefined && (
          <Text ta="center" c="dimmed">
            {text}
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  );
}

export function NotFoundScreen() {
  return (
    <EmptyScreen order={1} title={texts.faults.notFoundTitle} text={texts.faults.notFoundText}>
      <Button component={Link} to="/" variant="default">
        {texts.people.shell.home}
      </Button>
    </EmptyScreen>
  );
}

/** Outside of the frame of the workspace. */
export function NothingScreen() {
  return (
    <main>
      <NotFoundScreen />
    </main>
  );
}

interface ScreenFrameProps {
  readonly title: string;
  /** The way back, above the title. */
  readonly above?: ReactNode;
  /** Buttons beside the title. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen of lists and forms: its heading, which names the tab too, its actions, and its content. */
export function ScreenFrame({ title, above, actions, children }: ScreenFrameProps) {
  useTitle(title);
  return (
    <Container size="md" px={{ base: 'sm', sm: 'md' }} py="lg">
      {above}
      <Group justify="space-between" mb="lg">
        <Title order={1} miw={0}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Container>
  );
}

interface ScreenTabsProps<Name extends string> {
  /** The parts that are shown. */
  readonly labels: Readonly<Partial<Record<Name, string>>>;
  readonly contents: Readonly<Record<Name, ReactNode>>;
}

/** The parts of a screen by their names; the address has the name of the one that is open, else it is the first. */
export function ScreenTabs<Name extends string>({ labels, contents }: ScreenTabsProps<Name>) {
  const { tab: given } = useSearch({ strict: false });
  const navigate = useNavigate();
  const names = Object.keys(labels) as Name[];
  return (
    <Tabs
      value={names.find((name) => name === given) ?? names[0]}
      keepMounted={false}
      onChange={(tab) => void navigate({ to: '.', search: tab === null ? {} : { tab }, replace: true })}
    >
      <Tabs.List mb="lg">
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {labels[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {contents[name]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

const NAME = 'Bindery';

/** Names the screen in the title of the browser's tab, and among the recent things. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? NAME : `${title} · ${NAME}`;
  }, [title]);
}

/** The name that a screen gave itself, if it did. */
export function shownTitle(): string | undefined {
  const { title } = document;
  return title.endsWith(` · ${NAME}`) ? title.slice(0, -NAME.length - 3) : undefined;
}

/** Takes the name of the screen before from the title. */
export function resetTitle(): void {
  document.title = NAME;
}

type SectionProps = Readonly<{ title: string; order?: 2 | 3; id?: string; actions?: ReactNode; children: ReactNode }>;

/** A framed part of a screen with its heading. */
export function Section({ title, order = 2, id, actions, children }: SectionProps) {
  return (
    <Card withBorder component="section" aria-label={title} id={id}>
      <Stack gap="sm">
        <Group justify="space-between" wrap="nowrap">
          <Title order={order}>{title}</Title>
          {actions}
        </Group>
        {children}
      </Stack>
    </Card>
  );
}

const ROWS = [1, 2, 3];

interface LoadedProps<Data> {
  readonly query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'refetch'>;
  /** Shown instead of a list without items. */
  readonly empty?: ReactNode;
  readonly children: (data: Data) => ReactNode;
}

/** The data of a query; lines in its place while it runs, and the fault with a button when it failed. */
export function Loaded<Data>({ query: { data, error, refetch }, empty, children }: LoadedProps<Data>) {
  if (empty !== undefined && Array.isArray(data) && data.length === 0) return empty;
  if (data !== undefined) return children(data);
  if (error) return <FaultScreen error={error} reset={() => void refetch()} />;
  return (
    <Stack gap="xs" role="status" aria-label={texts.common.loading}>
      {ROWS.map((row) => (
        <Skeleton key={row} height={36} />
      ))}
    </Stack>
  );
}

interface LoadedListProps<Item> {
  readonly query: UseInfiniteQueryResult<InfiniteData<ListPage<Item>>>;
  /** Shown when the list has no items. */
  readonly empty: ReactNode;
  readonly children: (items: readonly Item[]) => ReactNode;
}

/** A list that is read page by page, with a button for more. */
export function LoadedList<Item>({ query, empty, children }: LoadedListProps<Item>) {
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = query;
  const items = data?.pages.flatMap((page) => page.items);
  if (items?.length === 0 && !hasNextPage) return empty;
  return (
    <>
      <Loaded query={{ data: items, error, refetch } as LoadedProps<Item[]>['query']}>{children}</Loaded>
      {hasNextPage && (
        <Center mt="md">
          <SecondaryButton
            label={texts.common.more}
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          />
        </Center>
      )}
    </>
  );
}

type NoteProps = TextProps & Readonly<{ children?: ReactNode; at?: string; role?: string }>;

/** Small words of less weight; `at` puts the time of a moment behind them. */
export function Note({ children, at, ...props }: NoteProps) {
  return (
    <Text size="sm" c="dimmed" {...props}>
      {children} {at !== undefined && <Time at={at} />}
    </Text>
  );
}

/** Marks the present state among earlier ones. */
export function PresentBadge() {
  return <Badge variant="filled">{texts.common.present}</Badge>;
}

/** Small words of more weight, such as a name. */
export function Strong({ children }: Readonly<{ children: ReactNode }>) {
  return (
    <Text size="sm" fw={600}>
      {children}
    </Text>
  );
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];
/** In the language of the other words of the workspace. */
const WORDS = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const EXACT = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

/** How long ago a moment was, in words: `at` is an ISO time. */
export function timeAgo(at: string, now = Date.now()): string {
  const seconds = (new Date(at).getTime() - now) / 1000;
  const found = UNITS.find(([, length]) => Math.abs(seconds) >= length);
  return found ? WORDS.format(Math.round(seconds / found[1]), found[0]) : WORDS.format(0, 'second');
}

/** A moment as the time since then; the exact time is its title. */
export function Time({ at }: Readonly<{ at: string }>) {
  return (
    <time dateTime={at} title={EXACT.format(new Date(at))}>
      {timeAgo(at)}
    </time>
  );
}
