import { describe, expect, it } from '@jest/globals';
import { DEVIATIONS } from './deviations.js';
import { loadPublicDescriptions, MISSING_PACKAGE } from './documents.js';
import { evidenceOf, type Exchange } from './evidence.js';
import { EXTENSION_OPERATIONS, operationOf, OPERATIONS } from './extensions.js';
import { INTERFACE_OPERATIONS, SECTIONS, type Operation } from './operations.js';
import { ContractError, Recorder, type RecordedExchange } from './recorder.js';
import { responseSchema, ResponseValidator } from './validate.js';
import { observe, optionalProperties } from './walk.js';

const descriptions = loadPublicDescriptions();
const withPackage = descriptions ? it : it.skip;
if (!descriptions) process.stderr.write(`${MISSING_PACKAGE}\n`);
const validator = new ResponseValidator(descriptions);

const operation = (id: string): Operation => {
  const found = OPERATIONS.find((candidate) => candidate.id === id);
  if (!found) throw new Error(`No operation ${id}`);
  return found;
};

const MOMENT = '2026-01-02T03:04:05.678Z';
const user = {
  object: 'user',
  id: 'u1234567890',
  displayName: 'Ada',
  urls: { location: 'http://localhost/v1/users/u' },
};
const saml = {
  object: 'saml-provider',
  id: 'saml1',
  label: 'Keys',
  ssoURL: 'https://idp.test/sso',
  entityID: 'idp',
  certificate: 'MII',
  defaultRole: null,
  createdAt: MOMENT,
  status: 'active',
  service: { acsURL: 'https://a.test/acs', startURL: 'https://a.test/start', entityID: 'us' },
  urls: { location: 'http://localhost/v1/x' },
};

describe('the table of operations', () => {
  it('holds the 141 operations of the 13 sections, each once', () => {
    expect(INTERFACE_OPERATIONS).toHaveLength(141);
    expect(SECTIONS).toHaveLength(13);
    expect(new Set(OPERATIONS.map(({ id }) => id)).size).toBe(OPERATIONS.length);
    expect(new Set(OPERATIONS.map(({ method, path }) => `${method} ${path}`)).size).toBe(OPERATIONS.length);
    expect(EXTENSION_OPERATIONS.filter(({ origin }) => origin === 'A')).toHaveLength(41);
    expect(EXTENSION_OPERATIONS.filter(({ origin }) => origin === 'B')).toHaveLength(112);
  });

  it('finds the operation of a request, literal segments first and page paths to the end', () => {
    expect(operationOf('GET', '/v1')?.id).toBe('getApiInformation');
    expect(operationOf('GET', '/v1/')?.id).toBe('getApiInformation');
    expect(operationOf('GET', '/v1/spaces/s1/content/path/a/b/c')?.id).toBe('getPageByPath');
    expect(operationOf('GET', '/v1/orgs/o/openapi/s/versions/latest')?.id).toBe('getLatestOpenAPISpecVersion');
    expect(operationOf('GET', '/v1/orgs/o/openapi/s/versions/v2')?.id).toBe('getOpenAPISpecVersionById');
    expect(operationOf('POST', '/v1/spaces/s1')).toBeUndefined();
    expect(operationOf('GET', '/v1/spaces/')).toBeUndefined();
  });

  withPackage('agrees with the public API on ids, paths, parameter names, success codes and schemas', () => {
    const wrong = OPERATIONS.filter(({ source }) => source !== 'own').flatMap((one) => {
      const document = descriptions?.[one.source as 'public' | 'next'].document;
      const published = document?.paths[one.path.replace(/^\/v1/, '') || '/']?.[one.method.toLowerCase()];
      if (published?.operationId !== one.id)
        return [`${one.id} is ${published?.operationId ?? 'absent'} at ${one.path}`];
      if (one.method === 'DELETE' || one.id === 'applyTemplateToSpace') return [];
      return one.success.filter((status) => !(status in published.responses)).map((status) => `${one.id} ${status}`);
    });
    expect(wrong).toEqual([]);
  });

  withPackage('has a schema that compiles for every answer with content', () => {
    // The published descriptions of these have no content; they answer the site and the change request.
    const without = ['applyTemplateToSite', 'triggerChangeRequestsForSiteFinding'];
    const silent = OPERATIONS.filter((one) => one.source !== 'own' && !without.includes(one.id)).flatMap((one) =>
      one.success
        .filter((status) => status !== 204 && !validator.success(one, status, 'no object').length)
        .map(() => one.id),
    );
    expect(silent).toEqual([]);
  });
});

