import type { Definition, FootnoteDefinition } from 'mdast';
import type { ContentRef } from '../document/types.js';
import { addressReference } from '../document/link-target.js';

/** The kind of a target: a link, an image, a file block, an included text or an API description. */
export type TargetKind = 'link' | 'image' | 'file' | 'include' | 'openapi';

/**
 * Resolves a target in the source. `undefined`: unknown, the target stays an address; `null`: the link is removed and
 * only its text kept. `line` and `column` are the place of the target, from 1.
 */
export type ResolveTarget = (
  target: string,
  kind: TargetKind,
  line: number,
  column?: number,
) => ContentRef | undefined | null;

/** A place in a source, counted from 1; a column in UTF-16 code units, absent where it is not known. */
export interface Place {
  readonly line: number;
  readonly column?: number | undefined;
}

/** The kind of a problem. */
export type MarkdownRule =
  'front-matter' | 'simplified-table' | 'unreadable-text' | 'unsafe-link' | 'unsupported-markup' | 'unused-definition';

/** A part of a source that could not be converted unchanged. `line` and `column` count from 1. */
export interface MarkdownProblem {
  line: number;
  column?: number;
  rule: MarkdownRule;
  message: string;
}

/** The shared state of the reader while one source is parsed. */
export interface ParseContext {
  readonly source: string;
  readonly resolve: (target: string, kind: TargetKind) => ContentRef | undefined | null;
  readonly problems: MarkdownProblem[];
  readonly definitions: Map<string, Definition>;
  readonly footnotes: Map<string, FootnoteDefinition>;
  /** Identifiers that are referenced. */
  readonly referenced: ReadonlySet<string>;
  /** Footnotes whose text is being read, to prevent recursion. */
  readonly openFootnotes: Set<FootnoteDefinition>;
  /** Characters of footnotes that may still be read; those that are used several times count each time. */
  footnoteCharacters: number;
  /** Cells of HTML tables that may still be read. */
  cells: number;
  /** Number of lines before the first line of `source`. */
  readonly line: number;
  depth: number;
  /** Place of the block, or of the link or image in it, that is being parsed. */
  at: Place;
}

export function report(reading: ParseContext, { line, column }: Place, rule: MarkdownRule, message: string): void {
  reading.problems.push({ line: line + reading.line, ...(column !== undefined && { column }), rule, message });
}

/** Resolves a target to a reference; an unknown target stays an address as written. */
export function referenceOf(reading: ParseContext, target: string, kind: TargetKind): ContentRef {
  return reading.resolve(target, kind) ?? addressReference(target);
}

/** As `referenceOf`, for places where only a file or an address is allowed. */
export function fileOrUrl(
  reading: ParseContext,
  target: string,
  kind: TargetKind = 'image',
): Extract<ContentRef, { kind: 'file' | 'url' }> {
  const ref = reading.resolve(target, kind);
  return ref?.kind === 'file' || ref?.kind === 'url' ? ref : addressReference(target, kind === 'image');
}
