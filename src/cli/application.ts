import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Addresses } from '../kernel/common/addresses.js';
import { describeSettings } from '../config.js';
import { secretsOf, type Config } from '../kernel/platform/config/config.js';
import { createApp } from '../http.js';
import type { AddedModule } from '../kernel/platform/manifest/added-modules.js';
import { manifestsOf } from '../manifests.js';
import { reasonOf } from '../kernel/platform/operator-error.js';
import { KeyStates } from '../kernel/platform/keys/key-states.js';
import { MonthsAheadJob } from '../kernel/platform/retention/months-ahead.job.js';
import { ServerProcesses } from '../kernel/platform/migrations/server-processes.js';
import { BackgroundWork } from '../kernel/platform/jobs/background-work.js';
import { Listeners } from '../kernel/platform/http/listeners.js';
import { PublicListener } from '../kernel/platform/public-listener.js';
import { removeAbandonedFolders } from '../kernel/platform/storage/work-folders.js';
import { WORKER } from '../kernel/platform/processes.js';
import { Health } from '../kernel/platform/telemetry/health.js';
import { Metrics } from '../kernel/platform/telemetry/metrics.js';
import { NestLog, createLog } from '../kernel/platform/telemetry/logger.js';
import { StoredAddresses } from '../publishing/published-sites/pages/stored-addresses.js';
import { VERSION } from '../version.js';
import { addressOf } from './addresses.js';
import { type Bootstrap, bootstrap } from './bootstrap.js';
import type { Demo } from './demo.js';
import { listenFault } from './listen-fault.js';
import { limitHeapGrowth } from './heap-growth.js';
import type { OpenDatabase } from './database.js';
import type { Output } from './output.js';
import type { Shutdown } from './shutdown.js';
import type { StandIn } from './stand-in.js';
import type { WorkerPlace } from './worker-place.js';

type ServedAt = {
  readonly api: string;
  readonly published: string;
  readonly publicPort: number;
  readonly app: string;
};

interface Ports {
  readonly port: number;
  readonly publicPort: number;
}

/** Idle time after which a connection is closed during shutdown; active clients of a load balancer send sooner. */
const QUIET_MILLISECONDS = 1000;

/**
 * Serves a migrated database until a shutdown is requested, alone or at a place among several workers, and on the
 * listeners of a stand-in where there is one.
 */
export async function runApplication(
  { config, url }: Pick<OpenDatabase, 'config' | 'url'>,
  modules: readonly AddedModule[],
  shutdown: Shutdown,
  output: Output,
  { place, standIn }: { readonly place?: WorkerPlace; readonly standIn?: StandIn | undefined } = {},
): Promise<void> {
  const app = await createApp(config, { databaseUrl: url, modules, logger: new StartLog(config, modules) });
  limitHeapGrowth();
  try {
    await app.get(KeyStates).requireReadable();
    await app.get(KeyStates).start();
    await app.get(ServerProcesses).start();
    await app.get(MonthsAheadJob).tryMake();
    // Listens first: a port in use must not lose the token that only the first start shows. Clients that wait for
    // readiness find its account.
    const ready = app.get(Health).hold('starting');
    const listeners = await listen(app, config, standIn);
    // A stand-in has sent them until now.
    if (place?.announces !== false) await app.get(StoredAddresses).begin();
    const first = await bootstrap(app, config);
    await place?.serve(listeners.publicPort, app.get(Metrics));
    ready();
    const demo = first && config.demo ? await demoFor(app, first, output) : undefined;
    const held = await app.get(BackgroundWork).heldBy();
    if (place?.announces !== false) announce(output, listeners, { first, demo, held });
    // One process has the jobs of a server, so that models are in memory once.
    if (WORKER === undefined || WORKER === 1) {
      app.get(BackgroundWork).start();
      void removeAbandonedFolders().catch((error: unknown) =>
        output.note(`Temporary folders could not be removed: ${reasonOf(error)}`),
      );
    }
    await shutdown.wait();
    await drain(app, config, shutdown);
  } finally {
    await app.close();
  }
}

/** The framework's messages about its start only matter for debugging; failures are thrown as well. */
class StartLog extends NestLog {
  private static readonly framework: ReadonlySet<unknown> = new Set([
    'NestFactory',
    'InstanceLoader',
    'RoutesResolver',
    'RouterExplorer',
    'NestApplication',
  ]);

  constructor(
    private readonly config: Config,
    modules: readonly AddedModule[],
  ) {
    super(createLog(config, secretsOf(config, describeSettings(manifestsOf(modules)))));
  }

  override log(message: unknown, ...rest: unknown[]): void {
    if (!this.leavesOut(rest)) super.log(message, ...rest);
  }

  override error(message: unknown, ...rest: unknown[]): void {
    if (!this.leavesOut(rest)) super.error(message, ...rest);
  }

  private leavesOut(rest: readonly unknown[]): boolean {
    return !['debug', 'trace'].includes(this.config.logLevel) && StartLog.framework.has(rest.at(-1));
  }
}

