import { isRecord } from '../../contract/json-schema.js';
import { commonPart } from '../../contract/scim-errors.js';
import type { Marks } from './marks.js';
import type { Heard, Wire } from './wire.js';

/** Longer than this, and it is asked again alone before it counts. */
export const SLOW_MS = 2000;

/** What is wrong with an answer; `kind` and `what` together name the fault, wherever it is found again. */
export interface Fault {
  readonly kind: 'no answer' | 'server error' | 'slow' | 'error shape' | 'answer shape' | 'leak';
  readonly what: string;
  /** The part of the answer that shows it. */
  readonly shown?: string;
}

/** Characters of an answer that are shown before and behind what gives it away. */
const SHOWN = 150;

/** What no caller should read of the server's inside. */
const INSIDE =
  /\bat (?:\/|file:|async |new |[\w$.<>]+ \()|node_modules|\brelation "|syntax error at or near|violates |duplicate key value|QueryFailed|TypeError|ECONNREFUSED|invalid input syntax|PostgreSQL \d/;
/** Operations that tell everybody what is published for everybody, or where the people of an organization log in. */
const PUBLIC = /^\/v1\/(?:urls\/published|auth\/|orgs\/[^/]+\/sso\b)/;

/** What was asked, and the organization that must not be seen in the answer. */
interface Question {
  readonly wire: Wire;
  readonly other: { readonly marks: Marks };
}

/** Judges an answer of the API. */
export function faultsOf({ wire, other }: Question, heard: Heard): Fault[] {
  const faults = faultsOfAny(heard);
  if (faults.length > 0 || heard.status === 0) return faults;
  if (!PUBLIC.test(wire.path)) faults.push(...leaksOf(wire, heard, other));
  if (heard.status >= 400) faults.push(...errorFaults(heard, wire.method === 'HEAD' || wire.path.startsWith('/sso/')));
  else faults.push(...successFaults(heard, wire.method === 'HEAD'));
  return faults;
}

/** What holds for every listener. */
export function faultsOfAny({ status, fault, milliseconds, text }: Heard): Fault[] {
  if (status === 0) return [{ kind: 'no answer', what: fault ?? '' }];
  const faults: Fault[] = [];
  if (status >= 500) faults.push({ kind: 'server error', what: `${status} ${messageOf(text)}` });
  else if (milliseconds > SLOW_MS) faults.push({ kind: 'slow', what: '' });
  return faults;
}

export function leaksOf(wire: Wire, { headers, text }: Heard, other: Question['other']): Fault[] {
  const answer = `${JSON.stringify(headers)} ${text}`;
  const found = other.marks.foundIn(
    answer,
    `${decoded(wire.path)} ${wire.path} ${JSON.stringify(wire.headers)} ${wire.body?.toString() ?? ''}`,
  );
  if (found === undefined) return [];
  const what = found.mark === other.marks.canary ? 'its canary' : 'the id …';
  return [
    {
      kind: 'leak',
      what: `of the other organization: ${what}`,
      shown: `… ${answer.slice(Math.max(0, found.at - SHOWN), found.at + SHOWN)} …`,
    },
  ];
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { error?: { message?: string } }).error?.message ?? '';
  } catch {
    return text.slice(0, 80);
  }
}

function errorFaults({ status, headers, text }: Heard, isOther: boolean): Fault[] {
  if (isOther) return [];
  const shape = (what: string): Fault[] => [{ kind: 'error shape', what: `${status}: ${what}` }];
  if (!/^application\/(?:scim\+)?json/.test(headers['content-type'] ?? ''))
    return shape(`the type is ${String(headers['content-type'])}`);
  let body: unknown;
  try {
    body = commonPart(JSON.parse(text));
  } catch {
    return shape('no JSON');
  }
  const error = isRecord(body) ? body['error'] : undefined;
  if (!isRecord(body) || !isRecord(error) || Object.keys(body).join() !== 'error')
    return shape('not the shape of errors');
  const { code, message, details: reasons = [], ...more } = error;
  if (code !== status || typeof message !== 'string' || message === '' || Object.keys(more).length > 0)
    return shape('not the fields of errors');
  const details: readonly unknown[] | undefined = Array.isArray(reasons) ? reasons : undefined;
  if (details?.every(isDetail) !== true) return shape('not the details of errors');
  if (text.length > 200_000) return shape(`an error of ${text.length} characters`);
  const inside = [message, ...details.map((detail) => detail.message)].find((words) => INSIDE.test(words));
  if (inside !== undefined) return shape(`tells of the inside: ${inside.slice(0, 100)}`);
  if (headers['x-request-id'] === undefined) return shape('no request id');
  return [];
}

function isDetail(value: unknown): value is { readonly path: string; readonly message: string } {
  return isRecord(value) && typeof value['path'] === 'string' && typeof value['message'] === 'string';
}

function successFaults({ status, headers, text }: Heard, isHead: boolean): Fault[] {
  if (status === 204 || status === 304 || isHead)
    return text === '' ? [] : [{ kind: 'answer shape', what: `${status} with a body` }];
  if (!/^application\/json/.test(headers['content-type'] ?? '')) return [];
  try {
    JSON.parse(text);
    return [];
  } catch {
    return [{ kind: 'answer shape', what: `${status} is no JSON` }];
  }
}
