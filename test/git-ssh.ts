import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe } from '@jest/globals';
import { createRepository, hasGit, type FolderRepository } from './git-http-backend.js';
import type { RepositoryServer } from './git-server.js';

const SSHD = '/usr/sbin/sshd';
const SEPARATION = '/run/sshd';

/** Describes what is done with git over SSH; where either is missing, it says so and skips, or fails if REQUIRE_GIT is set. */
export function describeWithSsh(title: string, tests: () => void): void {
  const isSkipped = !process.env['REQUIRE_GIT'] && !(existsSync(SSHD) && hasGit());
  if (isSkipped) process.stdout.write('skipped: git or sshd is not installed\n');
  (isSkipped ? describe.skip : describe)(title, tests);
}

/** Serves bare repositories by sshd, as the user of this process. */
export class GitSshServer implements RepositoryServer {
  credentials: undefined;
  private child: ChildProcess | undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<GitSshServer> {
    const probe = createServer().listen(0, '127.0.0.1');
    await once(probe, 'listening');
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, 'close');
    const self = new GitSshServer(await mkdtemp(join(tmpdir(), 'bindery-ssh-')), port);
    await writeFile(join(self.folder, 'authorized'), '');
    // As root it wants a folder that belongs to nobody else.
    if (userInfo().uid === 0) mkdirSync(SEPARATION, { recursive: true });
    await self.renew();
    return self;
  }

  get url(): string {
    return `ssh://${userInfo().username}@127.0.0.1:${this.port}${this.folder}`;
  }

  create(name: string): Promise<FolderRepository> {
    return createRepository(join(this.folder, `${name}.git`));
  }

  /** Lets the holder of a key in. */
  authorize(publicKey: string): Promise<void> {
    return appendFile(join(this.folder, 'authorized'), `${publicKey}\n`);
  }

  /** Starts it with a new key of its own, which is returned as `known_hosts` has it. */
  async renew(): Promise<string> {
    await this.end();
    const key = join(this.folder, 'host');
    await Promise.all([key, `${key}.pub`].map((path) => rm(path, { force: true })));
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', '', '-f', key]);
    const config = join(this.folder, 'sshd_config');
    const lines = [
      `Port ${this.port}`,
      'ListenAddress 127.0.0.1',
      `HostKey ${key}`,
      `AuthorizedKeysFile ${join(this.folder, 'authorized')}`,
      'AuthenticationMethods publickey',
      'PermitRootLogin prohibit-password',
      'StrictModes no',
      'UsePAM no',
      'PidFile none',
      // So that bash does not read what the user has for interactive shells.
      'SetEnv SHLVL=5',
    ];
    await writeFile(config, `${lines.join('\n')}\n`);
    this.child = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: 'ignore' });
    await this.listening();
    return (await readFile(`${key}.pub`, 'utf8')).trim();
  }

  async stop(): Promise<void> {
    await this.end();
    await rm(this.folder, { recursive: true, force: true });
  }

  private async listening(): Promise<void> {
    for (let tries = 0; tries < 100; tries++) {
      const socket = connect(this.port, '127.0.0.1');
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      );
      socket.destroy();
      if (isOpen) return;
      await pause(50);
    }
    throw new Error('sshd does not listen');
  }

  private async end(): Promise<void> {
    const { child } = this;
    if (child === undefined || child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  }
}
