import { type Fault, isObject } from './checks.js';
import { BLOCK_DATA, INLINE_DATA, MARK_DATA } from './data-checks.js';
import {
  BLOCKS,
  type Children,
  type FragmentRule,
  INLINES,
  type NodeKind,
  MARK_ORDER,
  MAX_BLOCK_DEPTH,
  MAX_CELLS,
  MAX_NODES,
} from './node-kinds.js';
import type { BlockType, Document, InlineType, Node } from './types.js';

/** One fault of a document; `path` names the node, as in `nodes.3.nodes.0.data.style`. */
export interface DocumentFault {
  path: string;
  message: string;
}

export interface DocumentLimits {
  /** Maximum number of blocks, inlines, texts and leaves together. */
  maxNodes: number;
  /** Maximum nesting depth of blocks. */
  maxDepth: number;
}

const DOCUMENT_LIMITS: DocumentLimits = { maxNodes: MAX_NODES, maxDepth: MAX_BLOCK_DEPTH };

/** Maximum number of faults listed. */
const MAX_FAULTS = 50;
const MAX_DATA_DEPTH = 32;

class TooManyFaults extends Error {}

/**
 * Checks a value as a document and lists all faults with their paths; an empty list means that `value` is a `Document`.
 * Text that PostgreSQL cannot store (NUL, half of a surrogate pair) is refused everywhere.
 */
export function validateDocument(value: unknown, limits: DocumentLimits = DOCUMENT_LIMITS): DocumentFault[] {
  return faultsOf(value, limits, false);
}

/**
 * Validates a document that was composed of stored ones, which may contain addresses that were stored before they were
 * refused.
 */
export function validateStored(value: unknown): DocumentFault[] {
  return faultsOf(value, DOCUMENT_LIMITS, true);
}

function faultsOf(value: unknown, limits: DocumentLimits, isStored: boolean): DocumentFault[] {
  const faults: DocumentFault[] = [];
  const fault: Fault = (path, message, isUnsafeAddress = false) => {
    if (isStored && isUnsafeAddress) return;
    faults.push({ path, message });
    if (faults.length >= MAX_FAULTS) throw new TooManyFaults();
  };
  try {
    new Validation(limits, fault).document(value);
  } catch (error) {
    if (!(error instanceof TooManyFaults)) throw error;
  }
  return faults;
}

/** Tells whether an otherwise valid document has more nodes than allowed. */
export function hasTooManyNodes(document: Document): boolean {
  let left = MAX_NODES;
  const count = (nodes: readonly Node[]): void => {
    for (const node of nodes) {
      left -= node.object === 'text' ? 1 + node.leaves.length : 1;
      if (left < 0 || node.object === 'text') continue;
      count(node.nodes ?? []);
      for (const fragment of node.fragments ?? []) count(fragment.nodes);
    }
  };
  count(document.nodes);
  return left < 0;
}

class Validation {
  private nodes = 0;
  private cells = 0;

  constructor(
    private readonly limits: DocumentLimits,
    private readonly fault: Fault,
  ) {}

  document(value: unknown): void {
    if (!isObject(value)) {
      this.fault('', 'must be an object');
      return;
    }
    if (value.object !== 'document') this.fault('object', 'must be document');
    if (!isObject(value.data)) this.fault('data', 'must be an object');
    else this.json(value.data, 'data', 0);
    const version = isObject(value.data) ? value.data.schemaVersion : undefined;
    if (version !== undefined && !Number.isInteger(version)) this.fault('data.schemaVersion', 'must be an integer');
    this.children(value.nodes, 'nodes', 'top', 1);
  }

  private children(value: unknown, path: string, allowed: Children, depth: number): void {
    if (!Array.isArray(value)) {
      this.fault(path, 'must be a list of nodes');
      return;
    }
    value.forEach((node: unknown, index) => this.node(node, `${path}.${index}`, allowed, depth));
  }