describe('validation', () => {
  withPackage('accepts null where the public document says nullable, and nothing else', () => {
    const read = operation('getOrganizationSAMLProviderById');
    expect(validator.success(read, 200, saml)).toEqual([]);
    expect(validator.success(read, 200, { ...saml, defaultRole: 'admin' })).toEqual([]);
    expect(validator.success(read, 200, { ...saml, defaultRole: 'owner' })).not.toEqual([]);
    expect(validator.success(read, 200, { ...saml, createdAt: '2026-01-02T03:04:05Z' })).not.toEqual([]);
    expect(validator.success(read, 200, { ...saml, label: null })).not.toEqual([]);
  });

  withPackage('demands the count of a list', () => {
    const list = operation('listSAMLProvidersInOrganizationById');
    expect(validator.success(list, 200, { items: [saml], count: 1 })).toEqual([]);
    expect(validator.success(list, 200, { items: [saml], count: 2, next: { page: 'p' } })).toEqual([]);
    expect(validator.success(list, 200, { items: [saml] })).not.toEqual([]);
    expect(validator.success(list, 200, { items: [saml], count: 1, next: {} })).not.toEqual([]);
  });

  withPackage('widens documents by containers only', () => {
    const text = { object: 'text', leaves: [{ object: 'leaf', text: 'x', marks: [] }] };
    const line = { object: 'block', type: 'code-line', nodes: [text], data: {}, isVoid: false };
    const code = { object: 'block', type: 'code', isVoid: false, data: {}, nodes: [line] };
    const hint = { object: 'block', type: 'hint', isVoid: false, data: { style: 'info' }, nodes: [code] };
    const column = { object: 'block', type: 'column', isVoid: false, data: {}, nodes: [hint] };
    const columns = { object: 'block', type: 'columns', isVoid: false, data: {}, nodes: [column] };
    const document = (nodes: unknown[]): unknown => ({
      object: 'agent-instructions',
      instructions: { object: 'document', data: {}, nodes },
      updatedAt: MOMENT,
      updatedBy: 'u',
      urls: { location: 'http://localhost/x' },
    });
    const read = operation('getOrganizationAgentInstructions');
    expect(validator.success(read, 200, document([columns]))).toEqual([]);
    expect(validator.success(read, 200, document([{ ...hint, data: { style: 'loud' } }]))).not.toEqual([]);
    expect(validator.success(read, 200, document([line]))).not.toEqual([]);
    expect(validator.success(read, 200, document([{ ...column, type: 'unheard-of' }]))).not.toEqual([]);
  });

  withPackage('accepts pages without body in a list of pages', () => {
    const layout = {
      width: 'default',
      cover: true,
      coverSize: 'hero',
      title: true,
      description: true,
      tableOfContents: true,
    };
    const whole = { ...layout, outline: true, pagination: true, metadata: true };
    const page = {
      id: 'p1',
      title: 'P',
      kind: 'sheet',
      type: 'document',
      urls: { app: 'http://a.test/p' },
      slug: 'p',
      path: 'p',
      pages: [],
      layout: whole,
    };
    expect(validator.success(operation('listPages'), 200, { pages: [page] })).toEqual([]);
    expect(validator.success(operation('getPageById'), 200, { ...page, markdown: 'Hi', metaLinks: {} })).toEqual([]);
    expect(validator.success(operation('getPageById'), 200, { ...page, markdown: 7 })).not.toEqual([]);
    expect(validator.success(operation('listPages'), 200, { pages: [{ ...page, slug: undefined }] })).not.toEqual([]);
  });

  it('knows the one shape of errors', () => {
    expect(validator.error(404, { error: { code: 404, message: 'Not found' } })).toEqual([]);
    expect(
      validator.error(400, { error: { code: 400, message: 'Bad', details: [{ path: 'title', message: 'is empty' }] } }),
    ).toEqual([]);
    expect(validator.error(404, { error: { code: 400, message: 'x' } })).toHaveLength(1);
    expect(validator.error(404, { error: { code: 404, message: 'x', stack: '…' } })).toEqual([
      '/error/stack is not declared',
    ]);
    expect(validator.error(404, { message: 'x', statusCode: 404 })).toHaveLength(1);
    expect(validator.error(400, { error: { code: 400, message: 'x', details: ['title'] } })).toHaveLength(1);
  });

  it('gives a reason for every deviation', () => {
    expect(
      DEVIATIONS.filter(({ reason }) => !/^(interface|behaviour|foundations|contract|content)/.test(reason)),
    ).toEqual([]);
  });
});

