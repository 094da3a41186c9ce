import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import type { Card } from './card.js';

/** Seconds for one card, of which the first one of a thread reads the painter and fonts. */
const SECONDS = 20;

let loading: ReturnType<typeof load> | undefined;

/**
 * Loads fonts and the painter, once for a thread and only for painting. The painter runs in WebAssembly: a hostile
 * picture reaches no memory but that of the painter, and the thread can be stopped in the middle of it.
 */
async function load() {
  const [{ initWasm, Resvg }, { cardMarkup }] = await Promise.all([
    import('@resvg/resvg-wasm'),
    import('./card-markup.js'),
  ]);
  await initWasm(await readFile(createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm')));
  return { Resvg, cardMarkup };
}

/** A card as a PNG. A picture in it that cannot be read is left blank. */
export async function paintCard(card: Card): Promise<Uint8Array> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  const { Resvg, cardMarkup } = await loading;
  const painter = new Resvg(cardMarkup(card), { font: { loadSystemFonts: false, fontBuffers: [] } });
  try {
    const painted = painter.render();
    try {
      return painted.asPng();
    } finally {
      painted.free();
    }
  } finally {
    painter.free();
  }
}

export const PAINT_CARD = workerTask(import.meta.url, paintCard, {
  size: () => Number.POSITIVE_INFINITY,
  seconds: SECONDS,
});
