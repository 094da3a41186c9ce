import { Card } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { get, REQUEST, send, type RequestAddress } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { CommentForm } from '../comments/comment-form.js';
import { useCommentChange } from '../comments/comments.js';
import { TextAreaField } from '../../ui/forms.js';
import { useRequest } from '../queries.js';
import { SecondaryButton } from '../../ui/buttons.js';

const words = texts.review.comments;

/** The page, or the block of it on one side of the comparison, that a comment is written about. */
export type CommentedPlace = Readonly<{ page: string; block?: string; side: 'before' | 'after' }>;

/** Writes a comment on a place of the comparison, with a suggestion if wanted. */
export function PlaceForm({ place, onDone }: Readonly<{ place: CommentedPlace; onDone: () => void }>) {
  const { page, block, side } = place;
  const { path } = useRequest();
  const change = useCommentChange();
  const [suggested, setSuggested] = useState<string>();
  const prefill = useMutation({
    mutationFn: (key: string) => blockSource(path, page, key),
    onSuccess: setSuggested,
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

/**
 * The Markdown of a block of a page in a change request, to begin a suggestion with. The interface gives the source of
 * whole pages: the elements that its lines become stand in the same order as the blocks of the page.
 */
async function blockSource(request: RequestAddress, page: string, block: string): Promise<string> {
  const path = { ...request, pageId: page };
  const [{ html }, { markdown = '' }] = await Promise.all([
    get(`${REQUEST}/content/page/{pageId}/html`, path, { evaluated: 'false' }),
    get(`${REQUEST}/content/page/{pageId}`, path, { format: 'markdown', computed: false, evaluated: 'false' }),
  ]);
  const rendered = await send('post', `${REQUEST}/content/render`, path, { markdown, page });
  const blocks = elementsOf(html);
  const written = elementsOf(rendered.html);
  const at = blocks.findIndex((element) => keyOf(element) === block);
  const found = written[at];
  if (at < 0 || blocks.length !== written.length || !found) return '';
  const line = lineOf(found);
  const next = written.slice(at + 1).find((element) => lineOf(element) > line);
  const lines = markdown.split('\n').slice(line - 1, next ? lineOf(next) - 1 : undefined);
  return `${lines.join('\n').trim()}\n`;
}

function elementsOf(html: string): Element[] {
  return [...new DOMParser().parseFromString(html, 'text/html').body.children];
}

function keyOf(element: Element): string | null | undefined {
  return element.getAttribute('data-block') ?? element.querySelector('[data-block]')?.getAttribute('data-block');
}

function lineOf(element: Element): number {
  return Number(element.getAttribute('data-line'));
}
