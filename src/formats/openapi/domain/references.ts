import { isJson, valueAt, type JsonObject } from './json.js';
import { pointerPath, pointerOf, type SpecificationProblem } from './specification-problem.js';
import { visitObjects, type Path } from './visit-objects.js';

const MAX_HOPS = 64;

/** Visits every `$ref`: the object that has it, its value and its path. */
export function visitReferences(root: unknown, visit: (node: JsonObject, target: string, path: Path) => void): void {
  visitObjects(root, (node, path) => {
    const target = node['$ref'];
    if (typeof target === 'string') visit(node, target, path);
  });
}

/** The path of names of a reference inside of its document; undefined if it is not a JSON pointer. */
export function localPath(target: string): string[] | undefined {
  if (target === '#' || target === '#/') return [];
  if (!target.startsWith('#/')) return undefined;
  try {
    return pointerPath(decodeURIComponent(target.slice(1)));
  } catch {
    return pointerPath(target.slice(1));
  }
}

/** Replaces references by `$anchor` by the pointer of their target, so that readers need no look-up. */
export function resolveAnchors(root: unknown): void {
  const wanted: { node: JsonObject; name: string }[] = [];
  visitReferences(root, (node, target) => void (/^#[^/]/.test(target) && wanted.push({ node, name: target.slice(1) })));
  if (wanted.length === 0) return;
  const anchors = schemaAnchors(root);
  for (const { node, name } of wanted) {
    const pointer = anchors.get(name);
    if (pointer !== undefined) node['$ref'] = `#${pointer}`;
  }
}

/** The pointers of values with an `$anchor`, by its name. */
export function schemaAnchors(root: unknown): ReadonlyMap<unknown, string> {
  const anchors = new Map<unknown, string>();
  visitObjects(root, ({ $anchor, $dynamicAnchor }, path) => {
    for (const name of [$anchor, $dynamicAnchor])
      if (name !== undefined && !anchors.has(name)) anchors.set(name, pointerOf(path));
  });
  return anchors;
}

/** References without a target, and references that form a cycle. */
export function referenceFaults(root: unknown): SpecificationProblem[] {
  const problems: SpecificationProblem[] = [];
  const judged = new Map<string, string | undefined>();
  visitReferences(root, (_, target, path) => {
    if (!judged.has(target)) judged.set(target, faultOf(root, target));
    const message = judged.get(target);
    if (message !== undefined)
      problems.push({
        code: message.startsWith('leads') ? 'circular-reference' : 'unresolved-reference',
        message,
        pointer: pointerOf([...path, '$ref']),
      });
  });
  return problems;
}

function faultOf(root: unknown, target: string): string | undefined {
  let at = target;
  const seen = new Set<string>();
  for (let hops = 0; hops < MAX_HOPS; hops++) {
    const path = localPath(at);
    const value = path && valueAt(root, path);
    if (path === undefined || value === undefined)
      return `refers to ${quoted(target)}, which is not there${at === target ? '' : `: ${quoted(at)} is missing`}`;
    const next = isJson(value) ? value['$ref'] : undefined;
    if (
      typeof next !== 'string' ||
      Object.keys(isJson(value) ? value : {}).some(
        (name) => name !== '$ref' && name !== 'summary' && name !== 'description',
      )
    )
      return undefined;
    if (seen.has(next)) return `leads back to itself: ${quoted(target)} names nothing but other references`;
    seen.add(next);
    at = next;
  }
  return `leads to ${MAX_HOPS} references, one after the other`;
}

const quoted = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
