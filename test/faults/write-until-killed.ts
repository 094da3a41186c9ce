import { DiskCache } from '../../src/kernel/platform/storage/disk-cache.js';

/* Writes the same eight files of a folder again and again until it is killed. */
const cache = new DiskCache(process.argv[2] ?? '', 1e9, 60_000);
for (let turn = 0; ; turn++) {
  const bytes = Buffer.alloc(400_000, turn);
  await Promise.all(Array.from({ length: 8 }, (_, index) => cache.put(String(index).padStart(64, '0'), [bytes])));
  process.stdout.write('.');
}
