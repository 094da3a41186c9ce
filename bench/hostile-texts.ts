import { requestText } from './connection.js';
import type { Subject } from './spaces.js';

const repeat = (count: number, part: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => part(index)).join('');

/** HTML whose open formatting elements a parser has to reopen in every paragraph: the square of its length. */
function reopenedFormatting(elements: number, paragraphs: number): string {
  return `<p>${repeat(elements, (index) => `<b a${index.toString(36)}>`)}${'<p>x'.repeat(paragraphs)}`;
}

/** Texts that once blocked all requests, as requests of one organization, each once. */
export function hostileRequests(
  token: string,
  organizationId: string,
  { spaceId, pageIds, leaves }: Subject,
): string[] {
  const pages = [
    `<!--StartFragment-->${reopenedFormatting(6_000, 12_000)}`,
    '{% '.repeat(300_000),
    `---\na: ${'!a '.repeat(66_000)}\n---\n`,
    `---\na: [${'{a: 1},'.repeat(118_000)}]\n---\n`,
  ];
  const writes = pages.map((markdown, index) =>
    requestText('POST', `/v1/spaces/${spaceId}/content`, token, {
      changes: [{ operation: 'update_page', page: pageIds[leaves[index] ?? 0], document: { markdown } }],
    }),
  );
  const comment = requestText('POST', `/v1/spaces/${spaceId}/comments`, token, {
    body: { markdown: `<!--StartFragment-->${reopenedFormatting(1_000, 2_000)}` },
  });
  const conversation = requestText('POST', `/v1/orgs/${organizationId}/conversations`, token, {
    id: 'hostile',
    subject: 'Hostile',
    parts: [{ type: 'message', role: 'user', body: reopenedFormatting(300, 800) }],
  });
  return [...writes, comment, conversation];
}
