import { LRUCache } from 'lru-cache';

/** Bytes that the caches of a process hold together unless a setting says otherwise. */
export const DEFAULT_BUDGET = 64 * 1024 ** 2;
/** The smallest budget of a process: the tree of a large space still fits. */
export const SMALLEST_BUDGET = 16 * 1024 ** 2;

export interface CacheOptions<Value> {
  /** The part of the budget that this cache keeps when all are full, relative to the shares of the others. */
  readonly share: number;
  /** The bytes that an entry holds beside its key and its place: of its texts (`textBytes`), buffers (`ownBytes`) and objects. */
  readonly weigh: (value: Value) => number;
  /** Milliseconds. */
  readonly ttl?: number;
  readonly fetchMethod?: LRUCache.Fetcher<string, Value, unknown>;
}

/** Bytes of an entry beside its key and its value. */
const BYTES_OF_ENTRY = 120;

/**
 * The caches of this process have one budget of bytes. Each may take what the others leave; where all of them together
 * exceed the budget, the one that exceeds its share most gives up what was used least recently.
 */
let budget = DEFAULT_BUDGET;
/** At least the bytes that all caches hold: what was removed since they were counted is still in it. */
let heldAtMost = 0;
/** The part of the budget that is left free when it was exceeded, so that caches are not counted for each entry. */
const LEFT_FREE = 1 / 64;
/** Weak, since services may end before the process does. */
const caches = new Set<WeakRef<Cache<never>>>();

/** A cache that takes part in the budget of this process. A value that was asked for is returned even if it is not kept. */
export class Cache<Value extends object | string> extends LRUCache<string, Value> {
  readonly share: number;

  constructor({ share, weigh, ...options }: CacheOptions<Value>) {
    super({
      ...options,
      maxSize: Number.MAX_SAFE_INTEGER,
      sizeCalculation: (value, key) => BYTES_OF_ENTRY + textBytes(key) + Math.ceil(weigh(value)),
      ignoreFetchAbort: true,
    });
    this.share = share;
    caches.add(new WeakRef(this as unknown as Cache<never>));
  }

  override set(key: string, value: Value | undefined, options?: LRUCache.SetOptions<string, Value, unknown>): this {
    const before = this.calculatedSize;
    super.set(key, value, options);
    heldAtMost += this.calculatedSize - before;
    if (heldAtMost > budget) keepBudget();
    return this;
  }
}

/** Sets the bytes that all caches of this process may hold. */
export function limitCaches(bytes: number): void {
  budget = bytes;
  keepBudget();
}

/** The bytes that all caches of this process hold. */
export const cachedBytes = (): number => present().reduce((sum, { calculatedSize }) => sum + calculatedSize, 0);

function keepBudget(): void {
  const all = present();
  let held = all.reduce((sum, { calculatedSize }) => sum + calculatedSize, 0);
  const goal = held > budget ? budget * (1 - LEFT_FREE) : budget;
  while (held > goal) {
    const fullest = all.reduce((one, other) =>
      other.calculatedSize / other.share > one.calculatedSize / one.share ? other : one,
    );
    held -= fullest.calculatedSize;
    fullest.pop();
    held += fullest.calculatedSize;
  }
  heldAtMost = held;
}

function present(): Cache<never>[] {
  const found: Cache<never>[] = [];
  for (const reference of caches) {
    const cache = reference.deref();
    if (cache) found.push(cache);
    else caches.delete(reference);
  }
  return found;
}

const ONE_BYTE = /^[\0-\xff]*$/;

/** The bytes of a text in memory: two for each character if one of them is outside of Latin-1. */
export const textBytes = (text: string): number => (ONE_BYTE.test(text) ? text.length : 2 * text.length);

/** The same bytes in a buffer of their own, so that a cache does not hold the larger one of which they are a part. */
export function ownBytes(bytes: Buffer): Buffer {
  if (bytes.buffer.byteLength === bytes.length) return bytes;
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}
