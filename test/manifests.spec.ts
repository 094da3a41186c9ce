import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Controller, Get, Injectable, Module, type OnModuleInit, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Can } from '../src/kernel/access/access.decorators.js';
import { ACCESS_POLICIES, type AccessPolicy, type AllowedOperation } from '../src/kernel/access/access.points.js';
import type { PermissionKey } from '../src/kernel/access/permissions.js';
import { Database } from '../src/kernel/common/database.js';
import { job } from '../src/kernel/platform/jobs/job-definition.js';
import { Jobs } from '../src/kernel/platform/jobs/jobs.js';
import { ContributionPoint } from '../src/kernel/platform/manifest/contribution.js';
import { organization, UNAUDITED } from '../src/kernel/platform/manifest/event-definition.js';
import { defineModule } from '../src/kernel/platform/manifest/manifest.js';
import { brings, REGISTRY, Registry } from '../src/kernel/platform/manifest/registry.js';
import { FILE_STORAGES, FileStorage } from '../src/kernel/platform/storage/file-storage.js';
import { LocalStorage } from '../src/kernel/platform/storage/local-storage.js';
import { TRANSLATION_ENGINES } from '../src/insight/translations/engines/translation-engine.js';
import { TranslationEngines } from '../src/insight/translations/engines/translation-engines.js';
import { OutboxRelay } from '../src/kernel/platform/outbox-relay.js';
import { Outbox } from '../src/kernel/platform/outbox.js';
import { spaces } from '../src/workspace/spaces/spaces.manifest.js';
import { TestApp } from './app.js';
import { buildOrganization, type Workspace } from './build.js';
import { useReceiver } from './webhook-receiver.js';

const greetings = defineModule({
  name: 'greetings',
  events: {
    greeting_sent: organization('greeting', 'Somebody was greeted', { audit: true, facts: { words: 'number' } }),
    greeting_read: organization('greeting', 'A greeting was read', { audit: UNAUDITED.progress }),
  },
  targets: { greeting: { label: `'greeting of ' || (r.payload ->> 'words') || ' words'` } },
  jobs: { 'greetings.answer': job<{ greeting: string; organization: string }>() },
});

declare module '../src/kernel/platform/manifest/manifest.js' {
  interface Manifests {
    greetings: typeof greetings;
  }
}

/** What a package outside may be: it records events, and answers them with a job. */
@Injectable()
class Greetings implements OnModuleInit {
  readonly answered: string[] = [];

  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('greetings.answer', async ({ greeting, organization: organizationId }, run) => {
      await run.commit(() => this.outbox.record({ type: 'greeting_read', organizationId, target: greeting }));
      this.answered.push(greeting);
    });
  }

  send(organizationId: string, greeting: string): Promise<string> {
    return this.database.transaction(async () => {
      await this.jobs.enqueue('greetings.answer', { greeting, organization: organizationId });
      return this.outbox.record({ type: 'greeting_sent', organizationId, target: greeting, payload: { words: 3 } });
    });
  }
}

@Module({ providers: [brings(greetings), Greetings] })
class GreetingsModule {}

describe('a module from outside', () => {
  const receiver = useReceiver();
  let app: TestApp;
  let workspace: Workspace;
  beforeAll(async () => {
    app = await TestApp.start({}, undefined, [GreetingsModule]);
    workspace = await buildOrganization(app);
  });
  afterAll(() => app.close());

  it('has its events in the audit log, at webhooks and in the published document, and its jobs run', async () => {
    const { id, admin } = workspace;
    const made = await admin.api.post<{ id: string }>(`/orgs/${id}/webhooks`, {
      url: receiver.url('/greeted'),
      events: ['greeting_sent', 'greeting_read'],
    });
    expect(made.status).toBe(201);
    const eventId = await app.get(Greetings).send(id, 'Greeting000000000001');
    await app.get(Jobs).drain();
    expect(app.get(Greetings).answered).toEqual(['Greeting000000000001']);

    const { body: log } = await admin.api.get<{ items: object[] }>(`/orgs/${id}/audit-events?action=greeting_sent`);
    expect(log.items).toEqual([
      expect.objectContaining({
        action: 'greeting_sent',
        target: { type: 'greeting', id: 'Greeting000000000001', label: 'greeting of 3 words' },
        executionId: eventId,
        payload: { words: 3 },
      }),
    ]);
    const { body: actions } = await admin.api.get<{ items: { id: string; label: string }[] }>(
      `/orgs/${id}/audit-event-actions`,
    );
    expect(actions.items.filter(({ id: action }) => action.startsWith('greeting'))).toEqual([
      expect.objectContaining({ id: 'greeting_sent', label: 'Somebody was greeted' }),
    ]);

    await app.get(OutboxRelay).drain();
    await app.get(Jobs).drain();
    expect(receiver.at('/greeted').map(({ event }) => event)).toEqual([
      expect.objectContaining({
        type: 'greeting_sent',
        greetingId: 'Greeting000000000001',
        organizationId: id,
        words: 3,
      }),
      expect.objectContaining({ type: 'greeting_read', greetingId: 'Greeting000000000001' }),
    ]);

    const published = (await (await fetch(`${app.url}/openapi.json`)).json()) as {
      components: { schemas: Record<string, { properties: Record<string, { items: { enum: string[] } }> }> };
    };
    expect(published.components.schemas['CreateWebhook']?.properties['events']?.items.enum).toEqual(
      expect.arrayContaining(['*', 'space_created', 'greeting_sent', 'greeting_read']),
    );
  });

  it('has its events accepted where it is there, and all others refused in words', async () => {
    const refused = await workspace.admin.api.post<{ error: { message: string } }>(`/orgs/${workspace.id}/webhooks`, {
      url: receiver.url('/refused'),
      events: ['greeting_lost'],
    });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toMatch(
      /must be one of the following values: \*, .*greeting_sent, greeting_read/,
    );
  });
});

