import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { Addresses } from '../../../src/kernel/common/addresses.js';
import type { TestApp } from '../../app.js';
import type { OpenApiDocument } from '../../contract/json-schema.js';
import { Dice } from './dice.js';
import { Figures } from './figures.js';
import { Gate } from './gate.js';
import { faultsOf, faultsOfAny, leaksOf, type Fault } from './judge.js';
import { minimal } from './minimal.js';
import { Kinds, operationsOf, type FuzzedOperation } from './operations.js';
import { OUTSIDE, type Outside } from './outside.js';
import { anyRequest, plainRequest, type Asked, type Scene } from './requests.js';
import { Side } from './side.js';
import type { Target } from './target.js';
import { Values } from './values.js';
import { curlOf, Line, NOT_SENT, type Heard, type Wire } from './wire.js';

/** How many requests are under way at once. */
const LANES = 8;
/** One request in so many is sent as it should be; a few for every run are those of the permission matrix. */
const PLAIN_OF = 50;
/** What lies beside the operations is many things under few names. */
const OUTSIDE_ROUNDS = 5;
/** How often in succession a request has to be slow, when nothing else is asked, before it counts as slow. */
const TRIES_ALONE = 3;
/** Requests between two looks at whether the organizations are still whole. */
const HEALED_EVERY = 400;
/** Requests between two looks at the memory. */
const MEASURED_EVERY = 10_000;

export interface FuzzOptions {
  readonly rounds: number;
  readonly seed: number;
  /** Parts of names; only operations that have one of them in their id or path are tried. */
  readonly only: readonly string[];
  /** Is told each fault when it is found, and how far a long run is. */
  readonly tell: (report: string) => void;
}

/** One run over all operations of the served document, and over what the service answers beside them. */
export class Fuzz {
  readonly figures = new Figures();
  /** Faults, each with the smallest request that shows it and what the log says of it, or the answer. */
  private readonly found = new Map<string, string>();
  private readonly gate = new Gate();
  private readonly api: Line;
  private readonly published: Line;
  private readonly operations: readonly FuzzedOperation[];
  private readonly kinds: Kinds;
  private readonly values: Values;
  private healing: Promise<void> | undefined;
  /** Requests that had been sent then. */
  private healedAt = 0;
  private measuredAt = 0;

  private constructor(
    private readonly app: TestApp,
    private readonly target: Target,
    document: OpenApiDocument,
    private sides: readonly [Side, Side],
    private readonly options: FuzzOptions,
  ) {
    this.api = new Line(target.api);
    this.published = new Line(target.published);
    this.operations = operationsOf(document).filter(({ id, path }) => this.isWanted(id, path));
    this.kinds = new Kinds(operationsOf(document));
    this.values = new Values(document, this.kinds.names);
  }

  static async prepare(app: TestApp, target: Target, options: FuzzOptions): Promise<Fuzz> {
    app.get(Addresses).announce(target.api, target.published);
    const document = (await (await fetch(new URL('/openapi.json', target.api))).json()) as OpenApiDocument;
    return new Fuzz(
      app,
      target,
      document,
      [await Side.build(app, 'public'), await Side.build(app, 'share-link')],
      options,
    );
  }

  private isWanted(...names: readonly string[]): boolean {
    const { only } = this.options;
    return (
      only.length === 0 || only.some((part) => names.some((name) => name.toLowerCase().includes(part.toLowerCase())))
    );
  }

  private get scene(): Scene {
    return { sides: this.sides, values: this.values };
  }

  /** Sends everything; gives one line or more for each fault. */
  async run(): Promise<string[]> {
    await this.measure();
    await this.tryOutsides();
    const middle = this.operations.length >> 1;
    await this.inLanes(this.operations.slice(0, middle), (operation, seed) => this.tryOperation(operation, seed));
    await this.measure();
    await this.inLanes(this.operations.slice(middle), (operation, seed) => this.tryOperation(operation, seed));
    this.sides = [this.sides[0], await Side.build(this.app, 'share-link')];
    await this.tryOutsides();
    await this.measure();
    this.api.close();
    this.published.close();
    return this.reports();
  }

  /** The second time the pages are there that were written meanwhile, and nothing of the other organization is published by its own people. */
  private async tryOutsides(): Promise<void> {
    await this.inLanes(
      OUTSIDE.filter(({ id }) => this.isWanted(id)),
      (outside, seed) => this.tryOutside(outside, seed),
    );
  }

  private async inLanes<Job>(jobs: readonly Job[], work: (job: Job, seed: number) => Promise<void>): Promise<void> {
    const queue = jobs.map((job, index) => [job, this.options.seed + index] as const);
    await Promise.all(
      Array.from({ length: LANES }, async () => {
        for (let next = queue.shift(); next; next = queue.shift())
          if (this.target.ending === undefined) await work(...next);
      }),
    );
  }

  private async tryOperation(operation: FuzzedOperation, seed: number): Promise<void> {
    for (let left = Math.floor(this.options.rounds / PLAIN_OF); left > 0; left--)
      await this.send(operation, await plainRequest(operation, this.scene), () => 0);
    await this.draw(seed, this.options.rounds, async (dice) => {
      await this.heal();
      await this.send(operation, await anyRequest(operation, this.scene, dice), (count) =>
        count < 2 ? 0 : dice.below(count),
      );
    });
  }

