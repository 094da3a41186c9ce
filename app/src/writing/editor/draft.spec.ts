import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiError } from '../../api/api-error.js';
import { Draft, type DraftServer, type DraftState, type KeptText } from './draft.js';
import type { PageText } from './page-text.js';

/** A server with one page: each write makes a revision, and is refused where it expects another version. */
class OnePage implements DraftServer {
  readonly texts: PageText[] = [{ title: 'Guide', body: 'One' }];
  fault: ApiError | undefined;
  /** The message that is lost with the connection: the text that is read, or the answer to a write. */
  lost: 'read' | 'answer' | undefined;
  writes = 0;

  private get present(): number {
    return this.texts.length - 1;
  }

  head() {
    return Promise.resolve({ revision: `r${this.present}`, etag: `"${this.present}."` });
  }

  write(text: PageText, base: string, etag: string): Promise<string> {
    this.writes += 1;
    if (this.fault) return Promise.reject(this.fault);
    if (etag !== `"${this.present}."`) return Promise.reject(new ApiError(412, 'changed'));
    const others = this.texts[this.present]?.body ?? '';
    this.texts.push(base === `r${this.present}` ? text : { ...text, body: `${text.body}\n${others}` });
    return this.lost === 'answer' ? Promise.reject(new ApiError(0, 'gone')) : Promise.resolve(`r${this.present}`);
  }

  read(revision: string) {
    if (this.lost === 'read' && revision === `r${this.present}` && this.present > 1)
      return Promise.reject(new ApiError(0, 'gone'));
    const text = this.texts[Number(revision.slice(1))] ?? { title: '', body: '' };
    return Promise.resolve({ ...text, version: text.body });
  }
}

