import { applyDecorators, Injectable, type PipeTransform } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { z } from 'zod';
import { invalidFields } from '../../kernel/common/errors.js';
import { MAX_UNKNOWN, noteUnknown } from '../../kernel/common/unknown-input.js';

/**
 * Checks a body against a schema and names faults with their paths, the first 100 of them; unknown fields are dropped, and named
 * in the answer.
 */
@Injectable()
export class SchemaPipe<Output> implements PipeTransform<unknown, Output> {
  constructor(private readonly schema: z.ZodType<Output>) {}

  transform(body: unknown): Output {
    const result = this.schema.safeParse(body, { error: wordsOf });
    if (result.success) {
      noteUnknown(droppedOf(body, result.data));
      return result.data;
    }
    throw invalidFields(
      result.error.issues.map((issue) => ({ path: issue.path.join('.') || 'body', message: issue.message })),
    );
  }
}

/** The paths of the fields of a body that a schema has dropped from it, the first few of them. */
function droppedOf(body: unknown, read: unknown, path = ''): string[] {
  if (typeof body !== 'object' || body === null || typeof read !== 'object' || read === null) return [];
  const kept = read as Readonly<Record<string, unknown>>;
  const dropped: string[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (dropped.length >= MAX_UNKNOWN) break;
    const own = path === '' ? name : `${path}.${name}`;
    dropped.push(...(Object.hasOwn(kept, name) ? droppedOf(value, kept[name], own) : [own]));
  }
  return dropped.slice(0, MAX_UNKNOWN);
}

/** States a fault in the same words as for all other bodies; the library's message is used for the rest. */
function wordsOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is required';
  if (issue.code === 'invalid_type') return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`;
  if (issue.code === 'invalid_value') return oneOf(issue.values);
  if (issue.code === 'invalid_union' && Array.isArray(issue.options)) return oneOf(issue.options);
  if (issue.code === 'too_small' || issue.code === 'too_big') return sizeFault(issue);
  return undefined;
}

function oneOf(values: readonly unknown[]): string {
  return `must be one of the following values: ${values.join(', ')}`;
}

function sizeFault(issue: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig>): string {
  const [bound, isLeast] = issue.code === 'too_small' ? [issue.minimum, true] : [issue.maximum, false];
  if (issue.origin === 'string')
    return `must be ${isLeast ? 'longer' : 'shorter'} than or equal to ${bound} characters`;
  if (issue.origin === 'array') return `must contain ${isLeast ? 'at least' : 'no more than'} ${bound} elements`;
  return `must not be ${isLeast ? 'less' : 'greater'} than ${bound}`;
}

type OpenApiSchema = Record<string, unknown>;

/** The OpenAPI 3.0 schema of a body (`input`) or a response (`output`). */
export function openApiOf(schema: z.ZodType, io: 'input' | 'output'): OpenApiSchema {
  const { $schema: _, ...published } = z.toJSONSchema(schema, { target: 'openapi-3.0', io }) as OpenApiSchema;
  return published;
}

/** Documents the schema of a body that a `SchemaPipe` checks. */
export function SchemaBody(schema: z.ZodType, example: object): MethodDecorator {
  return applyDecorators(ApiBody({ schema: { ...openApiOf(schema, 'input'), example } }));
}
