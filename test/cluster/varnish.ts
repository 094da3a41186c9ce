import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseAccount, spawnOptions } from '../../src/kernel/platform/embedded-postgres/account.js';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { pause } from '../faults/processes.js';

/** Debian's, or another one that is named. */
const PROGRAM = process.env['VARNISH'] ?? '/usr/sbin/varnishd';
const EXAMPLE = 'examples/http-caches/varnish.vcl';

export const HAS_VARNISH = existsSync(PROGRAM) || process.env['REQUIRE_VARNISH'] === '1';

export interface FromCache {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  /** True if Varnish had it. */
  readonly isHit: boolean;
}

/** Varnish with the example of its settings, but for the port of the service behind it. */
export class Varnish {
  private child: ChildProcess | undefined;
  private folder = '';

  private constructor(readonly port: number) {}

  /** A cache that listens nowhere yet: the settings of the service name its address. */
  static async planned(): Promise<Varnish> {
    return new Varnish(await freePort());
  }

  async start(backendPort: number): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'bindery-varnish-'));
    const file = join(this.folder, 'default.vcl');
    const vcl = await readFile(EXAMPLE, 'utf8');
    await writeFile(file, vcl.replace('.port = "3001"', `.port = "${backendPort}"`));
    const account = await chooseAccount();
    if (account) for (const path of [this.folder, file]) await chown(path, account.uid, account.gid);
    await chmod(file, 0o644);
    const settings = ['-j', 'none', '-n', join(this.folder, 'work'), '-s', 'malloc,1g', '-t', '120'];
    this.child = spawn(PROGRAM, ['-F', '-a', `127.0.0.1:${this.port}`, '-f', file, ...settings], {
      ...spawnOptions(account),
      stdio: 'ignore',
    });
    for (let tries = 1; ; tries++) {
      const answer = await this.get('/robots.txt').catch(() => undefined);
      if (answer?.status === 200) return;
      if (tries >= 200 || this.child.exitCode !== null) throw new Error('Varnish does not start');
      await pause(50);
    }
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<FromCache> {
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port: this.port, path, headers: { Host: 'localhost', ...headers } });
      sent.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
            // A hit names the request that brought the answer as well.
            isHit: /^\d+ \d+$/.test(String(response.headers['x-varnish'])),
          }),
        );
      });
      sent.on('error', reject).end();
    });
  }

  async close(): Promise<void> {
    if (this.child?.exitCode === null && this.child.signalCode === null) {
      this.child.kill('SIGTERM');
      await once(this.child, 'exit');
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
