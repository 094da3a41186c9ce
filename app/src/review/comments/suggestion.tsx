import { Badge, Button, Group, Paper, Stack } from '@mantine/core';
import { createPatch } from 'diff';
import type { ReactNode } from 'react';
import { REQUEST, send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { Note } from '../../ui/note.js';
import { Strong } from '../../ui/strong.js';
import { DiffLines, unifiedLines } from '../changes/diff-lines.js';
import { useRequest, useRequestChange } from '../queries.js';
import type { Comment } from './comments.js';

const words = texts.review.suggestion;
const COLORS = { open: 'blue', applied: 'green', outdated: 'gray' } as const;

type SuggestionProps = Readonly<{ commentId: string; suggestion: NonNullable<Comment['suggestion']> }>;

/** The text that a comment suggests for a block, as a comparison, taken over by one press. */
export function Suggestion({ commentId, suggestion }: SuggestionProps): ReactNode {
  const { path, space } = useRequest();
  const apply = useRequestChange(
    () => send('post', `${REQUEST}/comments/{commentId}/suggestion/apply`, { ...path, commentId }),
    words.done,
  );
  const { status, before, markdown, appliedBy } = suggestion;
  const whole = { context: Math.max(before.length, markdown.length) };
  // The first line only says where the others stand.
  const [, ...lines] = unifiedLines(createPatch('', before.trimEnd(), markdown.trimEnd(), '', '', whole));
  return (
    <Paper withBorder p="xs" component="section" aria-label={words.title}>
      <Stack gap="xs" align="flex-start">
        <Group gap="xs" justify="space-between" w="100%">
          <Strong>{words.title}</Strong>
          <Badge size="sm" variant="light" color={COLORS[status]}>
            {words.status[status]}
          </Badge>
        </Group>
        <DiffLines lines={lines} label={words.lines} />
        {status === 'open' && space.permissions.edit && (
          <Button size="compact-sm" loading={apply.isPending} onClick={() => apply.mutate()}>
            {words.apply}
          </Button>
        )}
        {status === 'outdated' && <Note>{words.outdatedText}</Note>}
        {appliedBy && <Note>{words.appliedBy(appliedBy.displayName)}</Note>}
      </Stack>
    </Paper>
  );
}
