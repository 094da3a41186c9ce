import type { AnswerSource } from './answer.js';

const MAX_FOLLOW_UPS = 3;
const MAX_LENGTH = 120;
const QUESTION = /[?？؟]\s*$/u;

/** A found page, as far as questions are taken from it. */
interface FoundTitles {
  readonly page: { readonly title: string; readonly sections: readonly { readonly title: string }[] };
}

/**
 * Questions to ask next: headings of found sections that are questions, then titles of found pages and sections that are
 * no sources of the answer.
 */
export function followUpQuestions(hits: readonly FoundTitles[], sources: readonly AnswerSource[]): string[] {
  const used = new Set(sources.flatMap(({ pageTitle, title }) => [pageTitle, title]));
  const titles = hits
    .flatMap(({ page }) => [...page.sections.map(({ title }) => title), page.title])
    .filter((title) => title !== '' && title.length <= MAX_LENGTH && !used.has(title));
  return [...new Set([...titles.filter(isQuestion), ...titles])].slice(0, MAX_FOLLOW_UPS);
}

/** Tells whether a heading is a question. */
export function isQuestion(title: string): boolean {
  return QUESTION.test(title);
}
