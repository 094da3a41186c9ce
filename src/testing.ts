import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { Ajv, type ValidateFunction } from 'ajv';
import { migrateUp } from './cli/schema.js';
import { loadConfig } from './config.js';
import { createApp } from './http.js';
import { Organizations } from './identity/organizations/organizations.service.js';
import { Members } from './identity/organizations/members.service.js';
import { Tokens } from './identity/users/tokens.service.js';
import { Users } from './identity/users/users.service.js';
import { Addresses } from './kernel/common/addresses.js';
import { Database } from './kernel/common/database.js';
import { newId } from './kernel/common/ids.js';
import type { AccessLevel } from './kernel/common/roles.js';
import { Listeners } from './kernel/platform/http/listeners.js';
import { Jobs } from './kernel/platform/jobs/jobs.js';
import type { AddedModule } from './kernel/platform/manifest/added-modules.js';
import { manifestsOf } from './manifests.js';

/*
 * The package `bindery/testing`: a whole service for the tests of an external module, with callers of every role. It
 * needs no test framework.
 */

/** A response; `body` is undefined if there is none. */
export interface TestAnswer<Body = Record<string, unknown>> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
}

/** A response that differs from the published description of its operation. */
export class ContractError extends Error {
  override readonly name = 'ContractError';
}

type Schema = Readonly<Record<string, unknown>>;
interface Operation {
  readonly responses?: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }>
  >;
}
interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

/** Validates responses against the OpenAPI description that the service publishes. */
class PublishedContract {
  private readonly ajv = new Ajv({ strict: false, validateFormats: false });
  private readonly validators = new Map<Schema, ValidateFunction>();

  constructor(private readonly description: ApiDescription) {
    this.ajv.addSchema({ $id: 'api', components: asJsonSchema(description.components) });
  }

  /** Throws `ContractError` for an operation or a status that is not described, and for a body of another shape. */
  check(method: string, path: string, { status, body }: TestAnswer<unknown>): void {
    const called = `${method} ${path}`;
    const operation = this.operation(method, path);
    if (!operation) {
      if (status === 404) return;
      throw new ContractError(`${called} is not described`);
    }
    const response = operation.responses?.[String(status)] ?? operation.responses?.['default'];
    if (!response) throw new ContractError(`${called} answers ${status}, which its description does not know`);
    const schema = response.content?.['application/json']?.schema;
    if (!schema) return;
    const validate = this.validator(schema);
    if (!validate(body))
      throw new ContractError(
        `${called} answers ${status} with another body than described: ${this.ajv.errorsText(validate.errors)}`,
      );
  }

