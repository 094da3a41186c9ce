import { describe, expect, it } from '@jest/globals';
import { agreedText, chosenText, findPiece, settledTextOf } from './merge-texts.js';

const conflict = { page: 'p', base: 'One apple\n', current: 'One pear\n', given: 'One plum\n' };
const mine = { title: 'Guide', body: 'Begin\n\nOne plum\n\n- a\n- b\n' };

describe('settling conflicts', () => {
  it('puts the other side into the own text, and what was chosen into the merged one', () => {
    const agreed = agreedText(mine, [conflict]);
    expect(agreed).toEqual({ title: 'Guide', body: 'Begin\n\nOne pear\n\n- a\n- b\n' });
    const merged = { title: 'Guide', body: 'Begin\n\nOne pear\n\n* a\n* b\n\nTheir end\n' };
    const text = (choice: 'mine' | 'theirs' | 'both' | 'own') =>
      chosenText(merged, mine, [conflict], [{ choice, own: 'One fig' }]).body;
    expect(text('mine')).toBe('Begin\n\nOne plum\n\n* a\n* b\n\nTheir end\n');
    expect(text('theirs')).toBe(merged.body);
    expect(text('both')).toBe('Begin\n\nOne pear\n\nOne plum\n\n* a\n* b\n\nTheir end\n');
    expect(text('own')).toBe('Begin\n\nOne fig\n\n* a\n* b\n\nTheir end\n');
  });

  it('finds a piece that is written in another way', () => {
    const text = 'Begin\n\n- *one*\n- two\n\nEnd';
    const place = findPiece(text, '* _one_\n* two\n');
    expect(place && text.slice(...place)).toBe('- *one*\n- two');
    expect(findPiece(text, 'three')).toBeUndefined();
  });

  it('puts a text back whose block the other side has deleted', () => {
    const deleted = { ...conflict, current: '' };
    expect(agreedText(mine, [deleted])?.body).toBe('Begin\n\n\n\n- a\n- b\n');
    const merged = { title: 'Guide', body: 'Begin\n\n* a\n* b\n' };
    expect(chosenText(merged, mine, [deleted], [{ choice: 'mine' }]).body).toBe('Begin\n\nOne plum\n\n\n* a\n* b\n');
  });

  it('knows no place for what was deleted here', () => {
    expect(agreedText(mine, [{ ...conflict, given: '' }])).toBeUndefined();
  });

  it('settles a title', () => {
    const title = { page: 'p', attribute: 'title', base: 'Guide', current: 'Manual', given: 'Handbook' };
    expect(agreedText({ ...mine, title: 'Handbook' }, [title])?.title).toBe('Manual');
    const merged = { title: 'Manual', body: '' };
    expect(chosenText(merged, mine, [title], [{ choice: 'mine' }]).title).toBe('Handbook');
    expect(chosenText(merged, mine, [title], [{ choice: 'both' }]).title).toBe('Manual');
    expect(settledTextOf(title, { choice: 'own', own: ' Book ' })).toBe('Book');
  });
});