/** Says no on Sundays, and to nobody else. */
@Injectable()
class Sundays implements AccessPolicy {
  isSunday = false;

  async refusal({ permission, parameters }: AllowedOperation): Promise<string | undefined> {
    const isChange = permission !== 'organization:view' && parameters['organizationId'] !== undefined;
    return this.isSunday && isChange ? 'Nothing is changed on Sundays' : undefined;
  }
}

class MemoryStorage extends LocalStorage {}

const strategies = defineModule({
  name: 'strategies',
  contributes: [
    ACCESS_POLICIES.with(Sundays),
    FILE_STORAGES.with(() => undefined),
    FILE_STORAGES.with(({ filesDir }) => new MemoryStorage(filesDir)),
    TRANSLATION_ENGINES.with(() => undefined),
    TRANSLATION_ENGINES.with(() => ({
      title: 'Pig Latin',
      find: async (source, target) =>
        source === 'en' && target === 'la'
          ? { name: 'pig-latin', hides: 'nothing', translate: async (segments) => ({ segments }) }
          : undefined,
      offer: async () => 'en to la',
    })),
  ],
});

@Module({ providers: [brings(strategies), Sundays] })
class StrategiesModule {}

describe('what a module from outside may replace', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start({}, undefined, [StrategiesModule]);
  });
  afterAll(() => app.close());

  it('refuses what roles allow, and allows nothing that they refuse', async () => {
    const workspace = await buildOrganization(app);
    const { id, admin } = workspace;
    const reader = await workspace.member('read');
    const policy = app.get(Sundays);
    policy.isSunday = true;
    expect((await admin.api.get(`/orgs/${id}`)).status).toBe(200);
    const refused = await admin.api.patch(`/orgs/${id}`, { title: 'Another' });
    expect(refused).toMatchObject({ status: 403, body: { error: { message: 'Nothing is changed on Sundays' } } });
    policy.isSunday = false;
    expect((await admin.api.patch(`/orgs/${id}`, { title: 'Another' })).status).toBe(200);
    expect((await reader.api.patch(`/orgs/${id}`, { title: 'Mine' })).body).toMatchObject({
      error: { code: 403, message: expect.stringContaining('organization:admin') },
    });
  });

  it('keeps files, and translates, before what the service has', async () => {
    expect(app.get(FileStorage as Type<FileStorage>)).toBeInstanceOf(MemoryStorage);
    expect(await app.get(TranslationEngines).choose('en', 'la')).toMatchObject({ name: 'pig-latin' });
    expect(await app.get(TranslationEngines).choose('en', 'ja')).toMatchObject({
      reason: expect.stringContaining('Pig Latin (en to la)'),
    });
  });
});

