import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defaultTreeAdapter, parseFragment, serialize, type DefaultTreeAdapterTypes } from 'parse5';
import { unifiedDiff } from '../../src/authoring/rendering/diff-tasks.js';
import { diffDocuments } from '../../src/formats/document/diff/block-diff.js';
import type { BlockDiff } from '../../src/formats/document/diff/diff-types.js';
import { document } from '../../src/formats/document/build.js';
import { assignKeys } from '../../src/formats/document/keys.js';
import { ownEntry } from '../../src/formats/document/own-entry.js';
import { fragmentOf, recordsOf } from '../../src/formats/document/table.js';
import { blocksIn, lineText } from '../../src/formats/document/text.js';
import type { Block, Document } from '../../src/formats/document/types.js';
import { renderDiff } from '../../src/formats/html/diff/render-diff.js';
import { documents } from '../document-arbitrary.js';
import { attributeOf, EVERYTHING, ReadHtml, shownWords } from '../rendered-html.js';
import { rounds } from './content-generators.js';

const options = {
  numRuns: rounds(20),
  ...(process.env['SEED'] !== undefined && { seed: Number(process.env['SEED']) }),
};

type Side = 'before' | 'after';

const keyed = (given: Document, previous?: Document): Document => {
  let count = 0;
  return assignKeys(given, previous, () => `${previous ? 'b' : 'a'}${++count}`);
};

/** Blocks with other words, and without some of the blocks and rows in them; keys stay. */
function edited(blocks: readonly Block[], choose: () => number): Block[] {
  const inside = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      const kept = value.length > 1 ? value.filter((each) => !isPart(each) || choose() % 6 !== 0) : value;
      return (kept.length === 0 ? value : kept).map(inside);
    }
    if (typeof value !== 'object' || value === null) return value;
    const node = value as Record<string, unknown>;
    if (node['object'] === 'leaf')
      return choose() % 3 === 0 ? { ...node, text: `${String(node['text'])} and more words` } : node;
    if (node['object'] === 'fragment' || node['object'] === 'text') return mapped(node);
    if (node['type'] === 'hint' && choose() % 2 === 0) return { ...mapped(node), data: { style: 'danger' } };
    if (node['type'] === 'table') return withoutRow(mapped(node) as unknown as Block<'table'>, choose() % 3 === 0);
    return mapped(node);
  };
  const mapped = (node: Record<string, unknown>): Record<string, unknown> => ({
    ...node,
    ...(Array.isArray(node['nodes']) && { nodes: inside(node['nodes']) }),
    ...(Array.isArray(node['leaves']) && { leaves: inside(node['leaves']) }),
    ...(Array.isArray(node['fragments']) && { fragments: node['fragments'].map(inside) }),
  });
  return blocks.map((block) => inside(block) as Block);
}

const isPart = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && (value as { object?: unknown }).object === 'block';

function withoutRow(table: Block<'table'>, isLess: boolean): Block<'table'> {
  const [, ...rest] = Object.entries(table.data.records);
  return isLess ? { ...table, data: { ...table.data, records: Object.fromEntries(rest) } } : table;
}

/** A document and its next version: blocks of it, edited, and of another one, in another order. */
const versions: fc.Arbitrary<readonly [Document, Document]> = fc
  .tuple(documents, documents, fc.array(fc.nat(), { minLength: 1, maxLength: 12 }))
  .map(([first, other, choices]) => {
    const before = keyed(first);
    let next = 0;
    const choose = (): number => choices[next++ % choices.length] ?? 0;
    const pool = [...edited(before.nodes, choose), ...other.nodes];
    const order = choices.length % 3 === 0 ? [...pool.keys()] : choices;
    const after = order.flatMap((choice) => pool[choice % Math.max(1, pool.length)] ?? []);
    return [before, keyed(document(after), before)] as const;
  });

/** The lines of text of a block: of all blocks in it, and of the cells that belong to rows and columns. */
function linesOf(block: Block): string[] {
  if (block.type === 'table') {
    const { definition } = block.data;
    const titles = Object.values(definition).flatMap(({ id }) => fragmentOf(block, `title:${id}`)?.nodes ?? []);
    const cells = recordsOf(block).flatMap(({ values }) =>
      Object.values(definition).flatMap(({ id, type }) => {
        const value = ownEntry(values, id);
        return type === 'text' && typeof value === 'string' ? (fragmentOf(block, value)?.nodes ?? []) : [];
      }),
    );
    return [...titles, ...cells].flatMap(linesOf);
  }
  const own = (block.nodes ?? []).filter(({ object }) => object !== 'block');
  const inside = [...blocksIn(block.nodes), ...(block.fragments ?? []).flatMap(({ nodes }) => nodes)];
  return [...(own.length === 0 ? [] : [lineText(own)]), ...inside.flatMap(linesOf)];
}