  private async tryOutside(outside: Outside, seed: number): Promise<void> {
    const line = outside.listener === 'api' ? this.api : this.published;
    await this.draw(seed, this.options.rounds * OUTSIDE_ROUNDS, async (dice) => {
      const wire = outside.make(dice, this.sides);
      const asked: Asked = { wire, side: this.sides[0], other: this.sides[1], caller: 'nobody', ids: {} };
      const heard = await this.ask(outside.id, line, wire);
      const judge = (answer: Heard): Fault[] => [...faultsOfAny(answer), ...leaksOf(wire, answer, asked.other)];
      for (const fault of heard === undefined ? [] : judge(heard))
        await this.note(outside.id, line, asked, fault, judge);
    });
  }

  /** Runs something so many times with values that follow from the seed. */
  private async draw(seed: number, numRuns: number, run: (dice: Dice) => Promise<void>): Promise<void> {
    const property = fc.asyncProperty(fc.gen(), async (draw) => {
      if (this.target.ending === undefined) await run(new Dice(draw));
    });
    await fc.assert(property, { numRuns, seed, endOnFailure: true });
  }

  private async send(operation: FuzzedOperation, asked: Asked, choose: (count: number) => number): Promise<void> {
    const heard = await this.ask(operation.id, this.api, asked.wire);
    if (heard === undefined) return;
    const judge = (answer: Heard): Fault[] => faultsOf(asked, answer);
    for (const fault of judge(heard)) await this.note(operation.id, this.api, asked, fault, judge);
    if (heard.status < 300 && asked.wire.method !== 'HEAD') this.learn(operation, asked, heard, choose);
  }

  private async ask(name: string, line: Line, wire: Wire): Promise<Heard | undefined> {
    const heard = await this.gate.among(() => line.ask(wire));
    if (heard.fault?.startsWith(NOT_SENT)) return undefined;
    this.figures.add(name, heard.status, heard.milliseconds);
    return heard;
  }

  private learn(
    operation: FuzzedOperation,
    { side, ids }: Asked,
    { text }: Heard,
    choose: (count: number) => number,
  ): void {
    let answer: unknown;
    try {
      answer = JSON.parse(text);
    } catch {
      return;
    }
    const found = this.kinds.idsIn(operation.path, answer, choose);
    // Tokens that are listed are those by which its people call.
    if (operation.id === 'listAPITokens') return;
    const isOwn = ids['organizationId'] === side.organizationId && !/joinOrg|createOrganization$/.test(operation.id);
    const { next } = answer as { next?: { page?: string } };
    if (!isOwn) return;
    side.learn(ids, found, next?.page);
    if (operation.method === 'POST')
      for (const [name, id] of found) if (name !== 'organizationId') side.marks.claim(id);
  }

  /** Keeps a fault that shows again: what was slow or busy once, others may have caused. */
  private async note(
    operation: string,
    line: Line,
    asked: Asked,
    fault: Fault,
    judge: (heard: Heard) => Fault[],
  ): Promise<void> {
    const signature = `${operation} ${fault.kind} ${fault.what}`;
    if (this.found.has(signature)) return;
    const isSame = async (wire: Wire): Promise<boolean> =>
      judge(await this.gate.alone(() => line.ask(wire))).some(
        ({ kind, what }) => kind === fault.kind && what === fault.what,
      );
    const passes = fault.kind === 'slow' || fault.kind === 'no answer' || fault.what.startsWith('503');
    for (let tries = passes ? TRIES_ALONE : 0; tries > 0; tries--) {
      await pause(1000);
      if (!(await isSame(asked.wire))) return;
    }
    if (this.found.has(signature)) return;
    const wire = await minimal(asked.wire, isSame);
    const heard = await this.gate.alone(() => line.ask(wire));
    const inside =
      this.target.errorOf(heard.headers['x-request-id']) ??
      judge(heard).find(({ kind, what }) => kind === fault.kind && what === fault.what)?.shown ??
      `${heard.status} in ${heard.milliseconds.toFixed(0)} ms: ${heard.text.slice(0, 300)}`;
    const report = `${fault.kind}: ${operation} (${asked.caller}) ${fault.what}\n  ${curlOf(wire, line.origin)}\n  ${inside}`;
    this.found.set(signature, report);
    this.options.tell(report);
  }

  /** Now and then mends the organizations, or makes new ones where too much is gone; one at a time. */
  private async heal(): Promise<void> {
    if (this.figures.requests < this.healedAt + HEALED_EVERY) return;
    this.healing ??= this.mend().finally(() => (this.healing = undefined));
    await this.healing;
  }

  private async mend(): Promise<void> {
    this.healedAt = this.figures.requests;
    if (this.options.rounds >= PLAIN_OF) this.options.tell(`so far: ${this.figures.summary()}`);
    if (this.figures.requests >= this.measuredAt + MEASURED_EVERY) await this.measure();
    const [first, second] = this.sides;
    this.sides = [
      (await first.heal()) ? first : await Side.build(this.app, 'public'),
      (await second.heal()) ? second : await Side.build(this.app, 'share-link'),
    ];
  }

  private async measure(): Promise<void> {
    this.measuredAt = this.figures.requests;
    this.figures.memory.push(await this.target.memory());
  }

  private async reports(): Promise<string[]> {
    const stray = new Set(this.target.strayErrors().map((error) => error.split('\n').slice(0, 4).join('\n')));
    const [first, second] = this.sides;
    const { count = 0 } =
      (await this.app.database.one<{ count: number }>(
        'SELECT count(*)::int AS count FROM member a JOIN member b USING (user_id) WHERE a.organization_id = $1 AND b.organization_id = $2',
        [first.organizationId, second.organizationId],
      )) ?? {};
    return [
      ...this.found.values(),
      ...[...stray].map((error) => `error in the log: ${error}`),
      ...(this.target.ending === undefined ? [] : [this.target.ending]),
      ...(count === 0 ? [] : [`${count} people of one organization are members of the other`]),
    ];
  }
}
