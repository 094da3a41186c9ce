import { Box, Group, NavLink, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { spacesQuery, useOrganization } from '../../people/queries.js';
import { templateTexts as words } from '../../texts/templates.js';
import { Button, SecondaryButton, TextLink } from '../../ui/buttons.js';
import { emojiOf } from '../../ui/emoji.js';
import { PageIcon } from '../../ui/page-icon.js';
import { RenderedContent } from '../../ui/rendered-content.js';
import { EmptyScreen, Loaded, Note, ScreenFrame } from '../../ui/screens.js';
import { templateQuery, type Template, type TemplatePage } from './queries.js';
import { AddToSpace, NewSpace } from './use-template.js';

const INDENT = 16;

/** One template with its pages as they will be read, and the ways to begin with it. */
export function TemplateScreen() {
  const { organizationId, templateId } = useParams({ from: '/signed-in/o/$organizationId/templates/$templateId' });
  const template = useQuery(templateQuery(organizationId, templateId));
  return (
    <Loaded query={template}>
      {(found) => (
        <ScreenFrame
          title={found.title}
          above={
            <Box mb="sm">
              <TextLink label={words.title} size="sm" to="/o/$organizationId/templates" params={{ organizationId }} />
            </Box>
          }
          actions={<Actions template={found} organizationId={organizationId} />}
        >
          <Stack>
            <Note><bdi>{found.description}</bdi></Note>
            <Pages pages={found.pages} />
          </Stack>
        </ScreenFrame>
      )}
    </Loaded>
  );
}

function Actions({ template, organizationId }: Readonly<{ template: Template; organizationId: string }>) {
  const { permissions } = useOrganization();
  const { data: spaces = [] } = useQuery(spacesQuery(organizationId));
  const [asking, setAsking] = useState<'space' | 'pages'>();
  const dialog = { template, organizationId, onClose: () => setAsking(undefined) };
  return (
    <Group gap="xs">
      {permissions.createContent && <Button label={words.newSpace} onClick={() => setAsking('space')} />}
      {spaces.some((space) => space.permissions.edit) && (
        <SecondaryButton label={words.add} onClick={() => setAsking('pages')} />
      )}
      {asking === 'space' && <NewSpace {...dialog} />}
      {asking === 'pages' && <AddToSpace {...dialog} />}
    </Group>
  );
}

/** The pages of a template beside the one that is shown; links between them lead from one to the other. */
function Pages({ pages }: Readonly<{ pages: readonly TemplatePage[] }>) {
  const { page: chosen } = useSearch({ from: '/signed-in/o/$organizationId/templates/$templateId' });
  const navigate = useNavigate();
  const shown = pages.find(({ id }) => id === chosen) ?? pages.find(({ html }) => html !== '') ?? pages[0];
  const open = useCallback(
    (page: string) => void navigate({ to: '.', search: { page }, replace: true, resetScroll: false }),
    [navigate],
  );
  const onContent = useCallback((content: HTMLElement) => followPages(content, open), [open]);
  if (!shown) return <EmptyScreen title={words.noPages} />;
  return (
    <Group align="flex-start" gap="lg">
      <Box component="nav" aria-label={words.pages} flex="1 1 200px" maw={320}>
        {pages.map((page) => (
          <NavLink
            key={page.id}
            component="button"
            type="button"
            active={page.id === shown.id}
            aria-current={page.id === shown.id ? 'page' : undefined}
            label={<bdi>{page.title}</bdi>}
            leftSection={<PageIcon icon={page.icon} emoji={emojiOf(page)} />}
            ps={12 + page.depth * INDENT}
            onClick={() => open(page.id)}
          />
        ))}
      </Box>
      <Stack component="section" aria-label={words.preview} flex="3 1 300px" miw={0} gap="xs">
        <Title order={2} dir="auto">
          {shown.title}
        </Title>
        {shown.html === '' ? (
          <Note>{shown.description ?? words.nothing}</Note>
        ) : (
          <RenderedContent html={shown.html} label={shown.title} onContent={onContent} />
        )}
      </Stack>
    </Group>
  );
}

/** Links of the preview name pages of the template by their ids. */
function followPages(content: HTMLElement, open: (page: string) => void): () => void {
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a[href^="#"]') : null;
    const id = link?.getAttribute('href')?.slice(1) ?? '';
    if (id === '' || content.querySelector(`[id="${CSS.escape(id)}"]`)) return;
    event.preventDefault();
    open(id);
  };
  content.addEventListener('click', follow);
  return () => content.removeEventListener('click', follow);
}
