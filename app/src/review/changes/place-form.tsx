import { Card } from '@mantine/core';
import { useState } from 'react';
import { get, REQUEST } from '../../api/client.js';
import { useMutation } from '../../api/mutations.js';
import { reviewTexts } from '../../texts/review.js';
import { CommentForm } from '../comments/comment-form.js';
import { useCommentChange } from '../comments/comments.js';
import { TextAreaField } from '../../ui/forms.js';
import { useRequest } from '../queries.js';
import { SecondaryButton } from '../../ui/buttons.js';
import { textOf } from '../../writing/editor/page-text.js';

const words = reviewTexts.comments;

/** The page, or the block of it on one side of the comparison, that a comment is written about. */
export type CommentedPlace = Readonly<{ page: string; block?: string; side: 'before' | 'after' }>;

/** Writes a comment on a place of the comparison, with a suggestion if wanted. */
export function PlaceForm({ place, onDone }: Readonly<{ place: CommentedPlace; onDone: () => void }>) {
  const { page, block, side } = place;
  const { path } = useRequest();
  const change = useCommentChange();
  const [suggested, setSuggested] = useState<string>();
  const prefill = useMutation({
    mutationFn: (key: string) => {
      const query = { format: 'markdown', computed: false, block: key } as const;
      return get(`${REQUEST}/content/page/{pageId}`, { ...path, pageId: page }, query);
    },
    onSuccess: ({ markdown = '', title }) => setSuggested(textOf(markdown, title).body),
  });
  const post = (markdown: string): Promise<void> => {
    const suggestion = suggested === undefined ? undefined : { markdown: suggested };
    const node = block === undefined ? {} : { node: block, side };
    return change.mutateAsync({ post: { page, body: { markdown }, ...node, suggestion } }).then(onDone);
  };
  const maySuggest = block !== undefined && side === 'after' && suggested === undefined;
  return (
    <Card withBorder p="sm">
      <CommentForm
        label={block === undefined ? words.onPage : words.onBlock[side]}
        submit={suggested === undefined ? words.send : words.sendSuggestion}
        autoFocus
        mayBeEmpty={suggested !== undefined}
        onSubmit={post}
        onCancel={onDone}
        buttons={
          maySuggest && (
            <SecondaryButton label={words.suggest} loading={prefill.isPending} onClick={() => prefill.mutate(block)} />
          )
        }
      >
        {suggested !== undefined && (
          <TextAreaField
            isSource
            label={words.suggestedText}
            description={words.suggestedHint}
            minRows={2}
            maxRows={20}
            value={suggested}
            onText={setSuggested}
          />
        )}
      </CommentForm>
    </Card>
  );
}
