import { Alert, Anchor, Button, Group, Image, List, Menu, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense } from 'react';
import IconComments from '~icons/fa7-solid/comments';
import { texts } from '../texts/en.js';
import { ActionMenu } from '../ui/action-menu.js';
import { MenuLink } from '../ui/links.js';
import { Loaded } from '../ui/loaded.js';
import { Note } from '../ui/note.js';
import { emojiOf, PageIcon } from '../ui/page-icon.js';
import { RenderedContent } from '../ui/rendered-content.js';
import { EmptyScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import { showDone, showFault } from '../ui/toasts.js';
import { EditButton } from './edit-button.js';
import { coverTarget, filesQuery, type Page, pageHtmlQuery, pageSourceQuery } from './queries.js';
import { addressOf, useGoTo, useMayWrite, usePlace, useSpace } from './place.js';
import { childrenOf, type TreeData } from './tree/tree-data.js';

const words = texts.writing.read;
const CommentsPanel = lazy(() =>
  import('../review/comments/comments-panel.js').then((module) => ({ default: module.CommentsPanel })),
);

interface PageProps {
  readonly page: Page;
}

interface PageViewProps extends PageProps {
  readonly tree: TreeData;
  readonly onSettings: () => void;
}

/** A page as it will be published, with what can be done with it. */
export function PageView({ page, tree, onSettings }: PageViewProps): ReactNode {
  const isWide = page.layout?.width === 'wide';
  return (
    <div className="page-view">
      <article className={isWide ? 'page-view-text wide' : 'page-view-text'} aria-labelledby="page-title">
        <Stack gap="md">
          <Cover page={page} />
          <PageHeader page={page} onSettings={onSettings} />
          {page.type === 'document' && <PageBody page={page} />}
          {page.type === 'group' && <GroupPages page={page} tree={tree} />}
          {page.type === 'link' && (
            <Alert>
              {words.linkTo} {page.href === undefined ? '–' : <Anchor href={page.href}>{page.href}</Anchor>}
            </Alert>
          )}
          {page.type === 'computed' && <Text c="dimmed">{words.computedPage}</Text>}
        </Stack>
      </article>
      <PageComments page={page} />
    </div>
  );
}

/** Comments on the page, where the address asks for it. */
function PageComments({ page }: PageProps): ReactNode {
  const { comments = false, comment } = useSearch({ strict: false });
  const navigate = useNavigate();
  const { revisionId } = usePlace();
  if (!comments || revisionId !== undefined) return null;
  const close = (): void => void navigate({ to: '.', search: {}, replace: true });
  return (
    <div className="page-comments">
      <Suspense fallback={<Skeleton height={120} />}>
        <CommentsPanel page={page.id} focus={comment} onClose={close} />
      </Suspense>
    </div>
  );
}

function CommentsButton(): ReactNode {
  const navigate = useNavigate();
  const { comments = false } = useSearch({ strict: false });
  return (
    <Button
      size="xs"
      variant="default"
      aria-pressed={comments}
      leftSection={<IconComments width={14} aria-hidden="true" />}
      onClick={() => void navigate({ to: '.', search: comments ? {} : { comments: true }, replace: true })}
    >
      {words.comments}
    </Button>
  );
}

function PageHeader({ page, onSettings }: Omit<PageViewProps, 'tree'>): ReactNode {
  const { revisionId } = usePlace();
  const { description = '', updatedAt } = page;
  return (
    <Stack gap={4}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Title order={1} id="page-title">
          <PageIcon icon={page.icon} emoji={emojiOf(page)} /> {page.title}
        </Title>
        <Group gap={6} wrap="nowrap">
          {page.type === 'document' && revisionId === undefined && <EditButton page={page.id} />}
          {revisionId === undefined && <CommentsButton />}
          <MoreMenu page={page} onSettings={onSettings} />
        </Group>
      </Group>
      {description !== '' && (
        <Text size="lg" c="dimmed">
          {description}
        </Text>
      )}
      {updatedAt !== undefined && (
        <Note>
          {words.updated} <Time at={updatedAt} />
        </Note>
      )}
    </Stack>
  );
}

function MoreMenu({ page, onSettings }: Omit<PageViewProps, 'tree'>): ReactNode {
  const place = usePlace();
  const mayChange = useMayWrite();
  const queries = useQueryClient();
  const space = useSpace();
  const { published } = space.urls;
  const isPresent = place.changeRequestId === undefined && place.revisionId === undefined;
  const copy = async (): Promise<void> => {
    const { markdown = '' } = await queries.fetchQuery(pageSourceQuery(place, page.id));
    await navigator.clipboard.writeText(markdown);
    showDone(words.copied);
  };
  return (
    <ActionMenu label={words.more} size={30} variant="default">
      {mayChange && <Menu.Item onClick={onSettings}>{texts.writing.settings.title}</Menu.Item>}
      {page.type === 'document' && <Menu.Item onClick={() => void copy().catch(showFault)}>{words.copy}</Menu.Item>}
      <MenuLink to="/o/$organizationId/s/$spaceId/~/history" params={place} search={{ page: page.id }}>
        {words.history}
      </MenuLink>
      {isPresent && published !== undefined && page.path !== undefined && (
        <Menu.Item component="a" href={`${published}/${page.path}`} target="_blank" rel="noopener">
          {words.published}
        </Menu.Item>
      )}
    </ActionMenu>
  );
}

function PageBody({ page }: PageProps): ReactNode {
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
function GroupPages({ page, tree }: Omit<PageViewProps, 'onSettings'>): ReactNode {
  const goTo = useGoTo();
  const place = usePlace();
  return (
    <>
      <Text c="dimmed">{words.group}</Text>
      <List listStyleType="none" spacing="xs">
        {childrenOf(tree, page.id).map((id) => {
          const below = tree.nodes.get(id)?.page;
          return (
            <List.Item key={id} icon={<PageIcon icon={below?.icon} emoji={emojiOf(below ?? {})} />}>
              <Anchor component="button" onClick={() => goTo(addressOf(place, { page: id }))}>
                {below?.title}
              </Anchor>
            </List.Item>
          );
        })}
      </List>
    </>
  );
}

/** The picture of a cover, if it is a file of the space; the workspace loads no pictures from elsewhere. */
function Cover({ page }: PageProps): ReactNode {
  const { file } = page.layout?.cover === false ? {} : coverTarget(page.cover);
  const { data: files = [] } = useQuery({ ...filesQuery(usePlace()), enabled: file !== undefined });
  const address = file === undefined ? undefined : files.find(({ id }) => id === file)?.downloadURL;
  return address === undefined ? null : <Image h={200} fit="cover" radius="md" src={address} alt="" />;
}
