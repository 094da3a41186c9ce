import { Alert, Box, Group, SimpleGrid, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { useBlocker } from '@tanstack/react-router';
import { useState } from 'react';
import { getTagged, queries, send } from '../../api/client.js';
import { spacesQuery, useOrganization } from '../../people/queries.js';
import { instructionTexts as words } from '../../texts/agent-instructions.js';
import { texts } from '../../texts/en.js';
import { Button, SecondaryButton } from '../../ui/buttons.js';
import { TextAreaField, useChange, useFieldFaults } from '../../ui/forms.js';
import { RenderedContent } from '../../ui/rendered-content.js';
import { EmptyScreen, Loaded, Note, ScreenFrame } from '../../ui/screens.js';

const INSTRUCTIONS = '/v1/orgs/{organizationId}/agent-instructions';
const MOST = 100_000;
const PAUSE = 400;

type OfOrganization = Readonly<{ organizationId: string }>;

const instructionsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['agent-instructions', organizationId],
    queryFn: () => getTagged(INSTRUCTIONS, { organizationId }, { format: 'markdown' }),
  });

/** The instructions of an organization for agents: everybody reads it, administrators write it. */
export function InstructionsScreen() {
  const { id: organizationId, permissions } = useOrganization();
  const instructions = useQuery(instructionsQuery(organizationId));
  return (
    <ScreenFrame title={words.title}>
      <Stack>
        <Note>{words.text}</Note>
        <Loaded query={instructions}>
          {({ body: { markdown = '', updatedAt, updatedBy }, etag }) => (
            <>
              {updatedBy !== undefined && <Note at={updatedAt}>{words.written}</Note>}
              {permissions.admin ? (
                <Editor key={organizationId} {...{ organizationId, markdown, etag }} />
              ) : markdown === '' ? (
                <EmptyScreen title={words.none} text={words.noneText} />
              ) : (
                <Preview {...{ organizationId, markdown }} />
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </ScreenFrame>
  );
}

type EditorProps = OfOrganization & Readonly<{ markdown: string; etag: string }>;

/** The text with its preview. What is saved is the text of one version: another one that came meanwhile is shown first. */
function Editor({ organizationId, markdown, etag }: EditorProps) {
  const [base, setBase] = useState({ markdown, etag });
  const [text, setText] = useState(markdown);
  const { at, noting } = useFieldFaults();
  const isEdited = text !== base.markdown;
  const isChanged = etag !== base.etag && markdown !== base.markdown;
  // Nothing of one's own is lost by taking over what others have saved.
  if (etag !== base.etag && (!isEdited || text === markdown || markdown === base.markdown)) {
    setBase({ markdown, etag });
    if (!isEdited) setText(markdown);
  }
  const save = useChange(
    noting(async () => {
      const headers = { 'If-Match': base.etag };
      await send('put', INSTRUCTIONS, { organizationId }, { markdown: text }, { headers });
      // The form of the text may be another one now: the saved one is shown.
      const saved = await queries.fetchQuery({ ...instructionsQuery(organizationId), staleTime: 0 });
      const present = { markdown: saved.body.markdown ?? '', etag: saved.etag };
      setBase(present);
      setText((now) => (now === text ? present.markdown : now));
    }),
    { refresh: instructionsQuery(organizationId).queryKey, done: words.saved },
  );
  useBlocker({ enableBeforeUnload: () => isEdited, shouldBlockFn: () => isEdited && !window.confirm(words.leave) });
  return (
    <form action={() => save.mutate()}>
      <Stack>
        {isChanged && isEdited && (
          <Alert color="yellow" title={words.changed} role="alert">
            <Stack gap="xs">
              <Text size="sm">{words.changedText}</Text>
              <TextAreaField label={words.theirs} value={markdown} isSource readOnly maxRows={10} onText={() => ''} />
              <Group>
                <SecondaryButton
                  label={words.take}
                  onClick={() => {
                    setBase({ markdown, etag });
                    setText(markdown);
                  }}
                />
                <SecondaryButton label={words.keep} onClick={() => setBase({ markdown, etag })} />
              </Group>
            </Stack>
          </Alert>
        )}
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextAreaField
            label={words.field}
            value={text}
            onText={setText}
            isSource
            minRows={12}
            maxRows={40}
            maxLength={MOST}
            error={at('markdown')}
            dir="auto"
          />
          <Preview organizationId={organizationId} markdown={text} />
        </SimpleGrid>
        <Group>
          <Button
            label={texts.common.save}
            type="submit"
            disabled={!isEdited || (isChanged && isEdited)}
            loading={save.isPending}
          />
          {isEdited && <SecondaryButton label={words.discard} onClick={() => setText(base.markdown)} />}
        </Group>
      </Stack>
    </form>
  );
}

/** The text as content is shown. Content is rendered in a space, so there must be one. */
function Preview({ organizationId, markdown: given }: OfOrganization & Readonly<{ markdown: string }>) {
  const [markdown] = useDebouncedValue(given, PAUSE);
  const { data: spaces } = useQuery(spacesQuery(organizationId));
  const spaceId = spaces?.[0]?.id;
  const { data, error } = useQuery({
    queryKey: ['preview', organizationId, spaceId, markdown],
    enabled: spaceId !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
    staleTime: 60_000,
    queryFn: ({ signal }) =>
      send('post', '/v1/spaces/{spaceId}/content/render', { spaceId: spaceId ?? '' }, { markdown }, { signal }),
  });
  return (
    <Box component="section" aria-label={words.preview} miw={0}>
      {spaces?.length === 0 && (
        <>
          <Note>{words.noPreview}</Note>
          <Text className="source-text" dir="auto">
            {given}
          </Text>
        </>
      )}
      {error && (
        <Text c="red" size="sm" role="status">
          {words.notShown} {error.message}
        </Text>
      )}
      <RenderedContent html={data?.html ?? ''} label={words.preview} />
    </Box>
  );
}
