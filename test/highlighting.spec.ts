import { describe, expect, it } from '@jest/globals';
import { highlightedBy, Highlighter } from '../src/formats/html/highlighting.js';
import { HighlightingWorker, type Colored } from '../src/formats/html/highlighting-worker.js';

const long = Array.from({ length: 20_000 }, (_, index) => `const value${index} = \`a \${index}\`;`).join('\n');
const linesOf = (colored: Colored | undefined): unknown => JSON.parse(colored?.lines ?? 'null');
const soon = (milliseconds: number): number => performance.now() + milliseconds;

describe('the time that colours take', () => {
  it('is limited for each piece, and the next piece has its colours again', async () => {
    const worker = new HighlightingWorker(400);
    expect((await worker.colored(long, 'ts', soon(20_000)))?.lines).toBeUndefined();
    expect(linesOf(await worker.colored('1', 'ts', soon(20_000)))).toHaveLength(1);
  });

  it('lets nobody wait longer than they wish, and those behind them wait no longer either', async () => {
    const worker = new HighlightingWorker();
    const first = worker.colored('1', 'ts', soon(20_000));
    const [late, next] = [worker.colored('2', 'ts', soon(1)), worker.colored('3', 'ts', soon(20_000))];
    expect(await Promise.race([first, late])).toBeUndefined();
    expect(linesOf(await first)).toHaveLength(1);
    expect(linesOf(await next)).toHaveLength(1);
  });

  it('leaves code plain for now where there is none, and gives it colours later', async () => {
    let isBusy = true;
    const asked: string[] = [];
    const colored = (code: string): Promise<Colored | undefined> => {
      asked.push(code);
      return Promise.resolve(
        isBusy ? undefined : { lines: JSON.stringify([[[code, 'var(--shiki-token-keyword)']]]), loading: 0 },
      );
    };
    const highlighter = new Highlighter({ colored });
    const wanted = [{ code: 'if', language: 'js' }];
    const busy = await highlighter.prepare(wanted);
    expect([busy.isProvisional, highlightedBy(busy.colors)('if', 'js')]).toEqual([true, undefined]);
    isBusy = false;
    for (let time = 0; time < 2; time++) {
      const calm = await highlighter.prepare(wanted);
      expect([calm.isProvisional, highlightedBy(calm.colors)('if', 'js')]).toEqual([false, [[['if', 'sk']]]]);
    }
    expect(asked).toEqual(['if', 'if']);
  });

  it('is limited for a page, however much code it has', async () => {
    let asked = 0;
    const colored = async (): Promise<Colored> => {
      asked++;
      await new Promise((resolve) => setTimeout(resolve, 40));
      return { lines: undefined, loading: 0 };
    };
    const { isProvisional } = await new Highlighter({ colored }, 100).prepare(
      Array.from({ length: 40 }, (_, index) => ({ code: `${index}`, language: 'js' })),
    );
    expect(isProvisional).toBe(true);
    expect(asked).toBeLessThanOrEqual(3);
  });
});
