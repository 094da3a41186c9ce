import { createHash } from 'node:crypto';

/** A site of an organization. */
export type SiteOf = Readonly<{ organizationId: string; id: string }>;

/** Characters of the id of a question, in hex. */
export const QUESTION_ID_LENGTH = 32;

/** The source of the conversations that the questions of a site are. */
export function siteSource(siteId: string): string {
  return `integration:site:${siteId}`;
}

/** The same for questions that differ in case, white space and punctuation only. */
export function questionId(text: string): string {
  const asked = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s\p{P}]+/gu, ' ')
    .trim();
  return createHash('sha256').update(asked).digest('hex').slice(0, QUESTION_ID_LENGTH);
}
