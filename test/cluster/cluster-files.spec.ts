import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { appendFile, chmod, chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { parse, parseAllDocuments } from 'yaml';
import { describeSettings, loadConfig } from '../../src/config.js';
import { type Account, chooseAccount, spawnOptions } from '../../src/kernel/platform/embedded-postgres/account.js';
import { freePort } from '../../src/kernel/platform/embedded-postgres/cluster.js';
import { pause } from '../faults/processes.js';
import { HAS_PATRONI } from './patroni.js';
import { HAS_POOLER } from './pooler.js';

const run = promisify(execFile);
const PASSWORD = 'p4ssw0rd-of-the-cluster';
const GIVEN: Readonly<Record<string, string>> = {
  SECRET_KEY: 'a-key-for-tests-only-a-key-for-tests-only',
  POSTGRES_PASSWORD: PASSWORD,
  S3_SECRET_ACCESS_KEY: 'a-secret-for-tests-only',
  API_HOST: 'api.docs.example.com',
  PUBLIC_HOST: 'docs.example.com',
};
const MOST_SECONDS_TO_END = 75;
/** Debian's, or another one that is named. */
const CADDY = process.env['CADDY'] ?? '/usr/bin/caddy';

const read = (path: string): string => readFileSync(path, 'utf8');
const known = new Set(describeSettings().map(({ variable }) => variable));

/** The value with what `.env` gives in the place of its variables; throws where one is neither given nor has a value of its own. */
function filledIn(value: string): string {
  return value.replace(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, name: string, kind: string | undefined, text: string) => {
    const given = GIVEN[name] ?? (kind === '-' ? text : undefined);
    if (given === undefined) throw new Error(`${name} is not given`);
    return given;
  });
}

interface ComposeService {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
  readonly volumes?: readonly string[];
  readonly ports?: readonly unknown[];
  readonly build?: string | { readonly context: string; readonly dockerfile: string };
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly replicas: number };
}

describe('compose.cluster.yaml', () => {
  const compose = read('compose.cluster.yaml');
  const { name, services, volumes } = parse(compose, { merge: true }) as {
    readonly name: string;
    readonly services: Readonly<Record<string, ComposeService>>;
    readonly volumes: object;
  };

  it('names only services, volumes, files and variables that there are', () => {
    const faults = Object.entries(services).flatMap(
      ([name, { depends_on: before = [], volumes: mounted = [], build }]) => [
        ...(Array.isArray(before) ? (before as string[]) : Object.keys(before)).filter((other) => !(other in services)),
        ...mounted
          // A mount of one place is a volume of its own, without a name.
          .filter((mount) => mount.includes(':'))
          .map((mount) => mount.split(':')[0] ?? '')
          .filter((source) => (source.startsWith('.') ? !existsSync(source) : !(source in volumes)))
          .map((source) => `${name} mounts ${source}`),
        ...(typeof build === 'object' && !existsSync(join(build.context, build.dockerfile))
          ? [`${name} is built of nothing`]
          : []),
      ],
    );
    expect(faults).toEqual([]);
    const example = [...read('examples/cluster/env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(example.sort()).toEqual([...new Set([...compose.matchAll(/\$\{(\w+):\?/g)].map(([, name]) => name))].sort());
  });

  it('gives the servers settings that they take, and enough time to end', () => {
    const { environment = {}, stop_grace_period: grace } = services['bindery'] ?? {};
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    const config = loadConfig(
      Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(value)])),
    );
    expect(config.shutdownDelay + 2 * config.shutdownTimeout).toBeLessThan(MOST_SECONDS_TO_END);
    expect(grace).toBe(`${MOST_SECONDS_TO_END}s`);
  });

  it('lets Caddy ask each of the servers whether it is ready', () => {
    const caddyfile = read('examples/cluster/Caddyfile');
    const [, upstreams = ''] = /^\s*to (.*)$/m.exec(caddyfile) ?? [];
    const count = services['bindery']?.deploy?.replicas ?? 0;
    expect(upstreams.split(' ')).toEqual(
      Array.from({ length: count }, (_, index) => `${name}-bindery-${index + 1}:{args.0}`),
    );
    expect(caddyfile).toMatch(/^\s*health_uri \/readyz$/m);
    expect(caddyfile).toMatch(new RegExp(`^\\s*health_port ${services['bindery']?.environment?.['PORT']}$`, 'm'));
  });

  (existsSync(CADDY) ? it : it.skip)('gives Caddy a file that it takes', async () => {
    const { stderr } = await run(
      CADDY,
      ['validate', '--adapter', 'caddyfile', '--config', 'examples/cluster/Caddyfile'],
      {
        env: { ...process.env, API_HOST: GIVEN['API_HOST'] },
      },
    );
    expect(stderr).not.toMatch(/"level":"(?:warn|error)"/);
  });

  it('lets nothing but Caddy be reached from outside', () => {
    expect(Object.keys(services).filter((name) => services[name]?.ports !== undefined)).toEqual(['caddy']);
  });
});

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace: string;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: unknown;
}

