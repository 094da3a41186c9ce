import { isRecord } from '../../contract/json-schema.js';
import type { Wire } from './wire.js';

const TRIES = 80;

/** Makes a request smaller, a part at a time, as long as `isStill` says that it shows the same fault. */
export async function minimal(wire: Wire, isStill: (wire: Wire) => Promise<boolean>): Promise<Wire> {
  let best = wire;
  let tries = 0;
  for (let found = true; found && tries < TRIES;) {
    found = false;
    for (const smaller of smallerThan(best)) {
      if (++tries > TRIES) break;
      if (!(await isStill(smaller))) continue;
      best = smaller;
      found = true;
      break;
    }
  }
  return best;
}

function* smallerThan(wire: Wire): Generator<Wire> {
  if (wire.isChunked) yield { ...wire, isChunked: false };
  for (const name of Object.keys(wire.headers)) {
    if (name === 'Authorization' || name === 'Content-Type') continue;
    const { [name]: _left, ...headers } = wire.headers;
    yield { ...wire, headers };
  }
  const [path = '', query] = wire.path.split(/\?(.*)/s, 2);
  const pairs = query === undefined ? [] : query.split('&');
  for (const at of pairs.keys())
    yield {
      ...wire,
      path: [path, pairs.filter((_, index) => index !== at).join('&')].filter((part) => part !== '').join('?'),
    };
  if (!wire.body) return;
  let value: unknown;
  try {
    value = JSON.parse(wire.body.toString());
  } catch {
    return;
  }
  for (const smaller of smallerValues(value)) yield { ...wire, body: Buffer.from(JSON.stringify(smaller)) };
}

function* smallerValues(value: unknown): Generator {
  if (typeof value === 'string' && value.length > 1) {
    yield value.slice(0, value.length >> 1);
    yield value.slice(value.length >> 1);
    if (value.length < 100) yield value.slice(1);
  } else if (Array.isArray(value)) {
    if (value.length > 3) {
      yield value.slice(0, value.length >> 1);
      yield value.slice(value.length >> 1);
    }
    for (const at of [...value.keys()].slice(0, 20)) yield value.filter((_, index) => index !== at);
    for (const at of [...value.keys()].slice(0, 20))
      for (const smaller of smallerValues(value[at])) yield value.with(at, smaller);
  } else if (isRecord(value)) {
    for (const name of Object.keys(value)) {
      const { [name]: _left, ...rest } = value;
      yield rest;
    }
    for (const [name, each] of Object.entries(value))
      for (const smaller of smallerValues(each)) yield { ...value, [name]: smaller };
  }
}
