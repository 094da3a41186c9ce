import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { ApiError } from '../../api/api-error.js';
import {
  Draft,
  type DraftEvents,
  type DraftServer,
  type DraftState,
  type KeptText,
  type WriteRequest,
} from './draft.js';
import type { PageText } from './page-text.js';

const guide = (body: string): PageText => ({ title: 'Guide', body });

/** A server with one page: each write makes a revision, and is refused where it expects another version. */
class OnePage implements DraftServer {
  readonly texts: PageText[] = [guide('One')];
  fault: ApiError | undefined;
  /** The fault of texts that settle nothing. */
  conflict: ApiError | undefined;
  /** The message that is lost with the connection: the text that is read, or the answer to a write. */
  lost: 'read' | 'answer' | undefined;
  writes = 0;
  /** The number of writes that others are faster than. */
  faster = 0;
  readonly bases: string[] = [];
  /** Revisions that writes made, by their keys. */
  private readonly done = new Map<string, string>();

  private get present(): number {
    return this.texts.length - 1;
  }

  head() {
    return Promise.resolve({ revision: `r${this.present}`, etag: `"${this.present}."` });
  }

  write({ text, base, etag, key, resolutions }: WriteRequest): Promise<string> {
    this.writes += 1;
    this.bases.push(base);
    if (resolutions) this.conflict = undefined;
    const fault = this.fault ?? this.conflict;
    if (fault) return Promise.reject(fault);
    if (this.faster-- > 0) this.texts.push(this.texts[this.present] ?? text);
    const earlier = this.done.get(key);
    if (earlier !== undefined) return Promise.resolve(earlier);
    if (etag !== `"${this.present}."`) return Promise.reject(new ApiError(412, 'changed'));
    const others = this.texts[this.present]?.body ?? '';
    this.texts.push(base === `r${this.present}` ? text : { ...text, body: `${text.body}\n${others}` });
    this.done.set(key, `r${this.present}`);
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
  let isShared: boolean;
  /** A merged text with what was typed since. */
  let shown: (merged: PageText) => PageText | undefined;

  beforeEach(() => {
    jest.useFakeTimers();
    server = new OnePage();
    [states, kept, merged, isShared] = [[], [], [], false];
    shown = (text) => text;
    const events: DraftEvents = {
      onState: ({ kind }) => states.push(kind),
      keep: (text) => kept.push(text),
      onMerged: (_sent, text) => {
        merged.push(text.body);
        return shown(text);
      },
    };
    draft = new Draft(guide('One'), { revision: 'r0', etag: '"0."' }, server, events, () => isShared);
  });
  const save = (body: string): Promise<void> => {
    draft.change(guide(body));
    return draft.save();
  };
  afterEach(() => {
    draft.close();
    jest.useRealTimers();
  });

  it('keeps a text at once and saves it after a pause', async () => {
    draft.change(guide('Two'));
    expect(kept).toEqual([expect.objectContaining({ body: 'Two', base: 'r0' })]);
    expect(server.writes).toBe(0);
    await jest.advanceTimersByTimeAsync(2500);
    expect(server.texts.at(-1)).toEqual(guide('Two'));
    expect(states).toEqual(['pending', 'saving', 'saved']);
    expect(kept.at(-1)).toBeUndefined();
    expect(draft.base).toBe('r1');
  });

  it('saves while somebody types without a pause', async () => {
    for (let index = 0; index < 12; index += 1) {
      draft.change(guide(`Text ${index}`));
      await jest.advanceTimersByTimeAsync(1000);
    }
    expect(server.writes).toBeGreaterThan(0);
  });

  it('saves soon while somebody else writes the page, too, but not with each key', async () => {
    isShared = true;
    draft.change(guide('Two'));
    await jest.advanceTimersByTimeAsync(1000);
    expect(server.texts.at(-1)).toEqual(guide('Two'));
    for (let key = 0; key < 100; key += 1) {
      draft.change(guide(`Text ${key}`));
      await jest.advanceTimersByTimeAsync(100);
    }
    expect(server.writes).toBeGreaterThan(4);
    expect(server.writes).toBeLessThan(8);
  });

  it('tries again by itself when others were faster many times', async () => {
    server.faster = 10;
    await save('Mine');
    expect(states.at(-1)).toBe('pending');
    expect(kept.at(-1)?.body).toBe('Mine');
    await jest.advanceTimersByTimeAsync(6000);
    expect(states.at(-1)).toBe('saved');
    expect(server.texts.at(-1)?.body).toBe('Mine');
  });

  it('follows what others wrote in between', async () => {
    server.texts.push(guide('Theirs'));
    await save('Mine');
    expect(merged).toEqual(['Mine\nTheirs']);
    expect(states.at(-1)).toBe('saved');
    expect(draft.base).toBe('r2');
  });

  it('takes nothing of others away when the connection drops before their text is read', async () => {
    server.texts.push(guide('Theirs'));
    server.lost = 'read';
    await save('Mine');
    expect(draft.current.kind).toBe('offline');
    server.lost = undefined;
    await draft.save();
    expect(server.texts.at(-1)?.body).toContain('Theirs');
    expect(merged.at(-1)).toContain('Theirs');
  });

  it('knows an own text whose answer was lost', async () => {
    server.lost = 'answer';
    await save('Mine');
    server.lost = undefined;
    await save('Mine, too');
    expect(merged).toEqual([]);
    expect(server.texts.at(-1)?.body).toBe('Mine, too');
  });

  it('does not take an own text for one of others when others wrote upon it', async () => {
    server.lost = 'answer';
    await save('Mine');
    server.lost = undefined;
    server.texts.push(guide('Mine\nTheirs'));
    shown = ({ body }) => guide(`${body} shown`);
    await save('Mine, too');
    // The second text is merged on the revision that the first one made, not on the one before.
    expect(server.bases).toEqual(['r0', 'r0', 'r1', 'r1']);
    expect(server.texts.at(-1)?.body).toBe('Mine, too\nMine\nTheirs');
  });

  it('asks again whether a text was written while the server still works on it', async () => {
    server.lost = 'answer';
    await save('Mine');
    server.lost = undefined;
    server.fault = new ApiError(409, 'is being worked on', [], {}, true);
    await draft.save();
    expect(draft.current.kind).toBe('offline');
    server.fault = undefined;
    await draft.save();
    expect(draft.current.kind).toBe('saved');
    expect(server.texts).toHaveLength(2);
  });

  it('writes a text anew whose first write was refused after all', async () => {
    server.fault = new ApiError(503, 'down');
    await save('Mine');
    server.fault = undefined;
    server.texts.push(guide('Theirs'));
    await draft.save();
    expect(server.texts.at(-1)?.body).toBe('Mine\nTheirs');
    expect(draft.current.kind).toBe('saved');
  });

  it('finishes a write of a tab that was closed before the answer came', async () => {
    server.lost = 'answer';
    await save('Mine');
    server.lost = undefined;
    const left = kept.at(-1);
    draft.close();
    const next = new Draft(guide('Mine'), { revision: 'r1', etag: '"1."' }, server, {
      onState: () => undefined,
      keep: () => undefined,
      onMerged: (_sent, text) => text,
    });
    if (left) next.resume({ ...left, body: 'Mine, too' });
    await next.save();
    next.close();
    expect(server.texts.at(-1)?.body).toBe('Mine, too');
    expect(server.bases.at(-1)).toBe('r1');
  });

  it('takes over what others wrote while nothing waits to be saved, without a write', async () => {
    server.texts.push(guide('Theirs'));
    await draft.follow('r1');
    expect([merged, draft.base, server.writes, states]).toEqual([['Theirs'], 'r1', 0, []]);
    await draft.follow('r1');
    server.texts.push(guide('Theirs'));
    await draft.follow('r2');
    expect([merged, draft.base]).toEqual([['Theirs'], 'r2']);
    await save('Mine');
    expect(server.bases).toEqual(['r2']);
  });

  it('leaves what others wrote to the next save while something waits for it', async () => {
    draft.change(guide('Mine'));
    server.texts.push(guide('Theirs'));
    await draft.follow('r1');
    expect([merged, draft.base]).toEqual([[], 'r0']);
    await draft.save();
    expect(merged).toEqual(['Mine\nTheirs']);
  });

  it('keeps what is typed while the text of others is read', async () => {
    shown = ({ body }) => guide(`${body} and mine`);
    server.texts.push(guide('Theirs'));
    const following = draft.follow('r1');
    draft.change(guide('One and mine'));
    await following;
    expect(kept.at(-1)).toMatchObject({ body: 'Theirs and mine', base: 'r1' });
    await draft.save();
    expect([server.texts.at(-1)?.body, states.at(-1)]).toEqual(['Theirs and mine', 'saved']);
  });

  it('writes on the old revision again where both changed the same, so that the server tells of it', async () => {
    server.texts.push(guide('Theirs'));
    shown = () => undefined;
    draft.change(guide('Mine'));
    const saved = draft.save();
    draft.change(guide('Mine typed'));
    await saved;
    expect([draft.base, draft.current.kind]).toEqual(['r0', 'pending']);
    expect(kept.at(-1)).toMatchObject({ body: 'Mine typed', base: 'r0' });
    shown = (text) => text;
    await draft.save();
    expect(server.bases.at(-1)).toBe('r0');
    expect(server.texts.at(-1)?.body).toContain('Theirs');
  });

  it('does not take a text over that cannot be shown: it is merged again, and not overwritten', async () => {
    shown = () => {
      throw new RangeError('no such position');
    };
    server.texts.push(guide('Theirs'));
    await draft.follow('r1');
    expect(draft.base).toBe('r0');
    await save('Mine');
    expect([draft.base, draft.current.kind]).toEqual(['r0', 'failed']);
    expect(kept.at(-1)).toMatchObject({ body: 'Mine', base: 'r0' });
    shown = (text) => text;
    await save('Mine, too');
    expect(server.texts.at(-1)?.body).toContain('Theirs');
  });

  it('saves what comes in when the text of others is shown', async () => {
    shown = ({ body }) => {
      draft.change(guide('Mine typed'));
      return guide(`${body} typed`);
    };
    server.texts.push(guide('Theirs'));
    await save('Mine');
    expect(draft.current.kind).toBe('pending');
    shown = (text) => text;
    await draft.save();
    expect(server.texts.at(-1)?.body).toBe('Mine\nTheirs typed');
  });

  it('follows again after the connection was lost', async () => {
    server.texts.push(guide('Theirs'), guide('Later'));
    server.lost = 'read';
    await draft.follow('r2');
    expect([merged, draft.base, draft.current.kind]).toEqual([[], 'r0', 'saved']);
    server.lost = undefined;
    await draft.follow('r2');
    expect([merged, draft.base]).toEqual([['Later'], 'r2']);
  });

  it('follows a last revision by itself once the connection is there again, unless it is closed', async () => {
    server.texts.push(guide('Theirs'), guide('Later'));
    server.lost = 'read';
    await draft.follow('r2');
    await jest.advanceTimersByTimeAsync(15_000);
    expect(draft.base).toBe('r0');
    server.lost = undefined;
    await jest.advanceTimersByTimeAsync(15_000);
    expect([merged, draft.base]).toEqual([['Later'], 'r2']);
    server.texts.push(guide('Last'));
    server.lost = 'read';
    await draft.follow('r3');
    draft.close();
    server.lost = undefined;
    await jest.advanceTimersByTimeAsync(60_000);
    expect(draft.base).toBe('r2');
  });

  it('does not merge where only other pages changed', async () => {
    server.texts.push(guide('One'));
    await save('Mine');
    expect(merged).toEqual([]);
    expect(server.texts.at(-1)?.body).toBe('Mine');
  });

  describe('in conflict', () => {
    const conflicts = [{ id: 'c', page: 'p', base: 'One', current: 'Theirs', given: 'Mine' }];
    const resolutions = [{ conflict: 'c', keep: 'given' }] as const;

    beforeEach(async () => {
      server.texts.push(guide('Theirs'));
      server.conflict = new ApiError(409, 'conflict', [], { conflicts });
      await save('Mine');
    });

    it('stops, keeps what is typed, and goes on when it is settled', async () => {
      expect(draft.current).toEqual({ kind: 'conflict', conflicts });
      const { writes } = server;
      draft.change(guide('Mine, too'));
      await jest.advanceTimersByTimeAsync(60_000);
      expect(server.writes).toBe(writes);
      expect(kept.at(-1)).toMatchObject({ body: 'Mine, too' });
      await draft.settle(resolutions);
      expect(server.texts.at(-1)?.body).toBe('Mine, too\nTheirs');
      expect(draft.current.kind).toBe('saved');
    });

    it('keeps what is typed before the answer comes, and writes it later', async () => {
      shown = ({ body }) => guide(`${body} typed`);
      const settled = draft.settle(resolutions);
      draft.change(guide('Mine typed'));
      const saved = draft.save();
      await settled;
      expect(kept.at(-1)).toMatchObject({ body: 'Mine\nTheirs typed', base: draft.base });
      await saved;
      expect(server.texts.slice(2)).toEqual([guide('Mine\nTheirs'), guide('Mine\nTheirs typed')]);
      expect(draft.current.kind).toBe('saved');
    });

    it('shows other conflicts when somebody changes the same place meanwhile', async () => {
      const others = [{ ...conflicts[0], id: 'd', current: 'Theirs, too' }];
      server.fault = new ApiError(409, 'conflict', [], { conflicts: others });
      await draft.settle(resolutions);
      expect(draft.current).toEqual({ kind: 'conflict', conflicts: others });
    });

    it('settles once, and overwrites nothing of others, when the connection drops', async () => {
      server.lost = 'answer';
      await draft.settle(resolutions);
      expect(draft.current.kind).toBe('offline');
      server.lost = undefined;
      await draft.settle(resolutions);
      expect(server.texts.slice(2)).toEqual([guide('Mine\nTheirs')]);
      expect(draft.current.kind).toBe('saved');
    });
  });

  it.each([
    [0, 'offline'],
    [503, 'offline'],
    [401, 'signed-out'],
    [400, 'failed'],
  ] as const)('keeps the text after the status %d', async (status, kind) => {
    server.fault = new ApiError(status, 'no');
    await save('Mine');
    expect(draft.current.kind).toBe(kind);
    expect(kept.at(-1)).toMatchObject({ body: 'Mine', base: 'r0' });
    server.fault = undefined;
    await draft.save();
    expect(draft.current.kind).toBe('saved');
  });

  it('saves again by itself when the connection is back', async () => {
    server.fault = new ApiError(0, 'gone');
    await save('Mine');
    server.fault = undefined;
    await jest.advanceTimersByTimeAsync(15_000);
    expect(draft.current.kind).toBe('saved');
  });

  it('goes on with a kept text on the revision on which it was written', async () => {
    server.texts.push(guide('Theirs'));
    draft.resume({ ...guide('Mine'), base: 'r0', at: 0 });
    await draft.save();
    expect(server.texts.at(-1)?.body).toBe('Mine\nTheirs');
  });
});
