import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { parse } from 'yaml';
import { type Account, chooseAccount, spawnOptions } from '../../src/kernel/platform/embedded-postgres/account.js';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { isAlive } from '../../src/kernel/platform/process-alive.js';
import { pause } from '../faults/processes.js';
import type { DatabasePair } from './failovers.js';

const [PATRONI, ETCD, HAPROXY] = ['/usr/bin/patroni', '/usr/bin/etcd', '/usr/sbin/haproxy'] as const;
const POSTGRES = '/usr/lib/postgresql';
const EXAMPLES = 'examples/patroni';
const MOST_MILLISECONDS = 90_000;
const USER = 'bindery';
const DATABASE = 'docs';

export const HAS_PATRONI =
  [PATRONI, ETCD, HAPROXY, POSTGRES].every((path) => existsSync(path)) || process.env['REQUIRE_PATRONI'] === '1';

interface Member {
  readonly name: string;
  readonly folder: string;
  readonly file: string;
  readonly port: number;
  readonly restPort: number;
  child?: ChildProcess;
}

interface MemberState {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** Two members of Debian's Patroni with etcd, and HAProxy in front of them, with the settings of the examples. */
export class PatroniPair implements DatabasePair {
  private readonly helpers: ChildProcess[] = [];
  private failures = 0;

  private constructor(
    private readonly home: string,
    private readonly account: Account | undefined,
    private readonly members: readonly [Member, Member],
    private readonly balancerPort: number,
  ) {}

  static async start(): Promise<PatroniPair> {
    const home = await mkdtemp(join(tmpdir(), 'bindery-patroni-'));
    await chmod(home, 0o755);
    const member = async (name: string): Promise<Member> => ({
      name,
      folder: join(home, 'work', name),
      file: join(home, `${name}.yml`),
      port: await freePort(),
      restPort: await freePort(),
    });
    const account = await chooseAccount();
    const members = [await member('db1'), await member('db2')] as const;
    const pair = new PatroniPair(home, account, members, await freePort());
    try {
      await pair.launch();
    } catch (error) {
      await pair.close();
      throw error;
    }
    return pair;
  }

  /** The address of HAProxy, which leads to the leader. */
  get url(): string {
    return `postgres://${USER}@127.0.0.1:${this.balancerPort}/${DATABASE}`;
  }

  get primaryUrl(): string {
    return this.url;
  }

  /** The PostgreSQL of the leader is killed, or, the second time and every other time from then on, its Patroni with it. */
  async failOver(): Promise<void> {
    const leader = await this.leader();
    const isWhole = this.failures++ % 2 === 1;
    if (isWhole) {
      leader.child?.kill('SIGKILL');
      delete leader.child;
    }
    await this.killPostgres(leader);
    await this.untilLed((name) => name !== leader.name);
    if (isWhole) this.startMember(leader);
    await this.untilWhole();
  }

  async switchOver(): Promise<void> {
    const leader = await this.leader();
    const candidate = this.members.find((member) => member !== leader);
    const answer = await fetch(`http://127.0.0.1:${leader.restPort}/switchover`, {
      method: 'POST',
      body: JSON.stringify({ leader: leader.name, candidate: candidate?.name }),
    });
    if (!answer.ok) throw new Error(`Patroni refused a switchover: ${await answer.text()}`);
    await this.untilLed((name) => name === candidate?.name);
    await this.untilWhole();
  }

