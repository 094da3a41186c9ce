import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { send } from '../../api/client.js';
import { texts } from '../../texts/en.js';
import { RenderedContent } from '../../ui/rendered-content.js';
import { usePlace } from '../../writing/place.js';
import { shownMentions } from './mentions.js';

const COMPACT =
  '.content { font-size: .9375rem; } .content > :first-child { margin-top: 0; } .content > :last-child { margin-bottom: 0; }';

interface MarkdownTextProps {
  readonly markdown: string;
  /** The page that the text belongs to, to which its links are relative. */
  readonly page?: string | undefined;
  readonly label?: string;
}

/** Markdown as the server renders it, for comments and for texts that are being settled. */
export function MarkdownText({ markdown, page, label = texts.review.comments.body }: MarkdownTextProps): ReactNode {
  const { spaceId } = usePlace();
  const body = { markdown, ...(page !== undefined && { page }) };
  const { data } = useQuery({
    queryKey: ['rendered', spaceId, body],
    enabled: markdown.trim() !== '',
    staleTime: 1_800_000,
    queryFn: () => send('post', '/v1/spaces/{spaceId}/content/render', { spaceId }, body),
  });
  if (data) return <RenderedContent html={data.html} label={label} css={COMPACT} />;
  return (
    <Text size="sm" className="plain-text">
      {shownMentions(markdown).text}
    </Text>
  );
}