describe('properties', () => {
  withPackage('notes optional properties that were seen and properties that no schema declares', () => {
    const description = validator.descriptionOf(operation('getOrganizationSAMLProviderById'));
    if (!description) throw new Error('no description');
    const schema = responseSchema(description, operation('getOrganizationSAMLProviderById'), 200);
    if (!schema) throw new Error('no schema');
    const observed = { seen: new Set<string>(), undeclared: new Set<string>() };
    const team = {
      object: 'team',
      id: 't',
      title: 'T',
      members: 1,
      spaces: 0,
      createdAt: MOMENT,
      permissions: { admin: true, view: true, fly: true },
    };
    observe(description.document, { schema, name: 'op' }, { ...saml, defaultTeam: team, extra: 1 }, observed);
    expect([...observed.seen]).toEqual(['OrganizationSAMLProvider.defaultTeam']);
    expect([...observed.undeclared].sort()).toEqual([
      'OrganizationSAMLProvider.extra',
      'OrganizationTeam.permissions.fly',
    ]);
    expect([...optionalProperties(description.document, { schema, name: 'op' })]).toEqual([
      'OrganizationSAMLProvider.defaultTeam',
    ]);
  });

  withPackage('names what stands in a member of a union by the schema that holds the union', () => {
    const read = operation('getOrganizationById');
    const description = validator.descriptionOf(read);
    const schema = description && responseSchema(description, read, 200);
    if (!description || !schema) throw new Error('no schema');
    const observed = { seen: new Set<string>(), undeclared: new Set<string>() };
    const rules = [{ rule: 'custom', expression: 'x', more: 1 }, { rule: 'require_agent_review' }];
    observe(
      description.document,
      { schema, name: 'op' },
      { defaultRole: null, urls: { logo: 'x' }, mergeRules: { type: 'rules', rules } },
      observed,
    );
    expect([...observed.seen]).toEqual(['Organization.defaultRole', 'Organization.urls.logo']);
    expect([...observed.undeclared]).toEqual(['MergeRule.more']);
  });
});

