import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { diffLines } from 'diff';
import type { ReactNode } from 'react';
import { REQUEST, send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { Note } from '../../ui/note.js';
import { showDone } from '../../ui/toasts.js';
import { usePlace } from '../../writing/place.js';
import { DiffLines, type DiffLine } from '../changes/diff-lines.js';
import { renewRequest } from '../queries.js';
import type { Comment } from './comments.js';

const words = texts.review.suggestion;
const COLORS = { open: 'blue', applied: 'green', outdated: 'gray' } as const;

interface SuggestionProps {
  readonly commentId: string;
  readonly suggestion: NonNullable<Comment['suggestion']>;
  readonly mayApply: boolean;
}

/** The text that a comment suggests for a block, as a comparison, taken over by one press. */
export function Suggestion({ commentId, suggestion, mayApply }: SuggestionProps): ReactNode {
  const { spaceId, changeRequestId = '' } = usePlace();
  const queries = useQueryClient();
  const path = { spaceId, changeRequestId };
  const apply = useMutation({
    mutationFn: () => send('post', `${REQUEST}/comments/{commentId}/suggestion/apply`, { ...path, commentId }),
    onSuccess: () => showDone(words.done),
    onSettled: () =>
      Promise.all([renewRequest(queries, path), queries.invalidateQueries({ queryKey: ['content', spaceId] })]),
  });
  const { status, before, markdown, appliedBy } = suggestion;
  return (
    <Paper withBorder p="xs" component="section" aria-label={words.title}>
      <Stack gap="xs" align="flex-start">
        <Group gap="xs" justify="space-between" w="100%">
          <Text size="sm" fw={600}>
            {words.title}
          </Text>
          <Badge size="sm" variant="light" color={COLORS[status]}>
            {words.status[status]}
          </Badge>
        </Group>
        <DiffLines lines={comparedLines(before, markdown)} label={words.lines} />
        {status === 'open' && mayApply && (
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

/** Two texts as lines that stayed, went and came. */
function comparedLines(before: string, after: string): DiffLine[] {
  let [old, fresh] = [0, 0];
  return diffLines(before.trimEnd(), after.trimEnd()).flatMap(({ value, added, removed }) =>
    value
      .replace(/\n$/, '')
      .split('\n')
      .map((text) => ({
        kind: added ? 'inserted' : removed ? 'deleted' : 'unchanged',
        text,
        ...(!added && { before: (old += 1) }),
        ...(!removed && { after: (fresh += 1) }),
      })),
  );
}
