import { describe, expect, it } from '@jest/globals';
import { faultsOf, faultsOfAny, leaksOf, SLOW_MS } from './fuzz/judge.js';
import { Marks } from './fuzz/marks.js';
import type { Heard, Wire } from './fuzz/wire.js';

const FOREIGN_ID = 'ZyXwVuTsRqPoNmLkJiHg';
const marks = new Marks('Canary-of-the-other');
marks.claim(FOREIGN_ID);
marks.claim('not an id');
const other = { marks };

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'a' };
const asked = (wire: Partial<Wire> = {}) => ({
  wire: { method: 'GET', path: '/v1/user', headers: {}, body: undefined, isChunked: false, ...wire },
  other,
});
const heard = (status: number, text: string, more: Partial<Heard> = {}): Heard => ({
  status,
  headers: JSON_TYPE,
  text,
  milliseconds: 5,
  ...more,
});
const refusal = (code: number, error: object = {}) =>
  JSON.stringify({ error: { code, message: 'Space not found', ...error } });

describe('the judge of the fuzzer', () => {
  it.each<[string, ReturnType<typeof asked>, Heard]>([
    ['an answer', asked(), heard(200, '{"items":[]}')],
    ['an answer without a body', asked({ method: 'DELETE' }), heard(204, '')],
    ['an answer that has not changed', asked(), heard(304, '')],
    ['an answer to HEAD', asked({ method: 'HEAD' }), heard(200, '')],
    ['something else than JSON', asked(), heard(200, '# Page', { headers: { 'content-type': 'text/markdown' } })],
    ['an answer that takes just so long', asked(), heard(200, '{}', { milliseconds: SLOW_MS })],
    ['a refusal', asked(), heard(404, refusal(404))],
    [
      'a refusal with its reasons',
      asked(),
      heard(400, refusal(400, { details: [{ path: 'title', message: 'is required' }] })),
    ],
    ['a refusal to HEAD', asked({ method: 'HEAD' }), heard(404, '', { headers: {} })],
    [
      'the page of a login that is refused',
      asked({ path: '/sso/saml/x/acs' }),
      heard(400, '<p>', { headers: { 'content-type': 'text/html' } }),
    ],
    [
      'what the caller has sent, given back',
      asked({ path: `/v1/spaces/${FOREIGN_ID}`, body: Buffer.from(marks.canary) }),
      heard(400, refusal(400, { message: `${FOREIGN_ID} ${marks.canary}` })),
    ],
    [
      'what the caller has sent encoded, given back',
      asked({ path: `/v1/search?query=${encodeURIComponent(`"${marks.canary}"`)}` }),
      heard(200, JSON.stringify(`"${marks.canary}"`)),
    ],
    [
      'where the people of the other organization log in',
      asked({ path: '/v1/orgs/x/sso' }),
      heard(200, JSON.stringify({ id: FOREIGN_ID })),
    ],
    ['ids of nobody else', asked(), heard(200, JSON.stringify({ id: 'AbCdEfGh0123456789Xy' }))],
  ])('lets pass %s', (_, question, answer) => {
    expect(faultsOf(question, answer)).toEqual([]);
  });

  it.each<[string, Heard, object]>([
    ['no answer', heard(0, '', { fault: 'socket hang up' }), { kind: 'no answer', what: 'socket hang up' }],
    [
      'a fault of the server',
      heard(500, refusal(500, { message: 'The server failed' })),
      { kind: 'server error', what: '500 The server failed' },
    ],
    ['a server that is not there', heard(503, 'Bad gateway'), { kind: 'server error', what: '503 Bad gateway' }],
    ['a slow answer', heard(200, '{}', { milliseconds: SLOW_MS + 1 }), { kind: 'slow' }],
    ['a slow refusal', heard(404, refusal(404), { milliseconds: SLOW_MS + 1 }), { kind: 'slow' }],
    [
      'an error that is no JSON by its type',
      heard(404, refusal(404), { headers: { 'content-type': 'text/html' } }),
      { kind: 'error shape', what: '404: the type is text/html' },
    ],
    [
      'an error without a type',
      heard(404, '', { headers: {} }),
      { kind: 'error shape', what: '404: the type is undefined' },
    ],
    ['an error that is no JSON', heard(404, '<html>'), { kind: 'error shape', what: '404: no JSON' }],
    [
      'an error of another shape',
      heard(404, '{"message":"no"}'),
      { kind: 'error shape', what: '404: not the shape of errors' },
    ],
    [
      'an error with more beside it',
      heard(404, '{"error":{"code":404,"message":"no"},"stack":""}'),
      { kind: 'error shape', what: '404: not the shape of errors' },
    ],
    ['an error that is a list', heard(404, '[]'), { kind: 'error shape' }],
    [
      'an error with another code',
      heard(404, refusal(400)),
      { kind: 'error shape', what: '404: not the fields of errors' },
    ],
    [
      'an error without words',
      heard(404, refusal(404, { message: '' })),
      { kind: 'error shape', what: '404: not the fields of errors' },
    ],
    [
      'an error with further fields',
      heard(404, refusal(404, { stack: 'x' })),
      { kind: 'error shape', what: '404: not the fields of errors' },
    ],
    [
      'an error whose details are none',
      heard(400, refusal(400, { details: 'title' })),
      { kind: 'error shape', what: '400: not the details of errors' },
    ],
    [
      'an error whose details lack a path',
      heard(400, refusal(400, { details: [{ message: 'no' }] })),
      { kind: 'error shape', what: '400: not the details of errors' },
    ],
    [
      'an error of endless length',
      heard(400, refusal(400, { details: [{ path: 'x', message: 'y'.repeat(200_000) }] })),
      { kind: 'error shape', what: expect.stringContaining('characters') },
    ],
    [
      'an error without the id of its request',
      heard(404, refusal(404), { headers: { 'content-type': 'application/json' } }),
      { kind: 'error shape', what: '404: no request id' },
    ],
    ['a body where there is none', heard(204, '{}'), { kind: 'answer shape', what: '204 with a body' }],
    ['an answer that is cut off', heard(200, '{"items":['), { kind: 'answer shape', what: '200 is no JSON' }],
    [
      'a text of the other organization',
      heard(200, JSON.stringify({ title: marks.canary })),
      { kind: 'leak', what: 'of the other organization: its canary' },
    ],
    [
      'an id of the other organization',
      heard(200, JSON.stringify({ id: FOREIGN_ID })),
      { kind: 'leak', what: 'of the other organization: the id …' },
    ],
    [
      'an id of the other organization in a header',
      heard(200, '{}', { headers: { ...JSON_TYPE, location: `/v1/spaces/${FOREIGN_ID}` } }),
      { kind: 'leak' },
    ],
    [
      'a text of the other organization in a refusal',
      heard(409, refusal(409, { message: `${marks.canary} is taken` })),
      { kind: 'leak' },
    ],
  ])('finds %s', (_, answer, fault) => {
    expect(faultsOf(asked(), answer)).toEqual([expect.objectContaining(fault)]);
  });

  it.each([
    'TypeError: x is undefined',
    'relation "space" does not exist',
    'syntax error at or near "SELECT"',
    'insert violates a rule',
    'duplicate key value',
    'QueryFailed',
    'connect ECONNREFUSED 127.0.0.1:5432',
    'invalid input syntax for type json',
    'PostgreSQL 18 says no',
    'x at /srv/app/main.js:1:1',
    'x at file:///srv/main.js',
    'x at async Spaces.get',
    'x at Spaces.get (main.js:1)',
    'in node_modules',
  ])('finds words of the inside: %s', (message) => {
    const fault = { kind: 'error shape', what: `400: tells of the inside: ${message}` };
    const details = [
      { path: 'title', message: 'is required' },
      { path: 'icon', message },
    ];
    for (const error of [{ message }, { details }])
      expect(faultsOf(asked(), heard(400, refusal(400, error)))).toEqual([fault]);
  });

  it('tells several faults of one answer', () => {
    const kinds = faultsOf(asked(), heard(404, marks.canary)).map(({ kind }) => kind);
    expect(kinds).toEqual(['leak', 'error shape']);
  });

  it('holds other listeners to what holds everywhere', () => {
    expect(faultsOfAny(heard(404, '<html>', { headers: { 'content-type': 'text/html' } }))).toEqual([]);
    expect(faultsOfAny(heard(502, '')).map(({ kind }) => kind)).toEqual(['server error']);
    expect(
      leaksOf(asked({ path: '/%' }).wire, heard(200, `<p>${marks.canary}`), other).map(({ kind }) => kind),
    ).toEqual(['leak']);
  });
});