describe('the recorder', () => {
  const headers = { 'X-Request-Id': 'r1', 'content-type': 'application/json; charset=utf-8' };
  const answer = (changes: Partial<RecordedExchange>): RecordedExchange => ({
    method: 'GET',
    path: '/v1/user',
    status: 200,
    headers,
    body: user,
    ...changes,
  });
  const record = (changes: Partial<RecordedExchange>): (() => void) => {
    const recorder = new Recorder(validator, null);
    return () => recorder.record(answer(changes), 0);
  };

  it('accepts what the contract says', () => {
    expect(record({})).not.toThrow();
    expect(
      record({
        method: 'DELETE',
        path: '/v1/spaces/s',
        status: 204,
        body: undefined,
        headers: { 'x-request-id': 'r' },
      }),
    ).not.toThrow();
    expect(record({ status: 304, body: undefined })).not.toThrow();
    expect(record({ method: 'HEAD', body: undefined })).not.toThrow();
    expect(
      record({ path: '/healthz', body: 'ok', headers: { 'x-request-id': 'r', 'content-type': 'text/plain' } }),
    ).not.toThrow();
  });

  it.each<[string, Partial<RecordedExchange>, RegExp]>([
    ['a server error', { status: 500, body: { error: { code: 500, message: 'x' } } }, /a server error/],
    [
      'an outage that no test announced',
      { status: 503, body: { error: { code: 503, message: 'x' } } },
      /a server error/,
    ],
    [
      'another success code',
      { method: 'DELETE', path: '/v1/spaces/s', status: 205, body: undefined },
      /success is 204 here/,
    ],
    ['an operation outside the tables', { path: '/v1/unheard-of' }, /no table of the contract/],
    ['a body with 204', { method: 'DELETE', path: '/v1/spaces/s', status: 204, body: {} }, /a body came with 204/],
    ['401 without a challenge', { status: 401, body: { error: { code: 401, message: 'x' } } }, /www-authenticate/],
    ['an answer without request id', { headers: { 'content-type': 'application/json' } }, /x-request-id/],
    [
      'an error that is not JSON',
      { status: 404, body: 'Cannot GET', headers: { 'x-request-id': 'r', 'content-type': 'text/html' } },
      /content type is text\/html/,
    ],
    ['a creation without Location', { method: 'POST', path: '/v1/orgs/o/saml', status: 201, body: saml }, /location/],
  ])('refuses %s', (_name, changes, message) => {
    expect(record(changes)).toThrow(message);
    expect(record(changes)).toThrow(ContractError);
  });

  it('lets an announced outage pass when it says when to come back', () => {
    const outage = { status: 503, outage: true, body: { error: { code: 503, message: 'x' } } };
    expect(record({ ...outage, headers: { ...headers, 'retry-after': '1' } })).not.toThrow();
    expect(record(outage)).toThrow(/a server error/);
  });

  it('keeps a fault in the record even if the test swallows the exception', () => {
    const recorder = new Recorder(validator, null);
    expect(() => recorder.record(answer({ status: 500, body: {} }), 0)).toThrow(ContractError);
    const kept = recorder.endTest('a.spec.ts', 'test', 1);
    expect(kept.serverErrors).toBe(1);
    expect(kept.problems.length).toBeGreaterThan(0);
    expect(recorder.endTest('a.spec.ts', 'next', 1).problems).toEqual([]);
  });

  it('keeps requests that held the event loop for more than a second of the processor', () => {
    const recorder = new Recorder(validator, null);
    const request = { id: 'a', method: 'GET', url: '/v1/user', route: '/v1/user' };
    recorder.noteHold({ request, wall: 2000, cpu: 1000 });
    recorder.noteHold({ wall: 2000, cpu: 2000 });
    recorder.noteHold({ request, wall: 2000, cpu: 1001 });
    recorder.beginTest();
    expect(recorder.endTest('a.spec.ts', 'test', 1).holds).toEqual([
      'GET /v1/user held the event loop for 1001 ms of the processor (2000 ms)',
    ]);
    expect(recorder.endTest('a.spec.ts', 'next', 1).holds).toEqual([]);
  });

  it('takes nothing written before a test as proof in it', () => {
    const recorder = new Recorder(validator, null);
    const create = {
      method: 'POST',
      path: '/v1/orgs/o/saml',
      requestBody: { label: 'Keys 1' },
      status: 201,
      body: saml,
    };
    const read = { path: '/v1/orgs/o/saml/saml1', body: { ...saml, label: 'Keys 1' } };
    recorder.record(answer({ ...create, headers: { ...headers, location: '/x' } }), 0);
    recorder.beginTest();
    recorder.record(answer(read), 0);
    expect(recorder.endTest('a.spec.ts', 'reads only', 1).evidence['getOrganizationSAMLProviderById']?.exercised).toBe(
      false,
    );
    recorder.beginTest();
    recorder.record(answer({ ...create, headers: { ...headers, location: '/x' } }), 0);
    recorder.record(answer(read), 0);
    const both = recorder.endTest('a.spec.ts', 'writes and reads', 1);
    expect(both.evidence['getOrganizationSAMLProviderById']?.exercised).toBe(true);
    expect(both.evidence['createOrganizationSAMLProvider']?.exercised).toBe(true);
  });
});

