import { isJson, type Json } from './json.js';
import { requireExtent } from './extent.js';
import { pointerOf, unreadable, type Problem } from './problem.js';
import { localPath, resolveAnchors, visitReferences } from './references.js';

const MAX_DOCUMENTS = 100;
/** Where the other documents of a specification stand in it. */
const EXTERNAL = 'x-ext';

/** Reads another document by its address, parsed. Throws `Unreadable`. */
export type LoadDocument = (address: string) => Promise<unknown>;

/**
 * Takes the documents that a specification refers to into it, under `x-ext`, and makes all references to them lead there; gives
 * their addresses. `base` is the address of the specification, without which only absolute addresses lead anywhere. Throws
 * `Unreadable` for what cannot be read. Changes `root`.
 */
export async function bundle(root: Json, base: string | undefined, load: LoadDocument): Promise<string[]> {
  const names = new Map<string, string>();
  const documents: Json = {};
  const own = base === undefined ? undefined : split(base)[0];
  const waiting: Waiting[] = [{ document: root, base: own, prefix: [] }];
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    for (const { node, target, fragment, pointer } of foreignReferences(next)) {
      const where = { pointer, ...(next.prefix.length > 0 && next.base !== undefined && { document: next.base }) };
      const address = addressOf(target, next.base, where);
      if (address === own) {
        node['$ref'] = `#${fragment}`;
        continue;
      }
      let name = names.get(address);
      if (name === undefined) {
        if (names.size >= MAX_DOCUMENTS) throw unreadable('too-many-documents', `the specification consists of more than ${MAX_DOCUMENTS} documents`, where);
        name = `d${names.size + 1}`;
        names.set(address, name);
        const document = await load(address);
        requireExtent(document, address);
        documents[name] = document;
        waiting.push({ document, base: address, prefix: [EXTERNAL, name] });
      }
      node['$ref'] = `#${pointerOf([EXTERNAL, name])}${fragment}`;
    }
  }
  if (names.size > 0) root[EXTERNAL] = { ...(isJson(root[EXTERNAL]) ? root[EXTERNAL] : {}), ...documents };
  return [...names.keys()];
}

interface Waiting {
  readonly document: unknown;
  /** Its address. */
  readonly base: string | undefined;
  /** Where it stands in the specification. */
  readonly prefix: readonly string[];
}

interface Foreign {
  readonly node: Json;
  readonly target: string;
  readonly fragment: string;
  readonly pointer: string;
}

/** The references of a document to others; those to itself are made to lead to where it stands. */
function foreignReferences({ document, prefix, base }: Waiting): Foreign[] {
  resolveAnchors(document);
  const found: Foreign[] = [];
  // Aliases of YAML lead to one object from several places.
  const seen = new Set<Json>();
  visitReferences(document, (node, written, path) => {
    if (seen.has(node)) return;
    seen.add(node);
    const [before, fragment] = split(written);
    const target = before !== '' && base !== undefined && URL.canParse(before, base) && split(new URL(before, base).href)[0] === base ? `#${fragment}` : written;
    if (!target.startsWith('#')) found.push({ node, target, fragment, pointer: pointerOf([...path, '$ref']) });
    else if (prefix.length > 0) node['$ref'] = `#${pointerOf([...prefix, ...(localPath(target) ?? [target])])}`;
    else node['$ref'] = target;
  });
  return found;
}

function split(target: string): [string, string] {
  const hash = target.indexOf('#');
  return hash < 0 ? [target, ''] : [target.slice(0, hash), target.slice(hash + 1)];
}

/** The address of the document that a reference means. */
function addressOf(target: string, base: string | undefined, where: Pick<Problem, 'pointer' | 'document'>): string {
  const [before] = split(target);
  const shown = JSON.stringify(target.slice(0, 200));
  if (!URL.canParse(before, base)) {
    const why = base === undefined ? 'a specification that is given as a text can refer to itself and to absolute addresses only' : 'that is no address';
    throw unreadable('unresolved-reference', `refers to ${shown}: ${why}`, where);
  }
  const url = new URL(before, base);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw unreadable('unresolved-reference', `refers to ${shown}, and only http and https can be read`, where);
  return url.href;
}
