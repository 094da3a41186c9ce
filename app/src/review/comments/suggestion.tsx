import { Badge, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { showDone } from '../../ui/toasts.js';
import { lineChanges } from '../../writing/editor/line-changes.js';
import { DiffLines, type DiffLine } from '../changes/diff-lines.js';
import { renewRequest } from '../queries.js';
import type { Comment, CommentPlace } from './comment-place.js';

const words = texts.review.suggestion;
const COLORS = { open: 'blue', applied: 'green', outdated: 'gray' } as const;

/** What a comment suggests in the place of a block, as a comparison, taken over by one press. */
export function Suggestion({
  place,
  comment,
  suggestion,
  mayApply,
}: {
  readonly place: CommentPlace;
  readonly comment: Comment;
  readonly suggestion: NonNullable<Comment['suggestion']>;
  readonly mayApply: boolean;
}): ReactNode {
  const { spaceId, changeRequestId = '' } = place;
  const queries = useQueryClient();
  const apply = useMutation({
    mutationFn: () =>
      answered(
        api.POST('/v1/spaces/{spaceId}/change-requests/{changeRequestId}/comments/{commentId}/suggestion/apply', {
          params: { path: { spaceId, changeRequestId, commentId: comment.id } },
        }),
      ),
    onSuccess: () => showDone(words.done),
    onSettled: () =>
      Promise.all([
        renewRequest(queries, { spaceId, changeRequestId }),
        queries.invalidateQueries({ queryKey: ['content', spaceId] }),
      ]),
  });
  const { status, before, markdown, appliedBy } = suggestion;
  return (
    <Paper withBorder p="xs" component="section" aria-label={words.title}>
      <Stack gap="xs">
        <Group gap="xs" justify="space-between">
          <Text size="sm" fw={600}>
            {words.title}
          </Text>
          <Badge size="sm" variant="light" color={COLORS[status]}>
            {words.status[status]}
          </Badge>
        </Group>
        <DiffLines lines={comparedLines(before, markdown)} label={words.lines} />
        {status === 'open' && mayApply && (
          <Button size="compact-sm" className="start" loading={apply.isPending} onClick={() => apply.mutate()}>
            {words.apply}
          </Button>
        )}
        {status === 'outdated' && (
          <Text size="sm" c="dimmed">
            {words.outdatedText}
          </Text>
        )}
        {appliedBy && (
          <Text size="sm" c="dimmed">
            {words.appliedBy(appliedBy.displayName)}
          </Text>
        )}
      </Stack>
    </Paper>
  );
}

/** Two texts as lines that stayed, went and came. */
export function comparedLines(before: string, after: string): DiffLine[] {
  const [old, fresh] = [ended(before), ended(after)];
  const lines: DiffLine[] = [];
  let [at, inOld, inFresh] = [0, 1, 1];
  const add = (text: string, kind: DiffLine['kind']): void => {
    for (const line of text.match(/[^\n]*\n/g) ?? []) {
      lines.push({
        kind,
        text: line.slice(0, -1),
        ...(kind !== 'inserted' && { before: inOld++ }),
        ...(kind !== 'deleted' && { after: inFresh++ }),
      });
    }
  };
  for (const { from, to, insert } of lineChanges(old, fresh)) {
    add(old.slice(at, from), 'unchanged');
    add(old.slice(from, to), 'deleted');
    add(insert, 'inserted');
    at = to;
  }
  add(old.slice(at), 'unchanged');
  return lines;
}

function ended(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}