  private count(path: string): void {
    this.nodes++;
    if (this.nodes > this.limits.maxNodes) {
      this.fault(path, `the document has more than ${this.limits.maxNodes} nodes`);
      throw new TooManyFaults();
    }
  }

  private countCells({ records, definition, view }: Record<string, unknown>, path: string): void {
    const shown = isObject(view) && Array.isArray(view.columns) ? view.columns.length : 0;
    const columns = isObject(definition) ? Math.max(Object.keys(definition).length, shown) : 0;
    this.cells += columns * (isObject(records) ? Object.keys(records).length : 0);
    if (this.cells > MAX_CELLS) {
      this.fault(`${path}.records`, `the tables of the document have more than ${MAX_CELLS} cells`);
      throw new TooManyFaults();
    }
  }

  private node(node: unknown, path: string, allowed: Children, depth: number): void {
    this.count(path);
    if (!isObject(node)) {
      this.fault(path, 'must be an object');
      return;
    }
    if (!fits(node, allowed)) {
      this.fault(path, `${describe(node)} is not allowed here`);
      return;
    }
    if (node.key !== undefined && typeof node.key !== 'string') this.fault(`${path}.key`, 'must be a string');
    if (node.object === 'text') {
      this.text(node, path);
      return;
    }
    if (depth > this.limits.maxDepth) {
      this.fault(path, `nodes are nested more than ${this.limits.maxDepth} deep`);
      return;
    }
    const isBlock = node.object === 'block';
    const kind = isBlock ? BLOCKS[node.type as BlockType] : INLINES[node.type as InlineType];
    const data = node.data ?? {};
    this.json(data, `${path}.data`, 0);
    (isBlock ? BLOCK_DATA[node.type as BlockType] : INLINE_DATA[node.type as InlineType])(
      data,
      `${path}.data`,
      this.fault,
    );
    if (isBlock && node.type === 'table' && isObject(data)) this.countCells(data, `${path}.data`);
    this.inside(node, path, kind, depth);
  }

  private inside(node: Record<string, unknown>, path: string, kind: NodeKind, depth: number): void {
    if (node.isVoid !== undefined && node.isVoid !== kind.isVoid)
      this.fault(`${path}.isVoid`, `must be ${String(kind.isVoid)}`);
    if (kind.nodes === 'none') {
      if (Array.isArray(node.nodes) && node.nodes.length > 0) this.fault(`${path}.nodes`, 'must be absent');
    } else {
      this.children(node.nodes, `${path}.nodes`, kind.nodes, depth + 1);
    }
    if (kind.fragments !== undefined) this.fragments(node.fragments ?? [], `${path}.fragments`, kind.fragments, depth);
    if (node.meta !== undefined) this.json(node.meta, `${path}.meta`, 0);
  }

  private fragments(value: unknown, path: string, rules: readonly FragmentRule[], depth: number): void {
    if (!Array.isArray(value)) {
      this.fault(path, 'must be a list of fragments');
      return;
    }
    value.forEach((fragment: unknown, index) => {
      const at = `${path}.${index}`;
      this.count(at);
      if (!isObject(fragment) || fragment.object !== 'fragment') {
        this.fault(at, 'must be a fragment');
        return;
      }
      const rule = rules.find((known) => known.name === '*' || known.name === fragment.fragment);
      if (rule === undefined) {
        this.fault(`${at}.fragment`, `must be one of ${rules.map((known) => known.name).join(', ')}`);
        return;
      }
      this.fragment(fragment, at, rule, depth);
    });
    for (const rule of rules) {
      if (rule.min === undefined || rule.name === '*') continue;
      if (!value.some((fragment: unknown) => isObject(fragment) && fragment.fragment === rule.name))
        this.fault(path, `the fragment ${rule.name} is missing`);
    }
  }

