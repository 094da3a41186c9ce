import { bundle, inItsDocument } from '../domain/bundle.js';
import { requireBoundedSize } from '../domain/bounded-size.js';
import { isJson, kindOf } from '../domain/json.js';
import { unreadable, Unreadable, type SpecificationProblem } from '../domain/specification-problem.js';
import { operationsOf } from '../domain/semantics.js';
import { convertSwagger } from '../domain/swagger.js';
import { pointerLines, parseText } from './parse.js';
import { faultsOf, openApiVersion, type SpecificationVersion } from './validate.js';

/** Maximum number of reported problems; there can be one for each line. */
const MAX_PROBLEMS = 50;

/** A specification that was read, as OpenAPI 3 in JSON. */
export interface ReadSpecification {
  readonly json: string;
  /** The version of its source. */
  readonly version: SpecificationVersion;
  readonly operations: number;
  /** The addresses of its other documents. */
  readonly documents: readonly string[];
}

/** The text of another document, or the reason why it is not available. */
export type FetchedDocument = { readonly text: string } | { readonly problem: string };

export interface ReadingOptions {
  /** The address of the specification, if it has one. */
  readonly base?: string | undefined;
  /** Maximum length of the JSON in characters. */
  readonly maxLength: number;
  readonly fetch: (address: string) => Promise<FetchedDocument>;
}

/**
 * Reads a specification in JSON or YAML: validates it, embeds other documents, and converts Swagger 2.0. Throws
 * `Unreadable` with all faults and their places.
 */
export async function readSpecification(text: string, options: ReadingOptions): Promise<ReadSpecification> {
  try {
    return await read(text, options);
  } catch (error) {
    // The nesting exceeds the stack.
    if (error instanceof RangeError)
      throw unreadable('too-deep', 'it refers to itself or is nested too deeply to be read', { pointer: '' });
    if (!(error instanceof Unreadable)) throw error;
    const problems = error.problems.slice(0, MAX_PROBLEMS);
    throw new Unreadable(withLines(problems, text), error.total);
  }
}

async function read(text: string, { base, maxLength, fetch }: ReadingOptions): Promise<ReadSpecification> {
  const root = parseText(text);
  requireBoundedSize(root);
  const version = openApiVersion(root);
  if (!isJson(root)) throw unreadable('wrong-type', `must be an object, and is ${kindOf(root)}`, { pointer: '' });
  const documents = await bundle(root, base, async (address, where) => {
    const document = await fetch(address);
    if ('problem' in document)
      throw unreadable('unresolved-reference', `refers to ${JSON.stringify(address)}: ${document.problem}`, where);
    return parseText(document.text, address);
  });
  const problems = faultsOf(root, version).map((problem) => inItsDocument(problem, documents));
  if (problems.length > 0) throw new Unreadable(problems);
  const specification = version === '2.0' ? convertSwagger(root) : root;
  const json = JSON.stringify(specification);
  if (json.length > maxLength)
    throw unreadable(
      'too-large',
      `it becomes longer than ${maxLength} characters once its aliases and other documents are written out`,
      { pointer: '' },
    );
  return { json, version, operations: [...operationsOf(specification)].length, documents };
}

function withLines(problems: readonly SpecificationProblem[], text: string): SpecificationProblem[] {
  const isUnplaced = ({ pointer, line, document }: SpecificationProblem): boolean =>
    pointer !== undefined && line === undefined && document === undefined;
  const lines = problems.some(isUnplaced)
    ? pointerLines(
        text,
        problems.filter(isUnplaced).flatMap(({ pointer }) => pointer ?? []),
      )
    : new Map<string, number>();
  return problems.map((problem) => {
    if (!isUnplaced(problem)) return problem;
    for (let at = problem.pointer ?? ''; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const line = lines.get(at);
      if (line !== undefined) return { ...problem, line };
      if (at === '') return problem;
    }
  });
}
