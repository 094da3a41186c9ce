import { applyDecorators, Injectable, type PipeTransform } from '@nestjs/common';
import { ApiBody } from '@nestjs/swagger';
import { z } from 'zod';
import { DomainError, type ErrorDetail } from '../common/errors.js';

/** Checks a body against a schema and names every fault with its path; unknown fields are dropped. */
@Injectable()
export class ParsedPipe<Output> implements PipeTransform<unknown, Output> {
  constructor(private readonly schema: z.ZodType<Output>) {}

  transform(body: unknown): Output {
    const result = this.schema.safeParse(body, { error: (issue) => (issue.input === undefined ? 'is required' : undefined) });
    if (result.success) return result.data;
    const details: ErrorDetail[] = result.error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }));
    throw new DomainError('invalid', details.map(({ path, message }) => `${path}: ${message}`).join('; '), details);
  }
}

type OpenApiSchema = Record<string, unknown>;

/** The OpenAPI 3.0 schema of what a body may hold (`input`) or an answer holds (`output`). */
export function openApiOf(schema: z.ZodType, io: 'input' | 'output'): OpenApiSchema {
  const { $schema: _, ...published } = z.toJSONSchema(schema, { target: 'openapi-3.0', io }) as OpenApiSchema;
  return published;
}

/** Publishes the schema of a body that a `ParsedPipe` checks. */
export function ParsedBody(schema: z.ZodType, example: object): MethodDecorator {
  return applyDecorators(ApiBody({ schema: { ...openApiOf(schema, 'input'), example } }));
}