describe('the manifests for Kubernetes', () => {
  const manifests = parseAllDocuments(read('examples/kubernetes/bindery.yaml')).map((each) => {
    expect(each.errors).toEqual([]);
    return each.toJS() as Manifest;
  });
  const find = (kind: string): Manifest => {
    const found = manifests.find((each) => each.kind === kind);
    if (!found) throw new Error(`there is no ${kind}`);
    return found;
  };

  it('are of kinds and versions that Kubernetes has, in one namespace', () => {
    expect(manifests.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'v1 ConfigMap',
      'apps/v1 Deployment',
      'v1 Service',
      'policy/v1 PodDisruptionBudget',
      'networking.k8s.io/v1 Ingress',
    ]);
    expect(new Set(manifests.map(({ metadata }) => metadata.namespace))).toEqual(new Set(['bindery']));
  });

  it('give the servers settings that they take', () => {
    const { data = {} } = find('ConfigMap');
    const secret = [...read('examples/kubernetes/bindery.yaml').matchAll(/--from-literal=(\w+)=/g)].map(
      ([, name = '']) => name,
    );
    expect([...Object.keys(data), ...secret].filter((name) => !known.has(name))).toEqual([]);
    expect(secret).toContain('SECRET_KEY');
    loadConfig({
      ...data,
      ...Object.fromEntries(secret.map((name) => [name, GIVEN[name] ?? 'given'])),
      DATABASE_URL: 'postgres://bindery:password@postgres-rw:5432/bindery',
      DATABASE_READ_URL: 'postgres://bindery:password@postgres-1:5432,postgres-2:5432/bindery',
    });
  });

  it('name the ports, probes and pods of one another', () => {
    const { template, selector } = find('Deployment').spec as {
      readonly selector: { readonly matchLabels: object };
      readonly template: {
        readonly metadata: { readonly labels: object };
        readonly spec: {
          readonly terminationGracePeriodSeconds: number;
          readonly containers: readonly Readonly<Record<string, { readonly httpGet: object }>>[];
        };
      };
    };
    const container = template.spec.containers[0] as unknown as {
      readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
      readonly startupProbe: object;
      readonly readinessProbe: object;
      readonly livenessProbe: object;
    };
    const service = find('Service').spec as {
      readonly selector: object;
      readonly ports: readonly { readonly name: string; readonly port: number; readonly targetPort: string }[];
    };
    expect(template.metadata.labels).toEqual(selector.matchLabels);
    expect(service.selector).toEqual(selector.matchLabels);
    expect(template.spec.terminationGracePeriodSeconds).toBe(MOST_SECONDS_TO_END);
    expect(container.ports).toEqual([
      { name: 'api', containerPort: 3000 },
      { name: 'public', containerPort: 3001 },
    ]);
    // No port listens while the pod migrates.
    expect(container.startupProbe).toMatchObject({
      httpGet: { path: '/healthz', port: 'api' },
      periodSeconds: 2,
      failureThreshold: 1800,
    });
    // A silent primary is waited for.
    expect(container.readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port: 'api' }, timeoutSeconds: 5 });
    expect(container.livenessProbe).toMatchObject({ httpGet: { path: '/healthz', port: 'api' } });
    expect(service.ports.map(({ name, targetPort }) => [name, targetPort])).toEqual([
      ['api', 'api'],
      ['public', 'public'],
    ]);
    expect(find('Ingress').metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/proxy-body-size': '0',
      'nginx.ingress.kubernetes.io/proxy-request-buffering': 'off',
    });
    const { rules } = find('Ingress').spec as {
      readonly rules: readonly {
        readonly http: {
          readonly paths: readonly {
            readonly backend: { readonly service: { readonly name: string; readonly port: object } };
          }[];
        };
      }[];
    };
    expect(rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service))).toEqual([
      { name: find('Service').metadata.name, port: { name: 'api' } },
      { name: find('Service').metadata.name, port: { name: 'public' } },
    ]);
  });
});

type Started = ChildProcessByStdio<null, null, Readable>;

