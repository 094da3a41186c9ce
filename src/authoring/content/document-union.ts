import { applyDecorators, type Type as ClassOf } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { Nested, takes } from '../../kernel/common/fields.js';

const FORMS = ['markdown', 'document'] as const;
const EXPECTED = 'a document is given as one of markdown and document, or is empty';

/**
 * A document in one of its forms: Markdown, the document itself, or neither for an empty one. Unlike elsewhere unknown
 * fields are refused, because their content would be lost.
 */
export function DocumentUnion(
  of: () => ClassOf,
  options: {
    readonly optional?: boolean;
    readonly description?: string;
    readonly example: { readonly markdown: string };
  },
): PropertyDecorator {
  const check = ValidateBy({
    name: 'documentUnion',
    validator: {
      validate: (value) => faultOf(value) === undefined,
      defaultMessage: (given) => faultOf(given?.value) ?? '',
    },
  });
  return applyDecorators(
    Nested(of, { description: 'Exactly one of markdown and document, or neither for an empty one', ...options }),
    takes({ only: of }),
    check,
  );
}

function faultOf(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const names = Object.entries(value).flatMap(([name, given]) => (given === undefined ? [] : [name]));
  const unknown = names.find((name) => !FORMS.some((form) => form === name));
  if (unknown !== undefined)
    return /^\w+$/.test(unknown)
      ? `.${unknown} is not known: ${EXPECTED}`
      : `must not have the field ${JSON.stringify(unknown)}: ${EXPECTED}`;
  return names.length > 1 ? 'must have exactly one of markdown and document' : undefined;
}
