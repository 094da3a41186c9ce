import type { Link, List, ListItem, Nodes, Paragraph, PhrasingContent } from 'mdast';
import { toMarkdown } from 'mdast-util-to-markdown';
import { toString } from 'mdast-util-to-string';
import { emojiCharacters } from '../../../formats/markdown/emoji.js';
import { readMdast } from '../../../formats/markdown/mdast.js';
import { USUAL_STYLE } from '../../../formats/markdown/source-style.js';
import { readComputed, type ComputedEntry, type ComputedFault } from './computed-entry.js';

/** One entry of a table of contents. Without a target it is only a title. */
export interface SummaryEntry {
  title: string;
  /** As written, decoded. */
  target?: string;
  /** The title of the link, which is the name of the page in the table of contents. */
  linkTitle?: string;
  /** The source of a computed page, instead of a title and a target. */
  computed?: ComputedEntry | ComputedFault;
  line: number;
  /** The column of its link, from 1. */
  column?: number;
  children: SummaryEntry[];
}

/** A part of the table of contents; one without a title precedes the first heading. */
export interface SummaryGroup {
  title?: string;
  line: number;
  entries: SummaryEntry[];
}

export interface Summary {
  groups: SummaryGroup[];
  problems: { line: number; message: string }[];
}

/** Reads a `SUMMARY.md`: headings are groups, nested lists are subpages. */
export function readSummary(source: string): Summary {
  const summary: Summary = { groups: [], problems: [] };
  const current = (): SummaryGroup => {
    const last = summary.groups[summary.groups.length - 1];
    if (last !== undefined) return last;
    const first: SummaryGroup = { line: 1, entries: [] };
    summary.groups.push(first);
    return first;
  };
  readMdast(source).children.forEach((node, index) => {
    const line = node.position?.start.line ?? 1;
    if (node.type === 'heading') {
      const title = titleOf(node.children);
      if (node.depth === 1 && index === 0) return;
      summary.groups.push(title === '' ? { line, entries: [] } : { title, line, entries: [] });
    } else if (node.type === 'thematicBreak') {
      summary.groups.push({ line, entries: [] });
    } else if (node.type === 'list') {
      current().entries.push(...entriesOf(node, summary));
    } else if (node.type === 'paragraph' && isLinks(node)) {
      current().entries.push(
        ...node.children.flatMap((child) => (child.type === 'link' ? [entryOf([child], line)] : [])),
      );
    } else if (node.type !== 'html') {
      summary.problems.push({ line, message: 'this is no part of a table of contents and is left out' });
    }
  });
  return {
    ...summary,
    groups: summary.groups.filter((group) => group.entries.length > 0 || group.title !== undefined),
  };
}

function isLinks(node: Paragraph): boolean {
  return node.children.every((child) => child.type === 'link' || (child.type === 'text' && child.value.trim() === ''));
}

function entriesOf(list: List, summary: Summary): SummaryEntry[] {
  return list.children.flatMap((item) => {
    const [first, ...rest] = item.children;
    const line = item.position?.start.line ?? 1;
    const children = rest.flatMap((child) => (child.type === 'list' ? entriesOf(child, summary) : []));
    reportOthers(rest, summary);
    if (first?.type === 'list') return [...entriesOf(first, summary), ...children];
    if (first?.type === 'code' && /^ya?ml$/.test(first.lang ?? ''))
      return [{ title: '', computed: readComputed(first.value), line, children: [] }, ...children];
    if (first?.type !== 'paragraph') {
      if (first !== undefined)
        summary.problems.push({ line, message: 'this is no part of a table of contents and is left out' });
      return children;
    }
    return [{ ...entryOf(first.children, line), children }];
  });
}

function reportOthers(nodes: ListItem['children'], summary: Summary): void {
  for (const node of nodes) {
    if (node.type !== 'list')
      summary.problems.push({
        line: node.position?.start.line ?? 1,
        message: 'this is no part of a table of contents and is left out',
      });
  }
}

function entryOf(nodes: readonly PhrasingContent[], line: number): SummaryEntry {
  const link = nodes.find((node): node is Link => node.type === 'link');
  const title = titleOf(link === undefined ? nodes : link.children) || titleOf(nodes);
  if (link === undefined || link.url === '') return { title, line, children: [] };
  return {
    title: title === '' ? link.url : title,
    target: link.url,
    ...(link.title ? { linkTitle: link.title } : {}),
    line: link.position?.start.line ?? line,
    ...(link.position && { column: link.position.start.column }),
    children: [],
  };
}

function titleOf(nodes: readonly Nodes[]): string {
  return nodes
    .map((node) =>
      node.type === 'emoji' ? (emojiCharacters(node.code) ?? '') : node.type === 'html' ? '' : toString(node),
    )
    .join('')
    .replace(/\s+/g, ' ')
    .trim();
}

/** An entry to be written. */
export interface SummaryLine {
  title: string;
  target?: string;
  linkTitle?: string;
  /** YAML, instead of all of these. */
  computed?: string;
  children: readonly SummaryLine[];
}

/** Writes a `SUMMARY.md` that `readSummary` can read. */
export function writeSummary(
  groups: readonly { title?: string; entries: readonly SummaryLine[] }[],
  bullet = USUAL_STYLE.bullet,
): string {
  const children: Nodes[] = [{ type: 'heading', depth: 1, children: [{ type: 'text', value: 'Table of contents' }] }];
  groups.forEach((group, index) => {
    if (group.title !== undefined)
      children.push({ type: 'heading', depth: 2, children: [{ type: 'text', value: group.title }] });
    else if (index > 0) children.push({ type: 'thematicBreak' });
    if (group.entries.length > 0) children.push(listOf(group.entries));
  });
  return toMarkdown(
    { type: 'root', children: children as never[] },
    { bullet, rule: '*', fences: true, listItemIndent: 'one', resourceLink: true },
  );
}

function listOf(entries: readonly SummaryLine[]): List {
  return { type: 'list', ordered: false, spread: false, children: entries.map(itemOf) };
}

function itemOf(entry: SummaryLine): ListItem {
  if (entry.computed !== undefined)
    return { type: 'listItem', spread: false, children: [{ type: 'code', lang: 'yaml', value: entry.computed }] };
  const text = { type: 'text' as const, value: entry.title };
  const link: Link | undefined =
    entry.target === undefined
      ? undefined
      : {
          type: 'link',
          url: entry.target,
          ...(entry.linkTitle === undefined ? {} : { title: entry.linkTitle }),
          children: [text],
        };
  return {
    type: 'listItem',
    spread: false,
    children: [
      { type: 'paragraph', children: [link ?? text] },
      ...(entry.children.length === 0 ? [] : [listOf(entry.children)]),
    ],
  };
}
