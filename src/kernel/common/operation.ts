import { applyDecorators, HttpCode, type Type } from '@nestjs/common';
import {
  ApiBearerAuth,
  ApiExtraModels,
  ApiOperation,
  ApiResponse,
  getSchemaPath,
  type ApiResponseOptions,
} from '@nestjs/swagger';
import { Amount, Free, Nested, Text } from './fields.js';

type ErrorStatus = 400 | 401 | 403 | 404 | 409 | 412 | 413 | 422 | 429;

const MEANINGS: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is not valid; `details` names the fields',
  401: 'No valid API token was given',
  403: 'The caller sees the object but lacks the right; the message names the permission',
  404: 'There is no such object, or the caller cannot see it',
  409: 'The state of the object does not allow this',
  412: 'The object is not in the state that the request needs',
  413: 'The body is too large',
  422: 'The Idempotency-Key was used with another body, or a text takes more time or memory to read or merge than it may',
  429: 'Too many requests; `Retry-After` says when to try again',
};

class ErrorDetailBody {
  @Text({ description: 'The field, as in `changes.3.title`', example: 'title' })
  path: string;
  @Text({ example: 'must be shorter than or equal to 50 characters' })
  message: string;
}

class ErrorFacts {
  @Amount({ description: 'The HTTP status', example: 400 })
  code: number;
  @Text({ example: 'title: must be shorter than or equal to 50 characters' })
  message: string;
  @Nested(() => ErrorDetailBody, { list: true, optional: true })
  details?: ErrorDetailBody[];
  @Free({
    list: true,
    optional: true,
    description:
      'With 409 of a write on a `base`: what others have written to the same blocks since, with the sides `base`, `current` and `given` of each as Markdown',
    example: [
      {
        id: '0123456789abcdef0123456789abcdef',
        page: 'AbCdEfGh0123456789Xy',
        by: { id: 'AbCdEfGh0123456789Xy', displayName: 'Ada Lovelace' },
        block: 'AbCdEfGh01',
        blocks: ['AbCdEfGh01'],
        base: 'Needs Node.js 18.',
        current: 'Needs Node.js 20.',
        given: 'Needs Node.js 22.',
      },
    ],
  })
  conflicts?: object[];
}

/** The one shape of every error. */
export class ErrorResponse {
  @Nested(() => ErrorFacts)
  error: ErrorFacts;
}

interface OperationOptions {
  /** The operationId of the public API, or a name of our own for an extension. */
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  /** The status of a success, 200 by default. */
  readonly status?: 200 | 201 | 202 | 204;
  /** The class of the body; none for 204. */
  readonly type?: Type;
  /** The body is a list of `type` in the list envelope. */
  readonly list?: boolean;
  /** Further properties of a list envelope. */
  readonly envelope?: Readonly<Record<string, object>>;
  /** A body that no single class describes. */
  readonly schema?: ApiResponseOptions & object;
  readonly errors?: readonly ErrorStatus[];
  /** A standard of its own media type, with the class of its errors; `application/json` and the common shape otherwise. */
  readonly media?: { readonly type: string; readonly error: Type };
  readonly deprecated?: boolean;
  /** The addressed resource always exists, or its absence is a success: there is no 404. */
  readonly alwaysThere?: boolean;
  /** Open to callers without a token. */
  readonly open?: boolean;
}

/** Documents an operation and sets its status: one decorator beside the route and the permission. */
export function Operation(options: OperationOptions): MethodDecorator {
  const status = options.status ?? 200;
  const errors = new Set<ErrorStatus>([
    400,
    ...(options.open ? [] : ([401, 403] as const)),
    ...(options.open || options.alwaysThere ? [] : ([404] as const)),
    ...(options.errors ?? []),
    429,
  ]);
  return applyDecorators(
    HttpCode(status),
    ApiOperation({
      operationId: options.id,
      summary: options.summary,
      ...(options.description !== undefined && { description: options.description }),
      ...(options.deprecated && { deprecated: true }),
    }),
    ...(options.open ? [] : [ApiBearerAuth()]),
    ApiExtraModels(options.media?.error ?? ErrorResponse, ...(options.type ? [options.type] : [])),
    ApiResponse({
      status,
      description: status === 204 ? 'Done; there is no body' : 'Success',
      ...successBody(options),
    }),
    ...[...errors].sort().map((code) =>
      ApiResponse({
        status: code,
        description: MEANINGS[code],
        ...(options.media ? referring(options.media.error, options.media.type) : { type: ErrorResponse }),
      }),
    ),
  );
}

function referring(type: Type, media: string): Pick<ApiResponseOptions & object, 'content'> & object {
  return { content: { [media]: { schema: { $ref: getSchemaPath(type) } } } };
}

function successBody(options: OperationOptions): object {
  if (options.schema) return options.schema;
  if (!options.type) return {};
  if (options.media) return referring(options.type, options.media.type);
  if (!options.list) return { type: options.type };
  return {
    schema: {
      type: 'object',
      required: ['items', 'count', ...Object.keys(options.envelope ?? {})],
      properties: {
        items: { type: 'array', items: { $ref: getSchemaPath(options.type) } },
        count: {
          type: 'integer',
          minimum: 0,
          description: 'All items of the list that the caller may see',
          example: 1,
        },
        next: {
          type: 'object',
          required: ['page'],
          properties: {
            page: { type: 'string', description: 'Token of the next page; `next` is absent on the last one' },
          },
        },
        ...options.envelope,
      },
    },
  };
}
