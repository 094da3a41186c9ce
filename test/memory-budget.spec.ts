import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Cache, cachedBytes, DEFAULT_BUDGET, limitCaches, ownBytes, textBytes } from '../src/kernel/common/cache.js';
import { TestApp } from './app.js';
import { discussion, write } from './discussion.js';

const MB = 1024 ** 2;
const SMALL = 16 * MB;

/** Bytes of all objects and buffers that are alive. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  // Buffers are freed behind the collection that finds them.
  for (let turn = 0; turn < 3; turn++) {
    collect();
    await sleep(20);
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const sized = (share: number): Cache<{ readonly bytes: number }> => new Cache({ share, weigh: ({ bytes }) => bytes });

function fill(cache: Cache<{ readonly bytes: number }>, entries: number, name = 'entry'): void {
  for (let number = 0; number < entries; number++) cache.set(`${name} ${number}`, { bytes: MB / 8 });
}

describe('caches', () => {
  /** Nothing is in any other cache. */
  const empty = (): void => {
    limitCaches(0);
    limitCaches(DEFAULT_BUDGET);
  };
  beforeEach(empty);
  afterEach(empty);

  it('take what others leave, and give it back down to their share when these need it', () => {
    limitCaches(SMALL);
    const [small, large] = [sized(1), sized(3)];
    fill(small, 1000);
    expect(small.calculatedSize).toBeGreaterThan(0.98 * SMALL);
    for (let number = 0; number < 1000; number++) {
      large.set(`page ${number}`, { bytes: MB / 8 });
      expect(cachedBytes()).toBeLessThanOrEqual(SMALL);
    }
    expect(small.calculatedSize / SMALL).toBeCloseTo(1 / 4, 1);
    expect(large.calculatedSize / SMALL).toBeCloseTo(3 / 4, 1);
    fill(small, 1000, 'more');
    expect(large.calculatedSize / SMALL).toBeCloseTo(3 / 4, 1);
  });

  it('give up what was used least recently, and keep nothing that is larger than the budget', () => {
    limitCaches(SMALL);
    const [cache, other] = [sized(1), sized(1)];
    fill(cache, 100);
    other.set('kept', { bytes: MB });
    for (let turn = 0; turn < 200; turn++) {
      expect(cache.get('entry 99')).toBeDefined();
      cache.set(`turn ${turn}`, { bytes: MB / 8 });
    }
    expect(cache.get('entry 98')).toBeUndefined();
    cache.set('whole', { bytes: SMALL + 1 });
    expect(cache.size).toBe(0);
    expect(other.get('kept')).toBeDefined();
  });

  it('return what was asked for even where it is not kept', async () => {
    limitCaches(SMALL);
    const cache = new Cache<{ readonly bytes: number }>({
      share: 1,
      weigh: ({ bytes }) => bytes,
      fetchMethod: async (key) => {
        await Promise.resolve();
        fill(cache, 200, 'meanwhile');
        return { bytes: key === 'large' ? 2 * SMALL : 1 };
      },
    });
    expect(await cache.fetch('large')).toEqual({ bytes: 2 * SMALL });
    expect(await cache.fetch('small')).toEqual({ bytes: 1 });
    expect(cachedBytes()).toBeLessThanOrEqual(SMALL);
  });

  it('shrink at once to a smaller budget', () => {
    const cache = sized(1);
    fill(cache, 400);
    limitCaches(SMALL);
    expect(cachedBytes()).toBeLessThanOrEqual(SMALL);
    expect(cache.get('entry 399')).toBeDefined();
  });

  it('weigh what they really hold: texts by their bytes, slices without the buffer that they are from', async () => {
    expect(textBytes('é'.repeat(10))).toBe(10);
    expect(textBytes(`${'e'.repeat(9)}€`)).toBe(20);
    const budget = 32 * MB;
    limitCaches(budget);
    const texts = new Cache<string>({ share: 1, weigh: textBytes });
    const buffers = new Cache<Buffer>({ share: 1, weigh: ({ length }) => length });
    const before = await heldBytes();
    for (let number = 0; number < 8000; number++) {
      const wide = number % 2 === 0 ? 'é' : '語';
      texts.set(`text ${number}`, Buffer.from(wide.repeat(4000) + number).toString());
      buffers.set(`slice ${number}`, ownBytes(Buffer.alloc(64_000, number).subarray(0, 4000)));
      buffers.set(`pooled ${number}`, ownBytes(Buffer.from(`${number}`)));
    }
    const held = (await heldBytes()) - before;
    expect(texts.calculatedSize + buffers.calculatedSize).toBeGreaterThan(0.99 * budget);
    expect(held).toBeGreaterThan(0.8 * budget);
    expect(held).toBeLessThan(1.2 * budget);
  });

  it('are the only ones of the service that hold more than a number of small entries', () => {
    const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
    const others = files.filter((name) => {
      const text = readFileSync(join('src', name), 'utf8');
      return /new LRUCache\b/.test(text) && /sizeCalculation: (?!\(\) => 1\b)/.test(text);
    });
    // These are in threads, whose whole memory is limited.
    expect(others.map((name) => name.split(sep).join('/')).sort()).toEqual([
      'authoring/content/document-tasks.ts',
      'formats/html/formulas.ts',
      'insight/conversations/engine/services.ts',
    ]);
  });
});

describe('MEMORY_BUDGET', () => {
  it('is kept by a server that reads more than that, page after page', async () => {
    const app = await TestApp.start({ MEMORY_BUDGET: '16mb' });
    try {
      const { admin, space } = await discussion(app);
      const most: number[] = [];
      for (let page = 0; page < 7; page++) {
        const markdown = `${`Paragraph ${page} of many words. `.repeat(100)}\n\n`.repeat(300);
        const [id = ''] = await write(admin, space, {
          operation: 'insert_page',
          title: `Page ${page}`,
          document: { markdown },
        });
        expect((await admin.api.get(`${space}/content/page/${id}`)).status).toBe(200);
        most.push(cachedBytes());
      }
      expect(Math.max(...most)).toBeGreaterThan(8 * MB);
      expect(Math.max(...most)).toBeLessThanOrEqual(SMALL);
    } finally {
      await app.close();
    }
  });
});