/** Opens both listeners and announces their addresses to the services. */
async function listen(app: NestExpressApplication, config: Config, standIn: StandIn | undefined): Promise<ServedAt> {
  const { port, publicPort } = standIn ? await takeOver(app, standIn) : await openPorts(app, config);
  const api = config.apiUrl ?? addressOf(config.host, port);
  const published = config.publicUrl ?? addressOf(config.host, publicPort);
  const addresses = app.get(Addresses);
  addresses.announce(api, published, config.appUrl);
  return { api, published, publicPort, app: addresses.app('') };
}

async function openPorts(app: NestExpressApplication, config: Config): Promise<Ports> {
  try {
    await app.listen(config.port, config.host);
  } catch (error) {
    throw listenFault(error, config);
  }
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { port, publicPort: await app.get(PublicListener).listen(port) };
}

/** Answers from now on what comes to the ports that are open already. */
async function takeOver(app: NestExpressApplication, { api, published }: StandIn): Promise<Ports> {
  await app.init();
  app.get(Listeners).adopt(api.connections);
  api.answerBy(app.getHttpAdapter().getInstance() as RequestListener);
  return { port: api.port, publicPort: app.get(PublicListener).takeOver(published) };
}

/** A failure to create the demo must not prevent serving. */
async function demoFor(
  app: NestExpressApplication,
  { organization, userId }: Bootstrap,
  output: Output,
): Promise<Demo | undefined> {
  try {
    const { importDemo } = await import('./demo.js');
    return await importDemo(app, organization.id, userId);
  } catch (error) {
    output.note(`The demo could not be imported: ${reasonOf(error)}`);
    return undefined;
  }
}

/** The state that the start of a server tells. */
type Started = {
  readonly first: Bootstrap | undefined;
  readonly demo: Demo | undefined;
  /** The reason why background work waits. */
  readonly held: string | undefined;
};

function announce(output: Output, { api, published, app }: ServedAt, { first, demo, held }: Started): void {
  const lines = [
    `Bindery ${VERSION} is running. Stop it with Ctrl+C.`,
    '',
    `  Workspace         ${app}`,
    `  API               ${api}/v1`,
    `  Swagger UI        ${api}/docs`,
    `  Files and sites   ${published}`,
    '',
    ...(held === undefined ? [] : [`Background work waits: ${held}.`, '']),
  ];
  if (first === undefined) {
    lines.push('Try it:', '', `  curl ${api}/v1`, '');
  } else {
    lines.push(
      `First start: created the administrator ${first.email} and the organization ${first.organization.title} (${first.organization.id}).`,
      ...(demo
        ? [
            `The demo is the site ${demo.title} (${demo.site}) with ${demo.pages} pages in the space ${demo.space}. Read it at`,
            '',
            `  ${demo.url}`,
            '',
            `Change request #${demo.review.number} of it, by ${demo.review.by}, waits for a review by the administrator:`,
            '',
            `  ${demo.review.url}`,
            '',
          ]
        : []),
      ...signInLines(first.signInURL),
      ...tokenLines(first.token),
      '',
      'Try it:',
      '',
      // Double quotes, so that the shell expands the variable.
      `  curl -H "Authorization: Bearer ${first.token ?? '$BOOTSTRAP_TOKEN'}" ${api}/v1/orgs`,
      '',
    );
  }
  output.result(
    {
      version: VERSION,
      pid: WORKER === undefined ? process.pid : process.ppid,
      api: `${api}/v1`,
      docs: `${api}/docs`,
      published,
      app,
      ...(first && { bootstrap: first }),
      ...(demo && { demo }),
      ...(held !== undefined && { backgroundWork: `waits: ${held}` }),
    },
    lines,
  );
}

function signInLines(link: string | undefined): string[] {
  if (link === undefined) return ['Make a link that signs the administrator in with bindery user sign-in-link.', ''];
  return ['Sign in to the workspace with this link, which works once, for a day:', '', `  ${link}`, ''];
}

function tokenLines(token: string | undefined): string[] {
  if (token === undefined) return ['The API token of the administrator is that of BOOTSTRAP_TOKEN.'];
  return ['The API token of the administrator is shown only now:', '', `  ${token}`];
}

/**
 * Closes both listeners without failing a request: the server becomes not ready and closes each connection after its
 * next response, but serves on until load balancers have removed it; then it accepts no new connection and lets open
 * requests finish.
 */
async function drain(app: NestExpressApplication, config: Config, shutdown: Shutdown): Promise<void> {
  const listeners = app.get(Listeners);
  app.get(Health).hold('stopping');
  listeners.announceEnd();
  const isBalanced = await shutdown.delay(config.shutdownDelay);
  await listeners.close(shutdown.loss === undefined ? config.shutdownTimeout : 0, isBalanced ? QUIET_MILLISECONDS : 0);
}
