/**
 * A vector of at most `length` numbers: those of a longer one are summed by a hash of their index, with signs, so that
 * distances are nearly preserved (Weinberger et al., Feature Hashing for Large Scale Multitask Learning, 2009).
 */
export function fold(vector: Float32Array, length: number): Float32Array {
  if (vector.length <= length) return vector;
  const short = new Float32Array(length);
  vector.forEach((value, place) => {
    const hash = hashOf(`${place}`);
    const target = (hash >>> 1) % length;
    short[target] = (short[target] ?? 0) + (hash % 2 === 0 ? value : -value);
  });
  return short;
}

/** A 32 bit hash of a text (FNV-1a over UTF-16). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}
