import { canonicalJson } from '../../../document/hash.js';
import { isJson, type JsonObject } from '../json.js';
import { pointerOf } from '../specification-problem.js';
import { ChangeList, inQuotes, type ChangeSubject, type FoundChanges } from './change.js';
import { OperationComparison } from './compare-operations.js';
import { SchemaComparison } from './compare-schemas.js';
import { compareSecurity } from './compare-security.js';
import { ComparedDocument, itemsAt, memberAt, entriesAt, type LocatedObject } from './effective-schema.js';
import { operationsAt, type FoundOperation } from './operation-parts.js';

/** Maximum number of changes that are listed; all are counted. */
export const MAX_LISTED_CHANGES = 5_000;

interface Entry {
  readonly subject: ChangeSubject;
  readonly found: FoundOperation;
}

/**
 * The changes from one version of a specification to another, both as OpenAPI 3: operations by method and path, with the
 * schemas that they use, each of which counts once for all operations that share it.
 */
export function specificationChanges(before: JsonObject, after: JsonObject, most = MAX_LISTED_CHANGES): FoundChanges {
  const changes = new ChangeList();
  const [old, current] = [new ComparedDocument(before), new ComparedDocument(after)];
  const schemas = new SchemaComparison(old, current, changes);
  const comparison = new OperationComparison(old, current, schemas, changes);
  compareWhole(before, after, changes);
  for (const kind of ['operation', 'webhook'] as const) {
    const [one, other] =
      kind === 'operation' ? [pathsOf(old), pathsOf(current)] : [webhooksOf(old), webhooksOf(current)];
    for (const [key, { subject, found }] of one) {
      const counterpart = other.get(key);
      if (counterpart)
        comparison.compare({
          before: found,
          after: counterpart.found,
          subject: counterpart.subject,
          direction: kind === 'operation' ? 'sent' : 'received',
          prefix: '',
        });
      else
        changes.add({
          ...subject,
          effect: 'breaking',
          code: `${kind}-removed`,
          message: `The ${kind} was removed`,
          pointer: found.operation.pointer,
        });
    }
    for (const [key, { subject, found }] of other)
      if (!one.has(key))
        changes.add({
          ...subject,
          effect: 'compatible',
          code: `${kind}-added`,
          message: `The ${kind} was added`,
          pointer: found.operation.pointer,
        });
  }
  return changes.result(most);
}

/** Operations by method and by path, in which names of parameters do not count. */
function pathsOf(document: ComparedDocument): Map<string, Entry> {
  const all = new Map<string, Entry>();
  for (const [path, given] of entriesAt({ value: document.root, pointer: '' }, 'paths')) {
    if (path.startsWith('x-')) continue;
    for (const [method, found] of operationsAt(document, given, path)) {
      const key = `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
      all.set(all.has(key) ? `${method} ${path}` : key, { subject: { operation: { method, path } }, found });
    }
  }
  return all;
}

function webhooksOf(document: ComparedDocument): Map<string, Entry> {
  const all = new Map<string, Entry>();
  for (const kind of ['x-webhooks', 'webhooks'])
    for (const [name, given] of entriesAt({ value: document.root, pointer: '' }, kind))
      for (const [method, found] of operationsAt(document, given, ''))
        all.set(`${method} ${name}`, { subject: { webhook: { method, name } }, found });
  return all;
}

/** Compares what holds for all operations: servers, authorization and its schemes. */
function compareWhole(before: JsonObject, after: JsonObject, changes: ChangeList): void {
  const [old, current]: LocatedObject[] = [
    { value: before, pointer: '' },
    { value: after, pointer: '' },
  ];
  if (!old || !current) return;
  const serversOf = (root: LocatedObject): Map<string, string> =>
    new Map(
      itemsAt(root, 'servers').flatMap(({ value, pointer }) =>
        isJson(value) && typeof value['url'] === 'string' ? [[value['url'], pointer] as const] : [],
      ),
    );
  const [servers, newer] = [serversOf(old), serversOf(current)];
  for (const [url, pointer] of servers)
    if (!newer.has(url))
      changes.add({
        effect: 'dangerous',
        code: 'server-removed',
        message: `The server ${inQuotes(url)} was removed`,
        pointer,
      });
  for (const [url, pointer] of newer)
    if (!servers.has(url))
      changes.add({
        effect: 'compatible',
        code: 'server-added',
        message: `The server ${inQuotes(url)} was added`,
        pointer,
      });
  compareSecurity({ root: before, owner: old }, { root: after, owner: current }, (effect, code, message, pointer) =>
    changes.add({ effect, code, message, pointer }),
  );
  compareSchemes(old, current, changes);
}

const FACTS_OF_SCHEME = ['type', 'in', 'name', 'scheme', 'openIdConnectUrl', 'flows'] as const;

function compareSchemes(before: LocatedObject, after: LocatedObject, changes: ChangeList): void {
  const schemesOf = (root: LocatedObject): Map<string, unknown> => {
    const components = memberAt(root, 'components')?.value;
    const found = isJson(components) ? { value: components, pointer: '/components' } : undefined;
    return new Map([...entriesAt(found, 'securitySchemes')].map(([name, { value }]) => [name, value]));
  };
  const newer = schemesOf(after);
  for (const [name, old] of schemesOf(before)) {
    const current = newer.get(name);
    if (!isJson(old) || !isJson(current)) continue;
    const pointer = pointerOf(['components', 'securitySchemes', name]);
    for (const fact of FACTS_OF_SCHEME)
      if (factOf(old, fact) !== factOf(current, fact))
        changes.add({
          effect: fact === 'flows' ? 'dangerous' : 'breaking',
          code: 'security-scheme-changed',
          message: `The security scheme ${inQuotes(name)} has another ${fact}`,
          pointer,
        });
  }
}

/** A fact as JSON; descriptions of scopes do not count. */
function factOf(scheme: JsonObject, fact: (typeof FACTS_OF_SCHEME)[number]): string {
  const value = scheme[fact];
  if (fact !== 'flows' || !isJson(value)) return canonicalJson(value);
  return canonicalJson(
    Object.entries(value)
      .map(([name, flow]) => [
        name,
        isJson(flow) && isJson(flow['scopes']) ? { ...flow, scopes: Object.keys(flow['scopes']).sort() } : flow,
      ])
      .sort(([one], [other]) => (String(one) < String(other) ? -1 : 1)),
  );
}
