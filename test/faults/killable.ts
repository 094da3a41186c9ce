import type { Target } from './history-writers.js';
import type { Process, Stage } from './processes.js';

/** One of the servers on a common database, which is killed and comes back at other addresses. */
export class Killable implements Target {
  url: string | undefined;
  /** Of its published sites. */
  published: string | undefined;
  private server: Process | undefined;

  constructor(
    private readonly stage: Stage,
    private readonly env: Readonly<Record<string, string>>,
  ) {}

  async start(): Promise<void> {
    const { server, facts } = await this.stage.serve({ env: this.env });
    this.server = server;
    this.url = facts.api;
    this.published = facts.published;
  }

  async kill(): Promise<void> {
    await this.server?.kill('SIGKILL');
    this.url = undefined;
    this.published = undefined;
  }
}
