import { execFile } from 'node:child_process';
import { connect } from 'node:net';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { isAlive } from '../../src/kernel/platform/process-alive.js';
import { type Process, Stage, pause } from './processes.js';

const LIMIT = 120_000;
const REQUESTS_PER_MINUTE = 60;

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close(), LIMIT);

/** The processes that a process has started itself and that run. */
async function workersOf({ child }: Process): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid=,args=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, parent, ...words]) => parent === String(child.pid) && words.includes('serve'))
    .map(([pid]) => Number(pid));
}

async function allEnd(pids: readonly number[]): Promise<boolean> {
  for (let tries = 0; tries < 250; tries++) {
    if (!pids.some((pid) => isAlive(pid))) return true;
    await pause(20);
  }
  return false;
}

/** Asks on a connection of its own, so that the workers take turns. Rejects if the connection breaks. */
function ask(base: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<string> {
  const { hostname, port } = new URL(base);
  return new Promise((settle, fail) => {
    let text = '';
    const lines = Object.entries({ Host: hostname, Connection: 'close', ...headers }).map((each) => each.join(': '));
    connect(Number(port), hostname, function (this: ReturnType<typeof connect>) {
      this.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    })
      .setEncoding('utf8')
      .on('data', (chunk: string) => (text += chunk))
      .on('error', fail)
      .on('close', () => (text === '' ? fail(new Error('no answer')) : settle(text)));
  });
}

const statusOf = (answer: string): number => Number(answer.split(' ', 2)[1]);

describe('several workers', () => {
  it(
    'share the ports, the limits and the metrics; one that is killed is replaced while requests go on; all end together',
    async () => {
      const env = {
        WORKERS: '2',
        PUBLIC_PORT: '0',
        LOG_LEVEL: 'info',
        RATE_LIMIT_ANONYMOUS_PER_MINUTE: String(REQUESTS_PER_MINUTE),
      };
      const { server, facts } = await stage.serve({ env });
      expect(facts.pid).toBe(server.child.pid);
      expect(facts.bootstrap?.token).toBeDefined();
      expect(server.stdout.split(facts.bootstrap?.token ?? 'none')).toHaveLength(2);
      expect(server.stdout.match(/"version"/g)).toHaveLength(1);
      const workers = await workersOf(server);
      expect(workers).toHaveLength(2);
      expect(statusOf(await ask(facts.api, '/readyz'))).toBe(200);
      expect(statusOf(await ask(facts.published, '/nowhere'))).toBe(404);

      // Within one minute, which the limit counts.
      if (new Date().getSeconds() > 50) await pause((61 - new Date().getSeconds()) * 1000);
      const statuses: number[] = [];
      for (let request = 0; request < 2 * REQUESTS_PER_MINUTE; request++)
        statuses.push(statusOf(await ask(facts.api, '/v1')));
      const admitted = statuses.filter((status) => status === 200).length;
      expect(admitted).toBeGreaterThan(REQUESTS_PER_MINUTE * 0.8);
      expect(admitted).toBeLessThanOrEqual(REQUESTS_PER_MINUTE);
      expect(statuses.filter((status) => status !== 200 && status !== 429)).toEqual([]);
      await pause(1500);
      const lines = server.stdout.split('\n').filter((line) => line.includes('"url":"/v1"'));
      for (const number of [1, 2]) expect(lines.some((line) => line.includes(`"worker":${number}`))).toBe(true);

      const metrics = [await ask(facts.api, '/metrics'), await ask(facts.api, '/metrics')];
      for (const text of metrics) {
        const counts = [...text.matchAll(/^bindery_http_request_duration_seconds_count\{.*\} (\d+)$/gm)];
        const sum = counts.reduce((all, [, count]) => all + Number(count), 0);
        expect(sum).toBeGreaterThanOrEqual(2 * REQUESTS_PER_MINUTE);
        expect(text.match(/^bindery_jobs\{state="waiting"\}/gm)).toHaveLength(1);
      }

      const [victim = 0] = workers;
      process.kill(victim, 'SIGKILL');
      let replaced: number[] = [];
      for (let tries = 0; tries < 600 && replaced.length < 2; tries++) {
        // A connection that the killed worker had may break; every answer is whole.
        const answer = await ask(facts.api, '/healthz').catch(() => undefined);
        if (answer !== undefined) expect(statusOf(answer)).toBe(200);
        replaced = (await workersOf(server)).filter((pid) => pid !== victim);
        await pause(50);
      }
      expect(replaced).toHaveLength(2);
      expect(replaced).not.toContain(victim);
      expect(server.stderr).toMatch(/^Worker \d ended \(SIGKILL\): another worker \d takes its place\.$/m);

      const ending = await server.kill('SIGTERM');
      expect(ending.code).toBe(0);
      expect(await allEnd(replaced)).toBe(true);
      expect(await stage.postgres()).toBeUndefined();
    },
    LIMIT,
  );

  it(
    'tell once why they cannot start, and end with the process that started them',
    async () => {
      const { server, facts } = await stage.serve({ env: { WORKERS: '2' } });
      const workers = await workersOf(server);
      expect(workers).toHaveLength(2);
      const other = await Stage.open();
      try {
        const env = { WORKERS: '2', PORT: new URL(facts.api).port };
        const { code, stdout, stderr } = await other.finish(['serve'], { env });
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr.match(/^bindery: Port \d+ of 127\.0\.0\.1 is in use: .*$/gm)).toHaveLength(1);
        expect(stderr.match(/^bindery: /gm)).toHaveLength(1);
      } finally {
        await other.close();
      }
      await server.kill('SIGKILL');
      expect(await allEnd(workers)).toBe(true);
    },
    LIMIT,
  );
});
