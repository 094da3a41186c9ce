import { document, inline, leaf, paragraph, text } from '../../../formats/document/build.js';
import { normalizeDocument } from '../../../formats/document/normalize-document.js';
import type { Document } from '../../../formats/document/types.js';
import { addressFault } from '../../../kernel/common/safe-address.js';
import type { ForgePull } from '../forges/forge.js';

const MAX_SUBJECT = 100;
const MAX_PARAGRAPHS = 50;
const MAX_PARAGRAPH = 2000;

/** The subject of the change request of a pull request. */
export function requestSubject({ number, title }: ForgePull): string {
  const line = plain(title.replace(/\s+/g, ' ').trim());
  return [...(line === '' ? `Pull request #${number}` : line)].slice(0, MAX_SUBJECT).join('');
}

/** The description of the change request of a pull request: where it comes from, by whom, and its own text. */
export function requestDescription(pull: ForgePull): Document {
  const { number, author, description } = pull;
  const name = text(leaf(`Pull request #${number}`));
  const url = pageOf(pull);
  const origin = url === null ? name : inline('link', { ref: { kind: 'url', url } }, [name]);
  const by = text(leaf(author === '' ? '.' : ` of ${plain(author)}.`));
  const own = plain(description)
    .split(/\n\s*\n/, MAX_PARAGRAPHS)
    .flatMap((part) => {
      const line = part.replace(/\s+/g, ' ').trim().slice(0, MAX_PARAGRAPH);
      return line === '' ? [] : [paragraph(text(leaf(line)))];
    });
  return normalizeDocument(document([paragraph(text(leaf('')), origin, by), ...own]));
}

/** The page of a pull request at the forge; null for an address that nobody should follow. */
export function pageOf({ url }: ForgePull): string | null {
  const isSafe = url !== undefined && /^https?:[^\p{Cc}\s]{1,2000}$/u.test(url) && addressFault(url) === undefined;
  return isSafe ? url : null;
}

/** A text without what no text of a document can hold. */
function plain(given: string): string {
  return given.replace(/[^\P{Cc}\n\t]|\p{Surrogate}/gu, '');
}