describe('a draft', () => {
  let server: OnePage;
  let states: DraftState['kind'][];
  let kept: (KeptText | undefined)[];
  let merged: string[];
  let draft: Draft;
  /** A merged text with what was typed since. */
  let shown: (merged: PageText) => PageText;

  beforeEach(() => {
    jest.useFakeTimers();
    server = new OnePage();
    [states, kept, merged] = [[], [], []];
    shown = (text) => text;
    draft = new Draft({ title: 'Guide', body: 'One' }, { revision: 'r0', etag: '"0."' }, server, {
      onState: ({ kind }) => states.push(kind),
      keep: (text) => kept.push(text),
      onMerged: (_sent, text) => {
        merged.push(text.body);
        return shown(text);
      },
    });
  });
  afterEach(() => {
    draft.close();
    jest.useRealTimers();
  });

  it('keeps a text at once and saves it after a pause', async () => {
    draft.change({ title: 'Guide', body: 'Two' });
    expect(kept).toEqual([expect.objectContaining({ body: 'Two', base: 'r0' })]);
    expect(server.writes).toBe(0);
    await jest.advanceTimersByTimeAsync(2500);
    expect(server.texts.at(-1)).toEqual({ title: 'Guide', body: 'Two' });
    expect(states).toEqual(['pending', 'saving', 'saved']);
    expect(kept.at(-1)).toBeUndefined();
    expect(draft.base).toBe('r1');
  });

  it('saves while somebody types without a pause', async () => {
    for (let index = 0; index < 12; index += 1) {
      draft.change({ title: 'Guide', body: `Text ${index}` });
      await jest.advanceTimersByTimeAsync(1000);
    }
    expect(server.writes).toBeGreaterThan(0);
  });

  it('follows what others wrote in between', async () => {
    server.texts.push({ title: 'Guide', body: 'Theirs' });
    draft.change({ title: 'Guide', body: 'Mine' });
    await draft.save();
    expect(merged).toEqual(['Mine\nTheirs']);
    expect(states.at(-1)).toBe('saved');
    expect(draft.base).toBe('r2');
  });

  it('takes nothing of others away when the connection drops before their text is read', async () => {
    server.texts.push({ title: 'Guide', body: 'Theirs' });
    server.lost = 'read';
    draft.change({ title: 'Guide', body: 'Mine' });
    await draft.save();
    expect(draft.current.kind).toBe('offline');
    server.lost = undefined;
    await draft.save();
    expect(server.texts.at(-1)?.body).toContain('Theirs');
    expect(merged.at(-1)).toContain('Theirs');
  });

  it('knows an own text whose answer was lost', async () => {
    server.lost = 'answer';
    draft.change({ title: 'Guide', body: 'Mine' });
    await draft.save();
    server.lost = undefined;
    draft.change({ title: 'Guide', body: 'Mine, too' });
    await draft.save();
    expect(merged).toEqual([]);
    expect(server.texts.at(-1)?.body).toBe('Mine, too');
  });

  it('does not merge where only other pages changed', async () => {
    server.texts.push({ title: 'Guide', body: 'One' });
    draft.change({ title: 'Guide', body: 'Mine' });
    await draft.save();
    expect(merged).toEqual([]);
    expect(server.texts.at(-1)?.body).toBe('Mine');
  });

  it('stops at a conflict, keeps what is typed, and goes on when it is settled', async () => {
    const conflicts = [{ page: 'p', base: 'One', current: 'Theirs', given: 'Mine' }];
    server.fault = new ApiError(409, 'conflict', [], { conflicts });
    draft.change({ title: 'Guide', body: 'Mine' });
    await draft.save();
    expect(draft.current).toEqual({ kind: 'conflict', conflicts });
    draft.change({ title: 'Guide', body: 'Mine, too' });
    await jest.advanceTimersByTimeAsync(60_000);
    expect(server.writes).toBe(1);
    expect(kept.at(-1)).toMatchObject({ body: 'Mine, too' });
    server.fault = undefined;
    await draft.settle({ title: 'Guide', body: 'Mine, too' }, { title: 'Guide', body: 'Theirs' }, (text) => text);
    expect(server.texts.at(-1)).toMatchObject({ body: 'Theirs' });
    expect(draft.current.kind).toBe('saved');
  });

  describe('whose conflicts are being settled', () => {
    const mine = { title: 'Guide', body: 'Mine' };
    const theirs = { title: 'Guide', body: 'Theirs' };
    const both = { title: 'Guide', body: 'Theirs\n\nMine' };

    beforeEach(async () => {
      server.texts.push(theirs);
      server.fault = new ApiError(409, 'conflict', [], {
        conflicts: [{ base: 'One', current: 'Theirs', given: 'Mine' }],
      });
      draft.change(mine);
      await draft.save();
      server.fault = undefined;
    });

    it('keeps what is typed before the answer comes', async () => {
      shown = ({ body }) => ({ title: 'Guide', body: `${body} typed` });
      const settled = draft.settle(mine, theirs, () => both);
      draft.change({ title: 'Guide', body: 'Mine typed' });
      await settled;
      expect(draft.current.kind).toBe('pending');
      expect(kept.at(-1)).toMatchObject({ body: 'Theirs\n\nMine typed', base: draft.base });
      await jest.advanceTimersByTimeAsync(10_000);
      expect(server.texts.at(-1)).toEqual({ title: 'Guide', body: 'Theirs\n\nMine typed' });
      expect(draft.current.kind).toBe('saved');
    });

    it('does not write at the same time what is typed', async () => {
      const settled = draft.settle(mine, theirs, () => both);
      draft.change({ title: 'Guide', body: 'Mine typed' });
      await Promise.all([settled, draft.save(), draft.save()]);
      expect(server.texts.slice(2).map(({ body }) => body)).not.toContain('Mine typed');
      expect(server.texts.at(-1)).toEqual(both);
    });

    it('overwrites nothing of others when the connection drops', async () => {
      server.lost = 'answer';
      await expect(draft.settle(mine, theirs, () => both)).rejects.toThrow('gone');
      server.lost = undefined;
      await draft.save();
      expect(server.texts.at(-1)?.body).toContain('Theirs');
    });
  });

  it.each([
    [0, 'offline'],
    [503, 'offline'],
    [401, 'signed-out'],
    [400, 'failed'],
  ] as const)('keeps the text after the status %d', async (status, kind) => {
    server.fault = new ApiError(status, 'no');
    draft.change({ title: 'Guide', body: 'Mine' });
    await draft.save();
    expect(draft.current.kind).toBe(kind);
    expect(kept.at(-1)).toMatchObject({ body: 'Mine', base: 'r0' });
    server.fault = undefined;
    await draft.save();
    expect(draft.current.kind).toBe('saved');
  });

  it('saves again by itself when the connection is back', async () => {
    server.fault = new ApiError(0, 'gone');
    draft.change({ title: 'Guide', body: 'Mine' });
    await draft.save();
    server.fault = undefined;
    await jest.advanceTimersByTimeAsync(15_000);
    expect(draft.current.kind).toBe('saved');
  });

  it('goes on with a kept text on the revision on which it was written', async () => {
    server.texts.push({ title: 'Guide', body: 'Theirs' });
    draft.resume({ title: 'Guide', body: 'Mine', base: 'r0', at: 0 });
    await draft.save();
    expect(server.texts.at(-1)?.body).toBe('Mine\nTheirs');
  });
});