describe('evidence', () => {
  const exchange = (method: Exchange['method'], target: string, changes: Partial<Exchange> = {}): Exchange => {
    const url = new URL(target, 'http://api.invalid');
    const query = Object.fromEntries(url.searchParams);
    const status = method === 'DELETE' ? 204 : 200;
    const base = {
      method,
      path: url.pathname,
      query,
      requestBody: undefined,
      status,
      body: undefined,
      caller: '',
      assertions: 0,
    };
    return { ...base, operation: operationOf(method, url.pathname), ...changes };
  };
  const create = exchange('POST', '/v1/orgs/o1/spaces', {
    status: 201,
    requestBody: { title: 'Red book' },
    body: { id: 'spaceABCDEF12', title: 'Red book' },
  });
  const read = exchange('GET', '/v1/spaces/spaceABCDEF12', { body: { id: 'spaceABCDEF12', title: 'Red book' } });
  const exercised = (exchanges: Exchange[], id: string, assertions = 1): boolean | undefined =>
    evidenceOf(exchanges, assertions).get(id)?.exercised;

  it('takes a read that shows what the test wrote', () => {
    expect(exercised([create, read], 'getSpaceById')).toBe(true);
    expect(exercised([create, read], 'createSpace')).toBe(true);
  });

  it('takes no read that shows only the id of its own path, or data of nobody', () => {
    const bare = { ...read, body: { id: 'spaceABCDEF12', title: 'Other' } };
    expect(exercised([create, bare], 'getSpaceById')).toBe(false);
    expect(exercised([read], 'getSpaceById')).toBe(false);
    expect(exercised([read, create], 'getSpaceById')).toBe(false);
  });

  it('takes nothing that the test did not assert about afterwards', () => {
    expect(exercised([create, read], 'getSpaceById', 0)).toBe(false);
    expect(exercised([create, { ...read, assertions: 3 }], 'getSpaceById', 3)).toBe(false);
  });

  it('takes words and booleans only under the same name', () => {
    const patch = exchange('PATCH', '/v1/spaces/spaceABCDEF12', { requestBody: { editMode: 'live' }, body: {} });
    expect(exercised([patch, { ...read, body: { note: 'live' } }], 'updateSpaceById')).toBe(false);
    expect(exercised([patch, { ...read, body: { editMode: 'live' } }], 'updateSpaceById')).toBe(true);
  });

  it('takes no write that is never read back, even if its answer repeats it', () => {
    expect(exercised([create], 'createSpace')).toBe(false);
    expect(exercised([create, { ...read, status: 404, body: {} }], 'createSpace')).toBe(false);
  });

  it('finds the text of a document that was sent as Markdown', () => {
    const write = exchange('POST', '/v1/spaces/spaceABCDEF12/content', {
      requestBody: { markdown: '# Head\n\nA long sentence.' },
    });
    const page = exchange('GET', '/v1/spaces/spaceABCDEF12/content/page/p1', {
      body: { leaves: [{ text: 'A long sentence.' }] },
    });
    expect(exercised([write, page], 'getPageById')).toBe(true);
  });

  it('takes a delete after which the thing is gone, or after which a read differs', () => {
    const remove = exchange('DELETE', '/v1/spaces/spaceABCDEF12');
    const gone = { ...read, status: 404, body: {} };
    const list = exchange('GET', '/v1/orgs/o1/spaces', { body: { items: [{ id: 'spaceABCDEF12' }], count: 1 } });
    expect(exercised([create, remove, gone], 'deleteSpaceById')).toBe(true);
    expect(exercised([remove, gone], 'deleteSpaceById')).toBe(false);
    expect(exercised([create, remove], 'deleteSpaceById')).toBe(false);
    expect(exercised([list, remove, { ...list, body: { items: [], count: 0 } }], 'deleteSpaceById')).toBe(true);
    expect(exercised([list, remove, list], 'deleteSpaceById')).toBe(false);
    expect(exercised([list, remove, { ...list, caller: 'another', body: {} }], 'deleteSpaceById')).toBe(false);
  });

  it('takes a write without body whose answer shows what was written before', () => {
    const restore = exchange('POST', '/v1/spaces/spaceABCDEF12/restore', { body: { title: 'Red book' } });
    expect(exercised([create, restore], 'restoreSpace')).toBe(true);
    expect(exercised([restore], 'restoreSpace')).toBe(false);
  });

  it('notes what a list has shown: rows, a next page, filters that leave a row out', () => {
    const sites = (query: string, items: string[], more = {}): Exchange =>
      exchange('GET', `/v1/orgs/o1/sites${query}`, {
        body: { items: items.map((id) => ({ id })), count: items.length, ...more },
      });
    const seen = (...lists: Exchange[]): unknown => {
      const { nonEmpty, next, filters } = evidenceOf(lists, 1).get('listSites') ?? {
        nonEmpty: false,
        next: false,
        filters: [],
      };
      return { nonEmpty, next, filters };
    };
    expect(seen(sites('', []))).toEqual({ nonEmpty: false, next: false, filters: [] });
    expect(seen(sites('', ['a', 'b']), sites('?title=a', ['a']))).toEqual({
      nonEmpty: true,
      next: false,
      filters: ['title'],
    });
    expect(seen(sites('', ['a']), sites('?title=a', ['a']))).toEqual({ nonEmpty: true, next: false, filters: [] });
    expect(seen(sites('?published=true', ['a']), sites('?published=false', ['b']))).toMatchObject({
      filters: ['published'],
    });
    expect(seen(sites('?limit=1', ['a'], { count: 2, next: { page: 'p' } }))).toEqual({
      nonEmpty: true,
      next: true,
      filters: [],
    });
  });
});
