import { Button, Card, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { texts } from '../../texts/en.js';
import { CommentForm } from '../comments/comment-form.js';
import { postComment, useCommentChange } from '../comments/comments.js';
import { useRequest } from '../queries.js';
import { blockSource } from './block-source.js';

const words = texts.review.comments;

/** The page, or the block of it on one side of the comparison, that a comment is written about. */
export interface CommentedPlace {
  readonly page: string;
  readonly block?: string;
  readonly side: 'before' | 'after';
}

/** Writes a comment on a place of the comparison, with a suggestion if wanted. */
export function PlaceForm({ place, onDone }: Readonly<{ place: CommentedPlace; onDone: () => void }>): ReactNode {
  const { page, block, side } = place;
  const { path, space } = useRequest();
  const change = useCommentChange();
  const [suggested, setSuggested] = useState<string>();
  const prefill = useMutation({
    mutationFn: (key: string) => blockSource(path, page, key),
    onSuccess: setSuggested,
  });
  if (!space.permissions.comment) return null;
  const send = async (markdown: string): Promise<void> => {
    const body = {
      page,
      body: { markdown },
      ...(block !== undefined && { node: block, side }),
      ...(suggested !== undefined && { suggestion: { markdown: suggested } }),
    };
    await change.mutateAsync(() => postComment(path, body));
    onDone();
  };
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
          <Textarea
            label={words.suggestedText}
            description={words.suggestedHint}
            autosize
            minRows={2}
            maxRows={20}
            classNames={{ input: 'source-text' }}
            value={suggested}
            onChange={({ currentTarget }) => setSuggested(currentTarget.value)}
          />
        )}
      </CommentForm>
    </Card>
  );
}
