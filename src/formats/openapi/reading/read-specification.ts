import { bundle, inItsDocument } from '../domain/bundle.js';
import { requireBoundedSize } from '../domain/bounded-size.js';
import { isJson, kindOf, type JsonObject } from '../domain/json.js';
import { unreadable, Unreadable, type SpecificationProblem } from '../domain/specification-problem.js';
import { operationsOf } from '../domain/semantics.js';
import { convertSwagger } from '../domain/swagger.js';
import { tolerate, type SpecificationWarning } from '../domain/tolerance.js';
import { pointerLines, parseText, scalarTexts } from './parse.js';
import { contentFaults, openApiVersion, shapeFaults, type SpecificationVersion } from './validate.js';

/** Maximum number of reported problems; there can be one for each line. */
const MAX_PROBLEMS = 50;

/** Faults that refuse no specification. */
const HARMLESS: ReadonlySet<string> = new Set(['undeclared-security-scheme']);

/** A specification that was read, as OpenAPI 3 in JSON. */
export interface ReadSpecification {
  readonly json: string;
  /** The version of its source. */
  readonly version: SpecificationVersion;
  readonly operations: number;
  /** The addresses of its other documents. */
  readonly documents: readonly string[];
  /** The first of its faults, where these are accepted. */
  readonly warnings: readonly SpecificationWarning[];
  readonly warningCount: number;
}

/** The text of another document, or the reason why it is not available. */
export type FetchedDocument = { readonly text: string } | { readonly problem: string };

export interface ReadingOptions {
  /** The address of the specification, if it has one. */
  readonly base?: string | undefined;
  /** Maximum length of the JSON in characters. */
  readonly maxLength: number;
  /** Accepts faults that do not stop reading, with a warning for each. */
  readonly tolerant?: boolean | undefined;
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

async function read(
  text: string,
  { base, maxLength, tolerant = false, fetch }: ReadingOptions,
): Promise<ReadSpecification> {
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
  const ofShape = shapeFaults(root, version);
  const problems = ofShape.length > 0 ? ofShape : contentFaults(root, version);
  const isAccepted = tolerant || problems.every(({ code }) => HARMLESS.has(code));
  const warnings = isAccepted ? accepted(root, problems, text) : [];
  // Content is judged after its shape was mended.
  if (ofShape.length > 0 && warnings.length > 0)
    warnings.push(...tolerate(root, contentFaults(root, version), () => undefined));
  const inDocuments = <Problem extends SpecificationProblem>(found: readonly Problem[]): Problem[] =>
    found.map((problem) => inItsDocument(problem, documents));
  if (problems.length > warnings.length) throw new Unreadable(inDocuments(problems));
  const specification = version === '2.0' ? converted(root, inDocuments(problems)) : root;
  const json = JSON.stringify(specification);
  if (json.length > maxLength)
    throw unreadable(
      'too-large',
      `it becomes longer than ${maxLength} characters once its aliases and other documents are written out`,
      { pointer: '' },
    );
  return {
    json,
    version,
    operations: [...operationsOf(specification)].length,
    documents,
    warnings: withLines(inDocuments(warnings.slice(0, MAX_PROBLEMS)), text),
    warningCount: warnings.length,
  };
}

/** Changes what is wrong so that the rest can be shown; none are accepted of a specification that has nothing to show. */
function accepted(root: JsonObject, problems: readonly SpecificationProblem[], text: string): SpecificationWarning[] {
  if (problems.length === 0) return [];
  const numbers = problems.flatMap(({ pointer, wanted }) =>
    pointer !== undefined && wanted?.includes('string') === true ? [pointer] : [],
  );
  const texts = scalarTexts(text, numbers);
  const warnings = tolerate(root, problems, (pointer) => texts.get(pointer));
  const hasContent = ['paths', 'webhooks', 'x-webhooks', 'components', 'definitions'].some((name) =>
    isJson(root[name]),
  );
  return hasContent ? warnings : [];
}

/** Faults that were accepted may keep a specification from being converted. */
function converted(root: JsonObject, problems: readonly SpecificationProblem[]): JsonObject {
  try {
    return convertSwagger(root);
  } catch (error) {
    if (problems.length === 0) throw error;
    throw new Unreadable(problems);
  }
}

function withLines<Problem extends SpecificationProblem>(problems: readonly Problem[], text: string): Problem[] {
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