  private operation(method: string, path: string): Operation | undefined {
    const [pathname = ''] = path.split('?');
    const templates = Object.keys(this.description.paths).filter((template) =>
      new RegExp(`^${template.replace(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
    );
    // `/spaces/search` takes precedence over `/spaces/{spaceId}`.
    const [closest] = templates.sort((a, b) => a.split('{').length - b.split('{').length);
    return closest === undefined ? undefined : this.description.paths[closest]?.[method.toLowerCase()];
  }

  private validator(schema: Schema): ValidateFunction {
    const known = this.validators.get(schema);
    if (known) return known;
    const validate = this.ajv.compile(asJsonSchema(schema));
    this.validators.set(schema, validate);
    return validate;
  }
}

/** OpenAPI 3.0 as JSON Schema: references into the description, and null among the values of nullable schemas. */
function asJsonSchema<Value>(schema: Value): Value {
  const text = JSON.stringify(schema ?? {}).replaceAll('"#/components/', '"api#/components/');
  return JSON.parse(text, (_, value: unknown) => {
    const isNullable = typeof value === 'object' && value !== null && 'nullable' in value && value.nullable === true;
    if (!isNullable) return value;
    if ('enum' in value && Array.isArray(value.enum)) return { ...value, enum: [...(value.enum as unknown[]), null] };
    return 'type' in value ? value : { anyOf: [{ ...value, nullable: undefined }, { type: 'null' }] };
  }) as Value;
}

/** A caller of the API; every response is validated against the published description. */
export class TestCaller {
  constructor(
    private readonly base: string,
    private readonly contract: PublishedContract,
    readonly id: string | undefined,
    readonly token: string | undefined,
  ) {}

  get<Body = Record<string, unknown>>(path: string): Promise<TestAnswer<Body>> {
    return this.send('GET', path);
  }
  post<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<TestAnswer<Body>> {
    return this.send('POST', path, body);
  }
  put<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<TestAnswer<Body>> {
    return this.send('PUT', path, body);
  }
  patch<Body = Record<string, unknown>>(path: string, body?: unknown): Promise<TestAnswer<Body>> {
    return this.send('PATCH', path, body);
  }
  delete<Body = Record<string, unknown>>(path: string): Promise<TestAnswer<Body>> {
    return this.send('DELETE', path);
  }

  /** Sends a request to `/v1` and `path`. Throws `ContractError`, and for every response of 5xx. */
  async send<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<TestAnswer<Body>> {
    const response = await fetch(`${this.base}/v1${path}`, {
      method,
      redirect: 'manual',
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(this.token !== undefined && { Authorization: `Bearer ${this.token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') === true;
    const answer = {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : text || undefined) as Body,
    };
    if (answer.status >= 500) throw new ContractError(`${method} /v1${path} answers ${answer.status}: ${text}`);
    this.contract.check(method, `/v1${path}`, answer);
    return answer;
  }
}

/** An organization of its own, with its administrator. */
export interface TestOrganization {
  readonly id: string;
  readonly admin: TestCaller;
  /** A new member with a role; `none` makes a guest. */
  member(role: AccessLevel): Promise<TestCaller>;
}

export interface TestServiceOptions {
  readonly modules?: readonly AddedModule[];
  /** Settings by their environment variables. */
  readonly environment?: Readonly<Record<string, string>>;
  /** An empty or migrated PostgreSQL database; by default an embedded one, which is removed at the end. */
  readonly databaseUrl?: string;
}

/** A running service on loopback, for one test file. */
export class TestService {
  private constructor(
    private readonly app: NestExpressApplication,
    private readonly contract: PublishedContract,
    /** Without `/v1`. */
    readonly url: string,
    private readonly release: () => Promise<void>,
  ) {}

  static async start({ modules = [], environment = {}, databaseUrl }: TestServiceOptions = {}): Promise<TestService> {
    const folder = await mkdtemp(join(tmpdir(), 'bindery-testing-'));
    const database =
      databaseUrl === undefined ? await embedded(folder) : { url: databaseUrl, remove: async () => undefined };
    const release = async (): Promise<void> => {
      await database.remove();
      await rm(folder, { recursive: true, force: true });
    };
    try {
      const manifests = manifestsOf(modules);
      await migrateUp(database.url, manifests);
      const config = loadConfig(
        {
          DATA_DIR: folder,
          DATABASE_URL: database.url,
          SECRET_KEY: 'only-for-tests-only-for-tests-only-for-tests',
          LOG_LEVEL: 'error',
          RATE_LIMIT_PER_MINUTE: '0',
          RATE_LIMIT_ANONYMOUS_PER_MINUTE: '0',
          OUTBOUND_ALLOW: '127.0.0.0/8',
          ...environment,
        },
        manifests,
      );
      const app = await createApp(config, { modules, logger: ['error', 'fatal'] });
      try {
        await app.listen(0, '127.0.0.1');
        const url = `http://127.0.0.1:${(app.getHttpServer().address() as AddressInfo).port}`;
        app.get(Addresses).announce(url, url.replace('127.0.0.1', 'localhost'));
        const description = (await (await fetch(`${url}/openapi.json`)).json()) as ApiDescription;
        return new TestService(app, new PublishedContract(description), url, release);
      } catch (error) {
        await app.close();
        throw error;
      }
    } catch (error) {
      await release();
      throw error;
    }
  }

  /** A provider of the service or of one of its modules. */
  get<Service>(type: Type<Service>): Service {
    return this.app.get(type, { strict: false });
  }

  /** A caller without a token. */
  get anonymous(): TestCaller {
    return new TestCaller(this.url, this.contract, undefined, undefined);
  }

  /** A person with an account and a token, but without an organization. */
  async person(): Promise<TestCaller> {
    const email = `${newId().toLowerCase()}@example.com`;
    const { id } = await this.get(Users).create({
      email,
      displayName: `Person ${email.slice(0, 6)}`,
      emailVerified: true,
    });
    const { secret } = await this.get(Tokens).issue(id, { name: 'test' });
    return new TestCaller(this.url, this.contract, id, secret);
  }

  async organization(title = 'Test organization'): Promise<TestOrganization> {
    const admin = await this.person();
    const { id } = await this.get(Organizations).create(admin.id ?? '', { title });
    return {
      id,
      admin,
      member: async (role) => {
        const person = await this.person();
        await this.get(Database).transaction(() => this.get(Members).admit(id, person.id ?? '', role));
        return person;
      },
    };
  }

  /** Waits until all enqueued jobs have run, and those that they enqueued. */
  async runJobs(): Promise<void> {
    await this.get(Jobs).drain();
  }

  async close(): Promise<void> {
    // A response that a test has not read would keep the server open.
    await this.app.get(Listeners).close(1, 0);
    await this.app.close();
    await this.release();
  }
}

async function embedded(folder: string): Promise<{ readonly url: string; remove(): Promise<void> }> {
  const { startEmbeddedPostgres } = await import('./kernel/platform/embedded-postgres/embedded-postgres.js');
  return startEmbeddedPostgres({ dataDir: folder, durable: false, log: () => undefined });
}
