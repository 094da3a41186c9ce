import { setFlagsFromString } from 'node:v8';

/**
 * Growth of the heap in per cent over its size after the last collection. On a machine with much memory V8 would let it
 * grow to a multiple of that, for no more than a few per cent of time.
 */
const HEAP_GROWTH = 30;

/**
 * Limits how far the heap grows between collections, from now on: while the application is loaded and put together, nearly
 * all that is allocated stays, and collections would find nothing.
 */
export const limitHeapGrowth = (): void => setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH}`);
