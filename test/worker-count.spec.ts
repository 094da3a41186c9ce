import { describe, expect, it } from '@jest/globals';
import { coresOf, defaultWorkers } from '../src/cli/worker-count.js';

const GB = 1024 ** 3;

describe('the number of workers without a setting', () => {
  it.each([
    { cores: 1, memory: 16 * GB, workers: 1 },
    { cores: 2, memory: 16 * GB, workers: 1 },
    { cores: 4, memory: 16 * GB, workers: 3 },
    { cores: 16, memory: 64 * GB, workers: 15 },
    { cores: 16, memory: 4 * GB, workers: 4 },
    { cores: 64, memory: 256 * GB, workers: 16 },
    { cores: 1.5, memory: GB / 2, workers: 1 },
  ])('is $workers with $cores cores and $memory bytes', ({ workers, ...machine }) => {
    expect(defaultWorkers(machine)).toBe(workers);
  });

  it('knows the cores that a container may use', () => {
    expect(['max 100000\n', '200000 100000\n', '50000 100000\n', ''].map(coresOf)).toEqual([
      Infinity,
      2,
      0.5,
      Infinity,
    ]);
  });

  it('is known of this machine', () => {
    expect(defaultWorkers()).toBeGreaterThan(0);
  });
});
