import { Button, Card, Stack, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { CommentForm } from '../comments/comment-form.js';
import { postComment, useCommentChange } from '../comments/comment-place.js';
import type { RequestAddress } from '../queries.js';
import { blockSource } from './block-source.js';

const words = texts.review.comments;

/** The page, or the block of it on one side of the comparison, that a comment is written about. */
export interface CommentedPlace {
  readonly page: string;
  readonly block?: string;
  readonly side: 'before' | 'after';
}

/** Writes a comment on a place of the comparison, with a suggestion if wanted. */
export function PlaceForm({
  path,
  place,
  mayComment,
  onDone,
}: {
  readonly path: RequestAddress;
  readonly place: CommentedPlace;
  readonly mayComment: boolean;
  readonly onDone: () => void;
}): ReactNode {
  const { page, block, side } = place;
  const change = useCommentChange(path);
  const [suggested, setSuggested] = useState<string>();
  const prefill = useMutation({
    mutationFn: (key: string) => blockSource(path, page, key),
    onSuccess: setSuggested,
  });
  if (!mayComment) return null;
  const send = (markdown: string): Promise<void> =>
    change
      .mutateAsync(() =>
        postComment(path, {
          page,
          body: { markdown },
          ...(block !== undefined && { node: block, side }),
          ...(suggested !== undefined && { suggestion: { markdown: suggested } }),
        }),
      )
      .then(onDone);
  const maySuggest = block !== undefined && side === 'after' && suggested === undefined;
  return (
    <Card withBorder p="sm">
      <CommentForm
        label={block === undefined ? words.onPage : words.onBlock[side]}
        submit={suggested === undefined ? words.send : words.sendSuggestion}
        autoFocus
        mayBeEmpty={suggested !== undefined}
        onSubmit={send}
        onCancel={onDone}
        buttons={
          maySuggest && (
            <Button size="sm" variant="subtle" loading={prefill.isPending} onClick={() => prefill.mutate(block)}>
              {words.suggest}
            </Button>
          )
        }
      >
        {suggested !== undefined && (
          <Stack gap={4}>
            <Textarea
              label={words.suggestedText}
              description={words.suggestedHint}
              autosize
              minRows={2}
              maxRows={20}
              classNames={{ input: 'source-input' }}
              value={suggested}
              onChange={({ currentTarget }) => setSuggested(currentTarget.value)}
            />
          </Stack>
        )}
      </CommentForm>
    </Card>
  );
}