/** A connection to a database that is starting. */
async function connected(options: pg.ClientConfig): Promise<pg.Client> {
  for (const deadline = Date.now() + 60_000; ; await pause(100)) {
    const client = new pg.Client(options);
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

(HAS_PATRONI && HAS_POOLER ? describe : describe.skip)("the cluster's own scripts, with Debian's programs", () => {
  const children: Started[] = [];
  let folder: string;
  let account: Account | undefined;
  let environment: Record<string, string>;
  let primary: Started;
  let ports: { readonly primary: number; readonly replica: number; readonly pooler: number };

  const start = (words: readonly string[], own: Readonly<Record<string, string>>): Started => {
    const [program = '', ...rest] = words;
    const options = spawnOptions(account);
    const child = spawn(program, rest, {
      ...options,
      env: { ...options.env, ...environment, ...own },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr.resume();
    children.push(child);
    return child;
  };

  /** Starts a host of PostgreSQL with the script, as compose does; the name of the other one is its address here. */
  const startHost = (name: 'primary' | 'replica', source: 'itself' | 'the other'): Started =>
    start(['bash', resolve('examples/cluster/postgres.sh'), '-p', String(ports[name]), '-k', join(folder, 'own')], {
      PGDATA: join(folder, 'own', name),
      PRIMARY: '127.0.0.1',
      PRIMARY_PORT: String(ports[name === 'primary' ? 'replica' : 'primary']),
      OWN: source === 'itself' ? '127.0.0.1' : name,
    });

  const ask = async (port: number, statement: string): Promise<unknown[]> => {
    const client = new pg.Client({ connectionString: `postgres://bindery:${PASSWORD}@127.0.0.1:${port}/bindery` });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows.flatMap((row) => Object.values(row));
    } finally {
      await client.end();
    }
  };

  const until = async (port: number, statement: string, wanted: unknown): Promise<void> => {
    for (const deadline = Date.now() + 60_000; ; await pause(100)) {
      const found = await ask(port, statement).catch((error: unknown) => [String(error)]);
      if (found[0] === wanted) return;
      if (Date.now() > deadline) throw new Error(`${statement} gives ${String(found[0])}`);
    }
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'bindery-cluster-'));
    await chmod(folder, 0o755);
    account = await chooseAccount();
    ports = { primary: await freePort(), replica: await freePort(), pooler: await freePort() };
    const own = join(folder, 'own');
    await mkdir(own, { mode: 0o700 });
    if (account) await chown(own, account.uid, account.gid);
    const bin = join('/usr/lib/postgresql', (await readdir('/usr/lib/postgresql')).sort()[0] ?? '', 'bin');
    environment = {
      PATH: `${bin}:/usr/sbin:${process.env['PATH'] ?? ''}`,
      POSTGRES_PASSWORD: PASSWORD,
      PGPASSWORD: PASSWORD,
    };
    const data = join(own, 'primary');
    const options = spawnOptions(account);
    const env = { ...options.env, ...environment, PGDATA: data };
    await run('initdb', ['--username=bindery', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'], {
      ...options,
      env,
    });
    await run('bash', [resolve('examples/cluster/primary.sh')], { ...options, env });
    await appendFile(join(data, 'pg_hba.conf'), 'host all all all scram-sha-256\n');
    primary = startHost('primary', 'itself');
    const socket = await connected({ host: own, port: ports.primary, user: 'bindery', database: 'postgres' });
    await socket.query(`ALTER ROLE bindery PASSWORD '${PASSWORD}'`);
    await socket.query('CREATE DATABASE bindery');
    await socket.end();
  }, 120_000);

  afterAll(async () => {
    for (const child of children.reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      // The databases are thrown away, and a script may be waiting for one.
      child.kill(child.spawnfile === 'bash' ? 'SIGTERM' : 'SIGQUIT');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  });

  it('PgBouncer lends sessions of the primary to clients with the password, and the replica follows it', async () => {
    const own = join(folder, 'own');
    const { replica, pooler } = ports;
    start(['bash', resolve('examples/cluster/pgbouncer.sh')], {
      RUN_FOLDER: own,
      PRIMARY: '127.0.0.1',
      PRIMARY_PORT: String(ports.primary),
      LISTEN: '127.0.0.1',
      PORT: String(pooler),
    });
    startHost('replica', 'the other');
    await until(pooler, 'SELECT pg_is_in_recovery()', false);
    await until(replica, 'SELECT pg_is_in_recovery()', true);
    await ask(pooler, 'CREATE TABLE told AS SELECT 42 AS number');
    await until(replica, 'SELECT number FROM told', 42);
    const stranger = new pg.Client({ connectionString: `postgres://bindery:another@127.0.0.1:${pooler}/bindery` });
    await expect(stranger.connect()).rejects.toThrow();
  }, 120_000);

  it('a primary that was lost comes back as a copy of the one that was promoted, and never as a second one', async () => {
    const ended = once(primary, 'exit');
    primary.kill('SIGQUIT');
    await ended;
    await ask(ports.replica, 'SELECT pg_promote(true, 60)');
    await ask(ports.replica, 'UPDATE told SET number = 43');
    const refused = startHost('primary', 'the other');
    const [said] = await Promise.all([text(refused.stderr), once(refused, 'exit')]);
    expect([refused.exitCode, said]).toEqual([1, expect.stringContaining('remove the volume of this one')]);
    await rm(join(folder, 'own', 'primary'), { recursive: true });
    startHost('primary', 'the other');
    await until(ports.primary, 'SELECT pg_is_in_recovery()', true);
    await ask(ports.replica, 'UPDATE told SET number = 44');
    await until(ports.primary, 'SELECT number FROM told', 44);
  }, 120_000);
});
