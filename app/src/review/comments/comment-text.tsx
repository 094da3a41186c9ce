import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { send } from '../../api/client.js';
import { reviewTexts } from '../../texts/review.js';
import { RenderedContent } from '../../ui/rendered-content.js';
import { usePlace } from '../../writing/place.js';

const COMPACT =
  '.content { font-size: .9375rem; } .content > :first-child { margin-top: 0; } .content > :last-child { margin-bottom: 0; }';

interface MarkdownTextProps {
  readonly markdown: string;
  /** The page that the text belongs to, to which its links are relative. */
  readonly page?: string | undefined;
  readonly label?: string;
}

/** Markdown as the server renders it, for comments and for texts that are being settled. */
export function MarkdownText({ markdown, page, label = reviewTexts.comments.send }: MarkdownTextProps) {
  const { spaceId } = usePlace();
  const body = { markdown, ...(page !== undefined && { page }) };
  const { data } = useQuery({
    queryKey: ['rendered', spaceId, body],
    enabled: markdown.trim() !== '',
    staleTime: 1_800_000,
    queryFn: () => send('post', '/v1/spaces/{spaceId}/content/render', { spaceId }, body),
  });
  if (data) return <RenderedContent html={data.html ?? ''} label={label} css={COMPACT} />;
  return (
    <Text size="sm" className="plain-text">
      {shownMentions(markdown).text}
    </Text>
  );
}

/** The people whom a text mentions, by their shown names; each with the address that stands for the person. */
export type Mentioned = ReadonlyMap<string, string>;

const MENTION = /\[((?:[^[\]\\]|\\.)*)\]\((\S*\/(?:users|u)\/[^\s)]+) "mention"\)/g;

/** A text as it is written in a field: people as `@Name` in place of links to their addresses. */
export function shownMentions(markdown: string): { readonly text: string; readonly people: Mentioned } {
  const people = new Map<string, string>();
  const text = markdown.replace(MENTION, (_whole, written: string, address: string) => {
    const name = written.replace(/\\(.)/g, '$1').replace(/^@/, '');
    people.set(name, address);
    return `@${name}`;
  });
  return { text, people };
}

export function withMentions(text: string, people: Mentioned): string {
  const names = [...people.keys()].sort((one, other) => other.length - one.length);
  if (names.length === 0) return text;
  const pattern = new RegExp(`@(${names.map((name) => name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('|')})`, 'g');
  return text.replace(pattern, (_whole, name: string) => {
    const escaped = name.replace(/[[\]\\]/g, '\\$&');
    return `[${escaped}](${people.get(name) ?? ''} "mention")`;
  });
}

/** The name that is being typed after `@` at a place of a text, and where it begins. */
export function typedName(text: string, caret: number): { readonly from: number; readonly name: string } | undefined {
  const found = /(?:^|[\s(])@([^\s@][^@\n]{0,39})?$/.exec(text.slice(0, caret));
  if (!found) return undefined;
  const name = found[1] ?? '';
  return { from: caret - name.length - 1, name };
}