  async close(): Promise<void> {
    await Promise.all(this.members.flatMap(({ child }) => (child ? [endProcess(child)] : [])));
    for (const member of this.members) await this.killPostgres(member);
    await Promise.all(this.helpers.map(endProcess));
    await rm(this.home, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  }

  private async launch(): Promise<void> {
    const { home, account } = this;
    const [etcdPort, peerPort] = [await freePort(), await freePort()];
    const etcd = join(home, 'etcd');
    await mkdir(etcd, { mode: 0o700 });
    const binDir = join(POSTGRES, (await readdir(POSTGRES)).sort()[0] ?? '', 'bin');
    const example = await readFile(join(EXAMPLES, 'patroni.yml'), 'utf8');
    for (const member of this.members) await writeFile(member.file, this.settingsOf(member, example, etcdPort, binDir));
    const work = join(home, 'work');
    await mkdir(work);
    if (account) for (const path of [etcd, work]) await chown(path, account.uid, account.gid);
    const [client, peer] = [`http://127.0.0.1:${etcdPort}`, `http://127.0.0.1:${peerPort}`];
    this.helpers.push(
      spawn(
        ETCD,
        [
          ...[
            '--name',
            'default',
            '--data-dir',
            etcd,
            '--listen-client-urls',
            client,
            '--advertise-client-urls',
            client,
          ],
          ...[
            '--listen-peer-urls',
            peer,
            '--initial-advertise-peer-urls',
            peer,
            '--initial-cluster',
            `default=${peer}`,
          ],
          '--unsafe-no-fsync',
        ],
        { ...spawnOptions(account), stdio: 'ignore' },
      ),
    );
    const haproxy = join(home, 'haproxy.cfg');
    await writeFile(haproxy, this.balancerSettings(await readFile(join(EXAMPLES, 'haproxy.cfg'), 'utf8')));
    await untilAnswers(`${client}/health`);
    for (const member of this.members) {
      this.startMember(member);
      // The first one makes the database, and the second one copies it.
      await this.untilLed((name) => name !== undefined);
    }
    this.helpers.push(spawn(HAPROXY, ['-db', '-f', haproxy], { ...spawnOptions(account), stdio: 'ignore' }));
    await this.untilWhole();
    await this.makeDatabase();
  }

  /** The example with the addresses of this machine, passwords that nobody needs, and no waiting for disks. */
  private settingsOf(
    { name, folder, port, restPort }: Member,
    example: string,
    etcdPort: number,
    binDir: string,
  ): string {
    const settings = parse(example) as {
      postgresql: { authentication: object };
      bootstrap: { initdb: unknown[] };
    };
    const rest = `127.0.0.1:${restPort}`;
    const address = `127.0.0.1:${port}`;
    return JSON.stringify({
      ...settings,
      name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { hosts: `127.0.0.1:${etcdPort}` },
      bootstrap: { ...settings.bootstrap, initdb: [...settings.bootstrap.initdb, 'no-sync'] },
      postgresql: {
        ...settings.postgresql,
        listen: address,
        connect_address: address,
        data_dir: folder,
        bin_dir: binDir,
        pgpass: join(this.home, 'work', `${name}.pgpass`),
        parameters: { unix_socket_directories: join(this.home, 'work'), fsync: 'off' },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      },
    });
  }

  private balancerSettings(example: string): string {
    return this.members
      .reduce(
        (text, { port, restPort }, index) =>
          text.replace(`10.0.0.1${index + 1}:5432 check port 8008`, `127.0.0.1:${port} check port ${restPort}`),
        example,
      )
      .replace('bind *:5000', `bind 127.0.0.1:${this.balancerPort}`);
  }

  private async makeDatabase(): Promise<void> {
    const { port } = await this.leader();
    const client = new pg.Client({ connectionString: `postgres://postgres@127.0.0.1:${port}/postgres` });
    await client.connect();
    await client.query(`CREATE ROLE ${USER} LOGIN`);
    await client.query(`CREATE DATABASE ${DATABASE} OWNER ${USER}`);
    await client.end();
  }

  private startMember(member: Member): void {
    member.child = spawn(PATRONI, [member.file], { ...spawnOptions(this.account), stdio: 'ignore' });
  }

  private async killPostgres({ folder }: Member): Promise<void> {
    const pid = Number((await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]);
    if (!(pid > 0) || !isAlive(pid)) return;
    process.kill(pid, 'SIGKILL');
    while (isAlive(pid)) await pause(20);
  }

  private async states(): Promise<readonly MemberState[]> {
    for (const { restPort } of this.members) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(2000) }).catch(
        () => undefined,
      );
      if (answer?.ok) return ((await answer.json()) as { members?: MemberState[] }).members ?? [];
    }
    return [];
  }

  private async leader(): Promise<Member> {
    const name = nameOfLeader(await this.states());
    const found = this.members.find((member) => member.name === name);
    if (!found) throw new Error('no member leads');
    return found;
  }

  private async untilLed(isRight: (leader: string | undefined) => boolean): Promise<void> {
    await until('a leader', async () => {
      const name = nameOfLeader(await this.states());
      const member = this.members.find((each) => each.name === name);
      return name !== undefined && isRight(name) && (await isPrimary(member?.restPort));
    });
  }

  /** Waits until one member leads, and the other one has all that is acknowledged. */
  private async untilWhole(): Promise<void> {
    await until('two members', async () => {
      const states = await this.states();
      return nameOfLeader(states) !== undefined && states.some(({ role }) => role === 'sync_standby');
    });
  }
}

const nameOfLeader = (states: readonly MemberState[]): string | undefined =>
  states.find(({ role, state }) => role === 'leader' && state === 'running')?.name;

async function isPrimary(restPort: number | undefined): Promise<boolean> {
  const answer = await fetch(`http://127.0.0.1:${restPort}/primary`).catch(() => undefined);
  return answer?.status === 200;
}

async function untilAnswers(address: string): Promise<void> {
  await until(address, async () => (await fetch(address).catch(() => undefined))?.ok === true);
}

async function until(name: string, isSo: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + MOST_MILLISECONDS; !(await isSo()); await pause(100))
    if (Date.now() > deadline) throw new Error(`no ${name} in time`);
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), 15_000);
  await ended;
  clearTimeout(force);
}
