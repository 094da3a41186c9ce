import { ActionIcon, Alert, Anchor, Button, Group, Image, Menu, Skeleton, Stack, Text, Title } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, type ReactNode } from 'react';
import IconComments from '~icons/fa7-solid/comments';
import IconMore from '~icons/fa7-solid/ellipsis';
import { texts } from '../texts/en.js';
import { PageIcon } from '../ui/page-icon.js';
import { RenderedContent } from '../ui/rendered-content.js';
import { EmptyScreen, FaultScreen } from '../ui/screens.js';
import { Time } from '../ui/time.js';
import { showDone, showFault } from '../ui/toasts.js';
import { EditButton } from './edit-button.js';
import { coverAddress } from './page-cover.js';
import type { Place } from './place.js';
import { filesQuery, pageHtmlQuery, pageSourceQuery, spaceQuery, type Page } from './queries.js';
import { PageCards } from './page-cards.js';
import { emojiOf, type TreeData } from './tree/tree-data.js';

const words = texts.writing.read;
const CommentsPanel = lazy(() =>
  import('../review/comments/comments-panel.js').then((module) => ({ default: module.CommentsPanel })),
);

interface PageViewProps {
  readonly place: Place;
  readonly page: Page;
  readonly tree: TreeData;
  readonly mayChange: boolean;
  readonly onSettings: () => void;
}

/** A page as it will be published, with what can be done with it. */
export function PageView(props: PageViewProps): ReactNode {
  const { place, page, tree } = props;
  const isWide = page.layout?.width === 'wide';
  return (
    <div className="page-view">
      <article className={isWide ? 'page-view-text wide' : 'page-view-text'} aria-labelledby="page-title">
        <Stack gap="md">
          <Cover place={place} page={page} />
          <PageHeader {...props} />
          {page.type === 'document' && <PageBody place={place} page={page} />}
          {page.type === 'group' && <Text c="dimmed">{words.group}</Text>}
          {page.type === 'link' && <LinkEntry page={page} />}
          {page.type === 'computed' && <Text c="dimmed">{words.computedPage}</Text>}
          <PageCards place={place} page={page} tree={tree} />
        </Stack>
      </article>
      <PageComments place={place} page={page} />
    </div>
  );
}

/** What people say about the page, where the address asks for it. */
function PageComments({ place, page }: { readonly place: Place; readonly page: Page }): ReactNode {
  const { comments = false, comment } = useSearch({ strict: false });
  const navigate = useNavigate();
  if (!comments || place.revisionId !== undefined) return null;
  const close = (): void => void navigate({ to: '.', search: {}, replace: true });
  return (
    <div className="page-comments">
      <Suspense fallback={<Skeleton height={120} />}>
        <CommentsPanel place={place} page={page.id} focus={comment} onClose={close} />
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

function PageHeader({ place, page, mayChange, onSettings }: PageViewProps): ReactNode {
  return (
    <Stack gap={4}>
      <Group justify="space-between" align="flex-start" gap="sm">
        <Title order={1} id="page-title">
          <PageIcon icon={page.icon} emoji={emojiOf(page)} /> {page.title}
        </Title>
        <Group gap={6} wrap="nowrap">
          {page.type === 'document' && place.revisionId === undefined && <EditButton place={place} page={page.id} />}
          {place.revisionId === undefined && <CommentsButton />}
          <MoreMenu {...{ place, page }} onSettings={mayChange ? onSettings : undefined} />
        </Group>
      </Group>
      {page.description !== undefined && page.description !== '' && (
        <Text size="lg" c="dimmed">
          {page.description}
        </Text>
      )}
      {page.updatedAt !== undefined && (
        <Text size="sm" c="dimmed">
          {words.updated} <Time at={page.updatedAt} />
        </Text>
      )}
    </Stack>
  );
}

function MoreMenu({
  place,
  page,
  onSettings,
}: {
  readonly place: Place;
  readonly page: Page;
  readonly onSettings: (() => void) | undefined;
}): ReactNode {
  const queries = useQueryClient();
  const { data: space } = useQuery(spaceQuery(place.spaceId));
  const published = space?.urls.published;
  const isPresent = place.changeRequestId === undefined && place.revisionId === undefined;
  const copy = (): void => {
    queries
      .fetchQuery(pageSourceQuery(place, page.id))
      .then(({ markdown = '' }) => navigator.clipboard.writeText(markdown))
      .then(() => showDone(words.copied), showFault);
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon size={30} variant="default" aria-label={words.more}>
          <IconMore width={14} aria-hidden="true" />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {onSettings && <Menu.Item onClick={onSettings}>{words.settings}</Menu.Item>}
        {page.type === 'document' && <Menu.Item onClick={copy}>{words.copy}</Menu.Item>}
        <Menu.Item
          renderRoot={(root) => (
            <Link
              {...root}
              to="/o/$organizationId/s/$spaceId/~/history"
              params={{ organizationId: place.organizationId, spaceId: place.spaceId }}
              search={{ page: page.id }}
            />
          )}
        >
          {words.history}
        </Menu.Item>
        {isPresent && published !== undefined && page.path !== undefined && (
          <Menu.Item component="a" href={`${published}/${page.path}`} target="_blank" rel="noopener">
            {words.published}
          </Menu.Item>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function PageBody({ place, page }: { readonly place: Place; readonly page: Page }): ReactNode {
  const { data, error, isPending, refetch } = useQuery(pageHtmlQuery(place, page.id));
  if (isPending)
    return (
      <Stack gap="xs" role="status" aria-label={texts.common.loading}>
        {[92, 100, 96, 60].map((width) => (
          <Skeleton key={width} height={16} width={`${width}%`} />
        ))}
      </Stack>
    );
  if (error) return <FaultScreen error={error} reset={() => void refetch()} />;
  if (data.html === '') return <EmptyScreen title={words.noContent} text={words.noContentText} />;
  return <RenderedContent html={data.html} label={words.content} />;
}

function LinkEntry({ page }: { readonly page: Page }): ReactNode {
  return (
    <Alert>
      {words.linkTo} {page.href === undefined ? '–' : <Anchor href={page.href}>{page.href}</Anchor>}
    </Alert>
  );
}

function Cover({ place, page }: { readonly place: Place; readonly page: Page }): ReactNode {
  const hasCover = page.cover !== undefined && page.layout?.cover !== false;
  const { data: files } = useQuery({ ...filesQuery(place), enabled: hasCover });
  const address = hasCover ? coverAddress(page.cover, files) : undefined;
  return address === undefined ? null : <Image className="page-cover" src={address} alt="" />;
}
