import { Alert, Anchor, Box, Flex, Group, Image, List, Menu, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazyRouteComponent, useNavigate, useSearch } from '@tanstack/react-router';
import { Suspense } from 'react';
import IconComments from '~icons/fa7-solid/comments';
import { texts } from '../texts/en.js';
import { writingTexts } from '../texts/writing.js';
import { queries } from '../api/client.js';
import { LinkButton, ActionMenu, MenuItem, MenuLink, SecondaryButton } from '../ui/buttons.js';
import { Loaded, Note, EmptyScreen } from '../ui/screens.js';
import { emojiOf } from '../ui/emoji.js';
import { PageIcon } from '../ui/page-icon.js';
import { RenderedContent } from '../ui/rendered-content.js';
import { showDone, showFault } from '../ui/toasts.js';
import { EditButton } from './edit-button.js';
import { PeopleHere } from './presence/people-here.js';
import { coverTarget, filesQuery, type Page, pageHtmlQuery, pageSourceQuery } from './queries.js';
import { routeOf, useMayWrite, useOpenPage, usePlace, useSpace } from './place.js';

const words = writingTexts.read;
const CommentsPanel = lazyRouteComponent(() => import('../review/comments/comment-thread.js'), 'CommentsPanel');

type PageProps = Readonly<{ page: Page }>;
type PageViewProps = PageProps & Readonly<{ onSettings: () => void }>;

/** A page as it will be published, with what can be done with it. */
export function PageView({ page, onSettings }: PageViewProps) {
  const isWide = page.layout?.width === 'wide';
  return (
    <Flex direction={{ base: 'column', xl: 'row' }}>
      <Box
        component="article"
        flex={1}
        miw={0}
        maw={isWide ? 1240 : 860}
        mx="auto"
        w="100%"
        px={{ base: 'sm', sm: 'lg' }}
        pt="md"
        pb={64}
        aria-labelledby="page-title"
      >
        <Stack gap="md">
          <Cover page={page} />
          <PageHeader page={page} onSettings={onSettings} />
          {page.type === 'document' && <PageBody page={page} />}
          {page.type === 'group' && <GroupPages page={page} />}
          {page.type === 'link' && (
            <Alert>
              {words.linkTo} {page.href === undefined ? '–' : <Anchor href={page.href}>{page.href}</Anchor>}
            </Alert>
          )}
          {page.type === 'computed' && <Text c="dimmed">{words.computedPage}</Text>}
        </Stack>
      </Box>
      <PageComments page={page} />
    </Flex>
  );
}

/** Comments on the page, where the address asks for it. */
function PageComments({ page }: PageProps) {
  const { comments = false } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { revisionId } = usePlace();
  if (!comments || revisionId !== undefined) return null;
  const close = (): void => void navigate({ to: '.', search: {}, replace: true });
  return (
    <Box className="pane" flex="none" w={{ base: '100%', xl: 340 }}>
      <Suspense fallback={<Skeleton height={120} />}>
        <CommentsPanel page={page.id} onClose={close} />
      </Suspense>
    </Box>
  );
}

function PageHeader({ page, onSettings }: PageViewProps) {
  const { revisionId } = usePlace();
  const { comments = false } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { description = '', updatedAt } = page;
  return (
    <Stack gap={4}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Title order={1} size={34} id="page-title">
          <PageIcon icon={page.icon} emoji={emojiOf(page)} /> {page.title}
        </Title>
        <Group gap={6} wrap="nowrap">
          <PeopleHere page={page.id} />
          {page.type === 'document' && revisionId === undefined && <EditButton page={page.id} />}
          {revisionId === undefined && (
            <SecondaryButton
              label={words.comments}
              size="xs"
              aria-pressed={comments}
              leftSection={<IconComments />}
              onClick={() => void navigate({ to: '.', search: comments ? {} : { comments: true }, replace: true })}
            />
          )}
          <MoreMenu page={page} onSettings={onSettings} />
        </Group>
      </Group>
      {description !== '' && (
        <Text size="lg" c="dimmed">
          {description}
        </Text>
      )}
      {updatedAt !== undefined && <Note at={updatedAt}>{texts.common.changed}</Note>}
    </Stack>
  );
}

function MoreMenu({ page, onSettings }: PageViewProps) {
  const place = usePlace();
  const mayChange = useMayWrite();
  const { published } = useSpace().urls;
  const isPresent = place.changeRequestId === undefined && place.revisionId === undefined;
  const copy = async (): Promise<void> => {
    const { markdown = '' } = await queries.fetchQuery(pageSourceQuery(place, page.id));
    await navigator.clipboard.writeText(markdown);
    showDone(words.copied);
  };
  return (
    <ActionMenu label={words.more} size={30} variant="default">
      {mayChange && <MenuItem label={writingTexts.settings.title} onClick={onSettings} />}
      {page.type === 'document' && <MenuItem label={words.copy} onClick={() => void copy().catch(showFault)} />}
      <MenuLink
        label={words.history}
        to={`/o/$organizationId/s/$spaceId${routeOf(place)}/~/history`}
        params={place}
        search={{ page: page.id }}
      />
      {isPresent && published !== undefined && page.path !== undefined && (
        <Menu.Item component="a" href={`${published}/${page.path}`} target="_blank" rel="noopener">
          {words.published}
        </Menu.Item>
      )}
    </ActionMenu>
  );
}

function PageBody({ page }: PageProps) {
  const query = useQuery(pageHtmlQuery(usePlace(), page.id));
  return (
    <Loaded query={query}>
      {({ html }) =>
        html === '' ? (
          <EmptyScreen title={words.noContent} text={words.noContentText} />
        ) : (
          <RenderedContent html={html} label={words.content} />
        )
      }
    </Loaded>
  );
}

/** The pages below a group, as links; pages with a text of their own have them in the tree alone. */
function GroupPages({ page }: PageProps) {
  const openPage = useOpenPage();
  return (
    <>
      <Text c="dimmed">{words.group}</Text>
      <List listStyleType="none" spacing="xs">
        {page.pages?.map((below) => (
          <List.Item key={below.id} icon={<PageIcon icon={below.icon} emoji={emojiOf(below)} />}>
            <LinkButton label={below.title} onClick={() => openPage(below.id)} />
          </List.Item>
        ))}
      </List>
    </>
  );
}

/** The picture of a cover, if it is a file of the space; the workspace loads no pictures from elsewhere. */
function Cover({ page }: PageProps) {
  const { file } = page.layout?.cover === false ? {} : coverTarget(page.cover);
  const { data: files = [] } = useQuery({ ...filesQuery(usePlace()), enabled: file !== undefined });
  const address = file === undefined ? undefined : files.find(({ id }) => id === file)?.downloadURL;
  return address === undefined ? null : <Image h={200} fit="cover" radius="md" src={address} alt="" />;
}
