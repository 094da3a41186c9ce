import { randomBytes } from 'node:crypto';

/** The share of slots that are taken at most. */
const MOST_FILLED = 0.6;
const FIRST_SLOTS = 1024;
const EMPTY = 0;

/**
 * A set of ids that takes some 16 bytes for each: a hash of 53 bits stands for the id, so of a million ids one in some
 * ten billion others seems to be among them. No archive knows the seed of the hash.
 */
export class IdSet {
  private slots = new Float64Array(FIRST_SLOTS);
  private readonly seed = randomBytes(4).readInt32LE();
  private count = 0;

  get size(): number {
    return this.count;
  }

  add(id: string): void {
    if ((this.count + 1) / this.slots.length > MOST_FILLED) this.grow();
    if (insert(this.slots, hashOf(id, this.seed))) this.count++;
  }

  has(id: string): boolean {
    const hash = hashOf(id, this.seed);
    return this.slots[slotOf(this.slots, hash)] === hash;
  }

  private grow(): void {
    const slots = new Float64Array(this.slots.length * 2);
    for (const hash of this.slots) if (hash !== EMPTY) insert(slots, hash);
    this.slots = slots;
  }
}

function insert(slots: Float64Array, hash: number): boolean {
  const slot = slotOf(slots, hash);
  if (slots[slot] === hash) return false;
  slots[slot] = hash;
  return true;
}

/** The slot that has the hash, or the empty one where it belongs. */
function slotOf(slots: Float64Array, hash: number): number {
  let slot = hash % slots.length;
  while (slots[slot] !== EMPTY && slots[slot] !== hash) slot = (slot + 1) % slots.length;
  return slot;
}

/** Two hashes of 32 bits (FNV-1a and a variant of it) put together; never 0. */
function hashOf(id: string, seed: number): number {
  let [low, high] = [0x811c9dc5 ^ seed, 0x9747b28c ^ Math.imul(seed, 0x9e3779b1)];
  for (let at = 0; at < id.length; at++) {
    const code = id.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995);
    high ^= high >>> 15;
  }
  return (low >>> 0) * 2 ** 21 + ((high >>> 0) & 0x1fffff) + 1;
}