  private fragment(fragment: Record<string, unknown>, path: string, rule: FragmentRule, depth: number): void {
    if (rule.type !== undefined && fragment.type !== rule.type) this.fault(`${path}.type`, `must be ${rule.type}`);
    for (const name of ['key', 'fragment', 'type'] as const) {
      const value = fragment[name];
      if (value !== undefined && typeof value !== 'string') this.fault(`${path}.${name}`, 'must be a string');
      else if (typeof value === 'string') this.string(value, `${path}.${name}`);
    }
    this.children(fragment.nodes, `${path}.nodes`, rule.nodes, depth + 1);
    const length = Array.isArray(fragment.nodes) ? fragment.nodes.length : 0;
    if (rule.min !== undefined && length < rule.min) this.fault(`${path}.nodes`, `must have at least ${rule.min}`);
    if (rule.max !== undefined && length > rule.max) this.fault(`${path}.nodes`, `must have at most ${rule.max}`);
  }

  private text(node: Record<string, unknown>, path: string): void {
    if (!Array.isArray(node.leaves)) {
      this.fault(`${path}.leaves`, 'must be a list of leaves');
      return;
    }
    node.leaves.forEach((leaf: unknown, index) => {
      const at = `${path}.leaves.${index}`;
      this.count(at);
      if (!isObject(leaf) || leaf.object !== 'leaf') {
        this.fault(at, 'must be a leaf');
        return;
      }
      if (typeof leaf.text !== 'string') this.fault(`${at}.text`, 'must be a string');
      else this.string(leaf.text, `${at}.text`);
      if (!Array.isArray(leaf.marks)) this.fault(`${at}.marks`, 'must be a list of marks');
      else leaf.marks.forEach((mark: unknown, number) => this.mark(mark, `${at}.marks.${number}`));
    });
  }

  private mark(mark: unknown, path: string): void {
    if (!isObject(mark) || mark.object !== 'mark') {
      this.fault(path, 'must be a mark');
    } else if (typeof mark.type !== 'string' || !(MARK_ORDER as readonly string[]).includes(mark.type)) {
      this.fault(`${path}.type`, `must be one of ${MARK_ORDER.join(', ')}`);
    } else {
      MARK_DATA[mark.type]?.(mark.data, `${path}.data`, this.fault);
    }
  }

  /** Any JSON: its strings must be storable and its depth limited. */
  private json(value: unknown, path: string, depth: number): void {
    if (typeof value === 'string') this.string(value, path);
    if (typeof value !== 'object' || value === null) return;
    if (depth > MAX_DATA_DEPTH) {
      this.fault(path, `values are nested more than ${MAX_DATA_DEPTH} deep`);
      return;
    }
    for (const [key, item] of Object.entries(value)) {
      this.string(key, path);
      this.json(item, `${path}.${key}`, depth + 1);
    }
  }

  private string(value: string, path: string): void {
    if (value.includes('\0')) this.fault(path, 'must not contain the character NUL');
    else if (/\p{Surrogate}/u.test(value)) this.fault(path, 'must be well-formed Unicode');
  }
}

function fits(node: Record<string, unknown>, allowed: Children): boolean {
  const { object, type } = node;
  if (typeof allowed !== 'string') return object === 'block' && allowed.includes(type as BlockType);
  if (object === 'text') return allowed !== 'top' && allowed !== 'none';
  if (typeof type !== 'string') return false;
  switch (allowed) {
    case 'top':
      return object === 'block' && Object.hasOwn(BLOCKS, type) && BLOCKS[type as BlockType].nested !== true;
    case 'phrasing':
      return object === 'inline' && Object.hasOwn(INLINES, type);
    case 'link':
    case 'text':
      return (
        object === 'inline' && Object.hasOwn(INLINES, type) && type !== (allowed === 'link' ? 'link' : 'annotation')
      );
    case 'code-line-content':
      return object === 'inline' && (type === 'annotation' || type === 'expression');
    case 'none':
      return false;
  }
}

function describe(node: Record<string, unknown>): string {
  const { object, type } = node;
  if (typeof object !== 'string') return 'a node without object';
  return typeof type === 'string' ? `${object} ${JSON.stringify(type)}` : `${object} without a type`;
}
