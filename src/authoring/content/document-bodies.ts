import { Injectable } from '@nestjs/common';
import { Addresses } from '../../kernel/common/addresses.js';
import { yieldToOthers } from '../../kernel/common/context.js';
import { invalid } from '../../kernel/common/errors.js';
import { isId } from '../../kernel/common/ids.js';
import { limitAt, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { DocumentInput } from './change-input.js';
import type { Point } from './content-store.js';
import {
  DOCUMENT_MARKDOWN,
  FIND_TARGETS,
  INTERPRET_DOCUMENT,
  type GivenDocument,
  type Refused,
  type ResolvedTarget,
  type MarkdownTarget,
} from './document-tasks.js';
import { document as emptyDocument } from '../../formats/document/build.js';
import { normalizeDocument } from '../../formats/document/normalize-document.js';
import type { ContentRef, Document } from '../../formats/document/types.js';
import { validateDocument } from '../../formats/document/validate.js';
import { readLinkTarget } from '../../formats/document/link-target.js';
import { LinkTargets } from './link-targets.js';
import { MarkdownLinks } from './markdown-links.js';

export type BodyFormat = 'document' | 'markdown';

/** A shown document: in one of its two forms. */
export type ShownBody = { readonly document: Document } | { readonly markdown: string };

/** Links in the Markdown of a body are relative to the root of the space, because it belongs to no page. */
const ROOT_DIRECTORY = '';
/** The point of documents that belong to no space: nothing is found there. */
const NO_SPACE: Point = { spaceId: '', line: null, sequence: 0, base: 0, hidden: [] };
const MAX_JSON = 100_000;
/** Milliseconds for which the serialization of many bodies may block all other requests. */
const TURN = 20;

/**
 * Normalizes the document that a caller gives in the field `path`. Throws `invalid` with the path of its first fault,
 * also for one that is too large for a body beside content.
 */
export function readBodyDocument(document: Document, path: string): Document {
  const [fault] = validateDocument(document);
  if (fault) throw invalid([path, fault.path].filter(Boolean).join('.'), fault.message);
  const complete = normalizeDocument(document);
  requireSmall(complete, path);
  return complete;
}

function requireSmall(document: Document, path: string): void {
  if (JSON.stringify(document).length > MAX_JSON)
    throw invalid(path, `must not be larger than ${MAX_JSON} characters of JSON`);
}

/** Documents that are not content themselves and have no revisions, such as comments on it. */
@Injectable()
export class DocumentBodies {
  constructor(
    private readonly targets: LinkTargets,
    private readonly links: MarkdownLinks,
    private readonly addresses: Addresses,
    private readonly workers: WorkerPool,
  ) {}

  /**
   * Reads the document that a caller gives in the field `path`; links in Markdown are resolved at the point. Throws
   * `invalid` with the path of a fault, also for a document that is too large.
   */
  async read(point: Point, { document, markdown }: DocumentInput, path: string): Promise<Document> {
    if (document !== undefined) return readBodyDocument(document, `${path}.document`);
    const read = await this.interpret(point, markdown ?? '', `${path}.markdown`);
    requireSmall(read, `${path}.markdown`);
    return read;
  }

  /** Returns bodies in the requested form, in order; with a constant number of queries for any number of them. */
  async show(point: Point, documents: readonly Document[], format: BodyFormat): Promise<ShownBody[]> {
    if (format === 'document') return documents.map((document) => ({ document }));
    const texts: string[] = [];
    let begin = performance.now();
    for (const document of documents) {
      texts.push(await this.workers.run(DOCUMENT_MARKDOWN, JSON.stringify(document)));
      if (performance.now() - begin < TURN) continue;
      await yieldToOthers();
      begin = performance.now();
    }
    const render = await this.links.renderer(point, ROOT_DIRECTORY, texts);
    return texts.map((text) => ({ markdown: render(text) }));
  }

  /** Reads Markdown that belongs to no space: relative links lead nowhere. Throws `invalid` as `read` does. */
  async readOutside(markdown: string, path: string): Promise<Document> {
    const read = await this.interpret(NO_SPACE, markdown, path);
    requireSmall(read, path);
    return read;
  }

  /** A document that belongs to no space, as Markdown. */
  async markdownOutside(document: Document): Promise<string> {
    const text = await this.workers.run(DOCUMENT_MARKDOWN, JSON.stringify(document));
    return this.links.render(NO_SPACE, ROOT_DIRECTORY, text);
  }

  private async interpret(point: Point, markdown: string, path: string): Promise<Document> {
    const given: GivenDocument = { markdown, of: 'comment' };
    const targets = accepted(await this.workers.run(FIND_TARGETS, given).catch(limitAt(path)), path);
    const resolved = await this.resolve(point, targets);
    return (
      accepted(await this.workers.run(INTERPRET_DOCUMENT, { given, resolved }).catch(limitAt(path)), path).document ??
      emptyDocument([])
    );
  }

  private async resolve(point: Point, targets: readonly MarkdownTarget[]): Promise<ResolvedTarget[]> {
    const people = new Map(targets.map(({ target }) => [target, this.personAt(target)]));
    const written = targets.filter(
      ({ target, kind }) =>
        !people.get(target) && (kind === 'openapi' || readLinkTarget(target, ROOT_DIRECTORY).kind !== 'external'),
    );
    const find =
      written.length === 0
        ? undefined
        : (
            await this.targets.resolve(
              point,
              written.map(({ target }) => ({ target, directory: ROOT_DIRECTORY })),
              new Map(),
            )
          )(ROOT_DIRECTORY);
    return targets.map(({ target, kind }) => ({ target, kind, ref: people.get(target) ?? find?.(target, kind, 1) }));
  }

  /**
   * The person behind a target address: the one in the application, so that mentions survive a round trip through
   * Markdown, or the one in presented users.
   */
  private personAt(target: string): ContentRef | undefined {
    for (const people of [this.addresses.app('/u/'), this.addresses.location('/users/')]) {
      const user = target.startsWith(people) ? target.slice(people.length) : '';
      if (isId(user)) return { kind: 'user', user };
    }
    return undefined;
  }
}

function accepted<Result extends object>(result: Result | Refused, path: string): Result {
  if ('fault' in result) throw invalid(path, result.fault.message);
  return result;
}
