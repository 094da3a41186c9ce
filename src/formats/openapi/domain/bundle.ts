import { webAddress } from '../../../kernel/common/web-address.js';
import { isJson, objectOf, type JsonObject } from './json.js';
import { requireBoundedSize } from './bounded-size.js';
import { pointerOf, unreadable, type SpecificationProblem } from './specification-problem.js';
import { schemaAnchors, localPath, resolveAnchors, visitReferences } from './references.js';

const MAX_DOCUMENTS = 100;
/** The place of the other documents of a specification inside it. */
const EXTERNAL = 'x-ext';

/** Loads and parses another document by its address; `where` is the first reference to it. Throws `Unreadable`. */
export type LoadDocument = (address: string, where: Where) => Promise<unknown>;
type Where = Pick<SpecificationProblem, 'pointer' | 'document'>;

/**
 * Embeds the documents that a specification refers to under `x-ext`, and rewrites all references to them; returns their
 * addresses. `base` is the address of the specification, without which only absolute addresses can be resolved. Throws
 * `Unreadable` for documents that cannot be read. Changes `root`.
 */
export async function bundle(root: JsonObject, base: string | undefined, load: LoadDocument): Promise<string[]> {
  const whole: Taken = { document: root, base: base === undefined ? undefined : split(base)[0], prefix: [] };
  const taken = new Map<string | undefined, Taken>([[whole.base, whole]]);
  // Documents that are added meanwhile are visited as well.
  for (const each of taken.values()) {
    for (const { node, target, fragment, pointer } of foreignReferences(each)) {
      const where = { pointer, ...(each !== whole && each.base !== undefined && { document: each.base }) };
      const address = addressOf(target, each.base, where);
      const known = taken.get(address);
      if (!known && taken.size > MAX_DOCUMENTS)
        throw unreadable(
          'too-many-documents',
          `refers to ${shown(target)}, and a specification may refer to ${MAX_DOCUMENTS} documents at most`,
          where,
        );
      const other = known ?? {
        document: await load(address, where),
        base: address,
        prefix: [EXTERNAL, `d${taken.size}`],
      };
      if (!known) requireBoundedSize(other.document, address);
      taken.set(address, other);
      node['$ref'] = `#${pointerOf(other.prefix)}${placeOf(other, fragment)}`;
    }
  }
  const [, ...others] = [...taken.values()];
  if (others.length > 0)
    root[EXTERNAL] = {
      ...(isJson(root[EXTERNAL]) ? root[EXTERNAL] : {}),
      ...objectOf(others.map(({ prefix, document }) => [prefix[1] ?? '', document])),
    };
  return others.flatMap((each) => each.base ?? []);
}

/** Reports a problem in one of the embedded documents (`addresses` are theirs) with its own address and path. */
export function inItsDocument<Problem extends SpecificationProblem>(
  problem: Problem,
  addresses: readonly string[],
): Problem {
  const message = problem.message.replace(/"#\/x-ext\/d(\d+)([/#][^"]*|)"/g, (found, number: string, place: string) => {
    const address = addresses[Number(number) - 1];
    return address === undefined ? found : JSON.stringify(`${address}${place.startsWith('/') ? '#' : ''}${place}`);
  });
  const [, number = '', pointer = ''] = /^\/x-ext\/d(\d+)(\/.*|)$/s.exec(problem.pointer ?? '') ?? [];
  const document = addresses[Number(number) - 1];
  return { ...problem, message, ...(document !== undefined && { document, pointer }) };
}

interface Taken {
  readonly document: unknown;
  /** Its address. */
  readonly base: string | undefined;
  /** Its position in the specification. */
  readonly prefix: readonly string[];
  /** Pointers of its anchors, computed on first use. */
  anchors?: ReadonlyMap<unknown, string>;
}

/**
 * Resolves a fragment of a document: a pointer, or that of the anchor with this name; `#…` for one that does not exist.
 */
function placeOf(taken: Taken, fragment: string): string {
  if (fragment === '' || fragment.startsWith('/')) return fragment;
  taken.anchors ??= schemaAnchors(taken.document);
  return taken.anchors.get(fragment) ?? (taken.prefix.length === 0 ? fragment : `#${fragment}`);
}

interface Foreign {
  readonly node: JsonObject;
  readonly target: string;
  readonly fragment: string;
  readonly pointer: string;
}

/** The references of a document to others; those to itself are rewritten to its new position. */
function foreignReferences({ document, prefix, base }: Taken): Foreign[] {
  resolveAnchors(document);
  const found: Foreign[] = [];
  // Aliases of YAML refer to one object from several positions.
  const seen = new Set<JsonObject>();
  visitReferences(document, (node, written, path) => {
    if (seen.has(node)) return;
    seen.add(node);
    const [before, fragment] = split(written);
    const address = before === '' || base === undefined ? undefined : webAddress(before, base);
    const target = address !== undefined && split(address.href)[0] === base ? `#${fragment}` : written;
    if (!target.startsWith('#')) found.push({ node, target, fragment, pointer: pointerOf([...path, '$ref']) });
    else if (prefix.length > 0)
      node['$ref'] = `#${pointerOf([...prefix, ...(localPath(target) ?? [])])}${localPath(target) ? '' : target}`;
    else node['$ref'] = target;
  });
  return found;
}

function split(target: string): [string, string] {
  const hash = target.indexOf('#');
  return hash < 0 ? [target, ''] : [target.slice(0, hash), target.slice(hash + 1)];
}

/** The address of the document that a reference names. */
function addressOf(target: string, base: string | undefined, where: Where): string {
  const [before] = split(target);
  const url = webAddress(before, base);
  if (url === undefined) {
    const why =
      base === undefined
        ? 'a specification that is given as a text can refer to itself and to absolute addresses only'
        : 'that is no address';
    throw unreadable('unresolved-reference', `refers to ${shown(target)}: ${why}`, where);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    throw unreadable('unresolved-reference', `refers to ${shown(target)}, and only http and https can be read`, where);
  return url.href;
}

const shown = (target: string): string => JSON.stringify(target.slice(0, 200));
