import type { Element } from 'hast';
import type { Words } from '../../../../formats/html/languages/language.js';
import { MAX_COMMENT, type Rating } from '../reader-counts.js';
import { element } from './elements.js';
import type { FeedbackTarget } from './view.js';

/** The first step: whether a page was helpful. */
export function ratingForm(target: FeedbackTarget, words: Words): Element {
  const choice = (rating: Rating, label: string): Element =>
    element('button.button.button-secondary', { type: 'submit', name: 'rating', value: rating }, label);
  return feedbackForm(target, [
    element('p', { id: 'feedbackQuestion' }, words.helpful),
    element('div', { role: 'group', ariaLabelledBy: ['feedbackQuestion'] }, [
      choice('good', words.yes),
      choice('ok', words.partly),
      choice('bad', words.no),
    ]),
  ]);
}

/** The second step: a comment on a rating that was counted. */
export function commentForm(target: FeedbackTarget, rating: Rating, words: Words): Element {
  return feedbackForm(target, [
    element('input', { type: 'hidden', name: 'rating', value: rating }),
    element('label', { htmlFor: 'feedbackComment' }, words.comment),
    element('textarea', { id: 'feedbackComment', name: 'comment', rows: 3, maxLength: MAX_COMMENT }),
    element('button.button.button-primary', { type: 'submit' }, words.send),
  ]);
}

/** The last step. */
export function feedbackThanks(words: Words): Element {
  return element('p.feedback', { role: 'status', tabIndex: -1 }, words.thanks);
}

function feedbackForm({ action, page }: FeedbackTarget, fields: readonly Element[]): Element {
  return element('form.feedback', { method: 'post', action }, [
    element('input', { type: 'hidden', name: 'page', value: page }),
    ...fields,
  ]);
}
