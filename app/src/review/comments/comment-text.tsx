import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { answered, api } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { RenderedContent } from '../../ui/rendered-content.js';
import { shownMentions } from './mentions.js';

const COMPACT =
  '.content { font-size: .9375rem; } .content > :first-child { margin-top: 0; } .content > :last-child { margin-bottom: 0; }';

/** Markdown as the server renders it, for comments and for texts that are being settled. */
export function MarkdownText({
  spaceId,
  markdown,
  page,
  label = texts.review.comments.body,
}: {
  readonly spaceId: string;
  readonly markdown: string;
  /** The page that the text belongs to, to which its links are relative. */
  readonly page?: string | undefined;
  readonly label?: string;
}): ReactNode {
  const { data } = useQuery({
    queryKey: ['rendered', spaceId, page ?? '', markdown],
    enabled: markdown.trim() !== '',
    staleTime: 1_800_000,
    queryFn: () =>
      answered(
        api.POST('/v1/spaces/{spaceId}/content/render', {
          params: { path: { spaceId } },
          body: { markdown, ...(page !== undefined && { page }) },
        }),
      ),
  });
  if (!data)
    return (
      <Text size="sm" className="comment-plain">
        {shownMentions(markdown).text}
      </Text>
    );
  return <RenderedContent html={data.html} label={label} css={COMPACT} />;
}
