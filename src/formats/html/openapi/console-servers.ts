import { webAddress } from '../../../kernel/common/web-address.js';
import { isObject } from '../../document/checks.js';
import { listAt, objectAt, textAt, type ReadonlyJsonObject } from './description.js';

const MAX_SERVERS = 10;
const MAX_VARIABLES = 10;
const MAX_VALUES = 50;
/** Sources that the servers of one operation name in a policy. */
const MAX_SOURCES = 60;

export interface ServerVariable {
  readonly name: string;
  readonly value: string;
  /** The only values that it may have. */
  readonly values?: readonly string[];
}

/** A server with names of variables in braces. */
export interface ConsoleServer {
  readonly url: string;
  readonly variables: readonly ServerVariable[];
}

/** The servers of an operation to which a page can send requests, and the sources by which a policy allows exactly those. */
export function consoleServers(
  root: ReadonlyJsonObject,
  item: ReadonlyJsonObject,
  operation: ReadonlyJsonObject,
): { readonly servers: readonly ConsoleServer[]; readonly sources: readonly string[] } {
  const sources = new Set<string>();
  const servers = listedServers(root, item, operation).flatMap((server) => {
    // A host that a reader could choose while the policy forbids it would look as if it were away.
    for (const each of [server, withDefaults(server)]) {
      const found = sourcesOf(each);
      if (found.length === 0 || new Set([...sources, ...found]).size > MAX_SOURCES) continue;
      for (const source of found) sources.add(source);
      return [each];
    }
    return [];
  });
  return { servers, sources: [...sources] };
}

function listedServers(
  root: ReadonlyJsonObject,
  item: ReadonlyJsonObject,
  operation: ReadonlyJsonObject,
): ConsoleServer[] {
  const listed = [operation, item, root].map((each) => listAt(each, 'servers')).find((each) => each.length > 0) ?? [];
  const servers = listed.slice(0, MAX_SERVERS).flatMap((server) => {
    const url = isObject(server) ? textAt(server, 'url', 1_000) : undefined;
    if (!isObject(server) || url === undefined) return [];
    const variables = objectAt(server, 'variables');
    return [{ url: url.replace(/\/+$/, ''), variables: namesIn(url).map((name) => variableOf(url, name, variables)) }];
  });
  const host = textAt(root, 'host', 300);
  if (servers.length > 0 || host === undefined) return servers;
  const basePath = (textAt(root, 'basePath', 500) ?? '').replace(/\/+$/, '');
  const schemes = listAt(root, 'schemes').filter((each) => each === 'https' || each === 'http');
  return (schemes.length > 0 ? [...new Set(schemes)] : ['https']).map((scheme) => ({
    url: `${String(scheme)}://${host}${basePath}`,
    variables: [],
  }));
}

const namesIn = (url: string): string[] =>
  [...new Set([...url.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name))].slice(0, MAX_VARIABLES);

const withDefaults = ({ url, variables }: ConsoleServer): ConsoleServer => ({
  url,
  variables: variables.map((each) => (each.values ? { ...each, values: [each.value] } : each)),
});

const ORIGIN = /^(?:https?|\{[^{}]+\}):\/\/[^/?#\\]+/i;

/** A name that its owner chooses, such as that of a customer, is the first part of the host. */
const isFirstOfHost = (url: string, name: string): boolean => url.includes(`://{${name}}.`);

function variableOf(url: string, name: string, variables: ReadonlyJsonObject): ServerVariable {
  const found = objectAt(variables, name);
  const values = listAt(found, 'enum')
    .filter((each) => typeof each === 'string')
    .slice(0, MAX_VALUES);
  const usual = textAt(found, 'default', 200) ?? values[0] ?? '';
  if (values.length > 0) return { name, value: usual, values };
  // No policy can allow each value of another part of the host.
  const isFixed = !isFirstOfHost(url, name) && ORIGIN.exec(url)?.[0].includes(`{${name}}`) === true;
  return { name, value: usual, ...(isFixed && { values: [usual] }) };
}

/** Scheme, host and port of a server, once for each value that they may have. */
function sourcesOf({ url, variables }: ConsoleServer): string[] {
  const [origin] = ORIGIN.exec(url) ?? [];
  if (origin === undefined) return [];
  let found = [origin];
  for (const { name, value, values } of variables) {
    if (!origin.includes(`{${name}}`)) continue;
    const chosen = values ?? (isFirstOfHost(url, name) ? ['*', value] : [value]);
    found = found.flatMap((each) => chosen.map((one) => each.replaceAll(`{${name}}`, () => one)));
    // More than a policy may have tell as much as all of them.
    found = found.slice(0, MAX_SOURCES + 1);
  }
  return found.flatMap((each) => policySourceOf(each) ?? []);
}

/** The form of an origin in a policy; a text with any other character could add to the policy. */
export function policySourceOf(origin: string): string | undefined {
  const wildcard = /^(https?:\/\/)\*(\.[a-z0-9-]+(?:\.[a-z0-9-]+)+(?::\d{1,5})?)$/i.exec(origin);
  if (wildcard) return origin.toLowerCase();
  const url = webAddress(origin);
  return url?.username === '' && url.password === '' && /^https?:\/\/[a-z0-9][a-z0-9.-]*(:\d{1,5})?$/.test(url.origin)
    ? url.origin
    : undefined;
}
