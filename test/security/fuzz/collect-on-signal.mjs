// Loaded before a server that is looked at: at SIGUSR2 it collects its garbage and says how much memory is left in use.
import { writeSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { isMainThread } from 'node:worker_threads';
import { setImmediate } from 'node:timers';
import { runInNewContext } from 'node:vm';

if (isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => {
    collect();
    setImmediate(() => {
      collect();
      const { heapUsed, external, rss } = process.memoryUsage();
      writeSync(1, `{"memory":${JSON.stringify({ heapUsed, external, rss })}}\n`);
    });
  });
}