/** The lines that a difference says one version has. */
function linesOn(side: Side, diffs: readonly BlockDiff[]): string[] {
  return diffs.flatMap((diff): string[] => {
    const block = diff[side];
    if (!block) return [];
    if (diff.change !== 'changed' || !diff.content) return linesOf(block);
    if (diff.content.kind === 'line') {
      const other = side === 'before' ? 'inserted' : 'deleted';
      const own = (block.nodes ?? []).length > 0;
      const text = diff.content.runs.flatMap((run) => (run.change === other ? [] : run.text)).join('');
      return own ? [text] : [];
    }
    if (diff.content.kind === 'table') {
      const { columns, rows } = diff.content.table;
      return [
        ...columns.flatMap((column) => linesOn(side, column.title ?? [])),
        ...rows.flatMap(({ cells }) => cells.flatMap((cell) => linesOn(side, cell.blocks ?? []))),
      ];
    }
    return [
      ...linesOn(side, diff.content.blocks),
      ...[...diff.content.fragments.values()].flatMap((each) => linesOn(side, each)),
    ];
  });
}

type Parent = DefaultTreeAdapterTypes.ParentNode;

/** The HTML of a comparison without what only the other version has. */
function htmlOn(side: Side, html: string): string {
  const tree = parseFragment(html);
  const strip = (parent: Parent): void => {
    let replaced: string | undefined;
    for (const child of [...parent.childNodes]) {
      if (!defaultTreeAdapter.isElementNode(child)) continue;
      const attribute = (name: string): string => attributeOf(child, name) ?? '';
      const [change, of, key] = ['data-change', 'data-side', 'data-block'].map(attribute);
      const isWord = attribute('class') === 'diff';
      const isOther =
        side === 'after'
          ? change === 'deleted' || (change === 'changed' && of === 'before') || (isWord && child.tagName === 'del')
          : change === 'inserted' ||
            (change === 'changed' && of === 'after' && replaced === key) ||
            (isWord && child.tagName === 'ins');
      // Rows of tables have no key, and are shown once.
      if (of === 'before' && key !== '') replaced = key;
      if (isOther) defaultTreeAdapter.detachNode(child);
      else strip(child);
    }
  };
  strip(tree);
  return serialize(tree);
}

describe('a comparison of any two versions', () => {
  it('has the lines of both', () => {
    fc.assert(
      fc.property(versions, ([before, after]) => {
        const diffs = diffDocuments(before, after);
        expect(linesOn('before', diffs).sort()).toEqual(before.nodes.flatMap(linesOf).sort());
        expect(linesOn('after', diffs).sort()).toEqual(after.nodes.flatMap(linesOf).sort());
      }),
      options,
    );
  });

  it('changes nothing between equal ones, and everything where one is missing', () => {
    fc.assert(
      fc.property(documents, (given) => {
        const whole = keyed(given);
        expect(diffDocuments(whole, keyed(given, whole)).filter(({ change }) => change !== 'unchanged')).toEqual([]);
        expect(diffDocuments(undefined, whole).every(({ change }) => change === 'inserted')).toBe(true);
        expect(diffDocuments(whole, undefined).every(({ change }) => change === 'deleted')).toBe(true);
      }),
      options,
    );
  });

  it('shows the words of both as HTML that is well formed and safe', async () => {
    await fc.assert(
      fc.asyncProperty(versions, async ([before, after]) => {
        // Where nothing changed, everything is left out.
        fc.pre(diffDocuments(before, after).some(({ change }) => change !== 'unchanged'));
        const html = await renderDiff({ before, after, earlier: EVERYTHING, later: EVERYTHING, context: 1000 });
        const allowed = /^the element (ins|del|dl|dt|dd)$| with data-(block|change|side|moved|count)/;
        expect(new ReadHtml(html).faults().filter((fault) => !allowed.test(fault))).toEqual([]);
        expect(new ReadHtml(htmlOn('after', html)).missing(shownWords(after))).toEqual([]);
        expect(new ReadHtml(htmlOn('before', html)).missing(shownWords(before))).toEqual([]);
      }),
      options,
    );
  });

  it('shows texts as lines in the unified format that give the later one', () => {
    const text = fc.array(fc.constantFrom('one\n', 'two\n', 'three\n', '\n')).map((lines) => lines.join(''));
    fc.assert(
      fc.property(text, text, fc.nat({ max: 3 }), (before, after, context) => {
        const of = (markdown: string) => ({ name: 'page.md', markdown });
        const patch = unifiedDiff({ before: of(before), after: of(after), context });
        if (before === after) return expect(patch).toBe('');
        const lines = patch.split('\n').slice(2);
        const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
        const length = (value: string): number => value.split('\n').length;
        expect(count('+') - count('-')).toBe(length(after) - length(before));
      }),
      options,
    );
  });
});