describe('the boot', () => {
  const target = { thing: { label: null } };
  const event = { thing_made: organization('thing', 'A thing was made', { audit: true }) };

  it.each([
    [
      'two modules of one name',
      [defineModule({ name: 'things' }), defineModule({ name: 'things' })],
      'the module things is brought twice, by things and by things',
    ],
    [
      'two events of one name',
      [
        defineModule({ name: 'things', events: event, targets: target }),
        defineModule({ name: 'others', events: event }),
      ],
      'the event thing_made is brought twice, by things and by others',
    ],
    [
      'two jobs of one name',
      [
        defineModule({ name: 'things', jobs: { 'things.make': job() } }),
        defineModule({ name: 'others', jobs: { 'things.make': job() } }),
      ],
      'the job things.make is brought twice, by things and by others',
    ],
    [
      'two targets of one name',
      [defineModule({ name: 'things', targets: target }), defineModule({ name: 'others', targets: target })],
      'the target thing is brought twice, by things and by others',
    ],
    [
      'two names of actors',
      [
        defineModule({ name: 'things', auditSources: { actorLabel: `'a'` } }),
        defineModule({ name: 'others', auditSources: { actorLabel: `'b'` } }),
      ],
      'the source of the audit log actorLabel is brought twice, by things and by others',
    ],
    [
      'an audited event about something that nobody names',
      [defineModule({ name: 'things', events: event })],
      'the audit log tells of thing_made, but no manifest says what its target, thing, is called',
    ],
  ])('fails at %s', (_, manifests, fault) => {
    expect(() => new Registry(manifests)).toThrow(fault);
  });

  it('gives a module what those above it contribute, in their order and to each point apart', () => {
    const columns = new ContributionPoint<string>('columns');
    const conditions = new ContributionPoint<number>('conditions');
    const registry = new Registry([
      defineModule({ name: 'first', contributes: [columns.with('a'), conditions.with(1)] }),
      defineModule({ name: 'second', contributes: [columns.with('b')] }),
    ]);
    expect(registry.contributionsTo(columns)).toEqual(['a', 'b']);
    expect(registry.contributionsTo(conditions)).toEqual([1]);
    expect(registry.contributionsTo(new ContributionPoint('columns'))).toEqual([]);
    expect(registry.contributionTo(conditions)).toBe(1);
    expect(() => registry.contributionTo(columns)).toThrow('2 modules contribute the columns, where it takes one');
    expect(() => registry.contributionTo(new ContributionPoint('lines'))).toThrow('0 modules contribute the lines');
  });

  it('lets an event that is no line of the audit log be about anything', () => {
    const registry = new Registry([
      defineModule({
        name: 'things',
        events: { thing_seen: organization('thing', 'A thing was seen', { audit: UNAUDITED.progress }) },
      }),
    ]);
    expect([...registry.events.keys(), ...registry.publishedEvents, ...registry.auditActions]).toEqual([
      'thing_seen',
      'thing_seen',
    ]);
  });

  it('fails at a second module that brings an event of the service', async () => {
    @Module({ providers: [brings(spaces)] })
    class First {}
    @Module({
      providers: [
        brings(
          defineModule({
            name: 'spaces-again',
            events: { space_created: organization('space', 'A space', { audit: true }) },
          }),
        ),
      ],
    })
    class Again {}
    @Module({ imports: [First, Again], providers: [REGISTRY] })
    class Small {}
    await expect(NestFactory.createApplicationContext(Small, { logger: false, abortOnError: false })).rejects.toThrow(
      'the event space_created is brought twice, by spaces and by spaces-again',
    );
  });

  it('fails at a job without a handler', async () => {
    @Module({ providers: [brings(defineModule({ name: 'idle', jobs: { 'idle.work': job() } }))] })
    class Idle {}
    await expect(TestApp.start({}, undefined, [Idle])).rejects.toThrow('jobs without a handler: idle.work');
  });

  it('fails at an operation that asks for a permission of no module, or for none', async () => {
    @Controller('unheard')
    class Unheard {
      @Get()
      @Can('organization:unheard' as PermissionKey)
      answer(): string {
        return 'never';
      }
    }
    @Module({ controllers: [Unheard] })
    class UnheardModule {}
    await expect(TestApp.start({}, undefined, [UnheardModule])).rejects.toThrow(
      'Unheard.answer asks for organization:unheard: no module brings the permission organization:unheard',
    );

    @Controller('open')
    class Open {
      @Get()
      answer(): string {
        return 'never';
      }
    }
    @Module({ controllers: [Open] })
    class OpenModule {}
    await expect(TestApp.start({}, undefined, [OpenModule])).rejects.toThrow('Open.answer declares no access');
  });

  it('fails at a handler of a job that no module brings', async () => {
    @Module({ providers: [Greetings] })
    class Unannounced {}
    await expect(TestApp.start({}, undefined, [Unannounced])).rejects.toThrow(
      'no module brings the job greetings.answer',
    );
  });
});
