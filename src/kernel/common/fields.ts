import { applyDecorators, type Type as ClassOf } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsIn,
  IsInt,
  IsNumber,
  IsObject,
  IsString,
  isISO8601,
  isURL,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateBy,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import { expressionFault } from './expressions/parse.js';
import { MAX_EXPRESSION_LENGTH } from './expressions/tree.js';
import { ipRangeFault } from './ip-address.js';
import { addressFault } from './safe-address.js';
import { isStorableTime } from './storable-time.js';

/** Options of every field besides its type. Each composite below both validates a field and documents it. */
interface FieldOptions {
  readonly description?: string;
  readonly example?: unknown;
  /** The field may be absent. */
  readonly optional?: boolean;
  /** The field may be null. */
  readonly nullable?: boolean;
  /** The field is a list of such values. */
  readonly list?: boolean;
  readonly maxItems?: number;
  readonly minItems?: number;
}

const DEFAULT_MAX_ITEMS = 1000;
const URL_MAX_LENGTH = 2048;
const IP_RANGE_MAX_LENGTH = 49;

/**
 * The content of a field: a text, number or flag, an object of any shape, an object of another class, which may depend
 * on the given value, or an object of a class for which unknown fields are refused instead of ignored.
 */
export type Inside = 'value' | 'free' | ((given: unknown) => ClassOf) | { readonly only: () => ClassOf };
const INSIDE = new WeakMap<object, Map<string, Inside>>();

/** The content of a field of a class; undefined if the field is declared by other means. */
export function insideOf(of: ClassOf, name: string): Inside | undefined {
  for (let at: object | null = of.prototype as object; at !== null; at = Object.getPrototypeOf(at) as object | null) {
    const inside = INSIDE.get(at)?.get(name);
    if (inside !== undefined) return inside;
  }
  return undefined;
}

/** Declares the content of a field, where its decorator alone does not determine it. */
export function takes(inside: Inside): PropertyDecorator {
  return (target, name) =>
    void INSIDE.set(target, (INSIDE.get(target) ?? new Map<string, Inside>()).set(String(name), inside));
}

function field(
  options: FieldOptions,
  published: ApiPropertyOptions,
  checks: (each: { each: boolean }) => PropertyDecorator[],
  inside: Inside = 'value',
): PropertyDecorator {
  const { optional = false, nullable = false, list = false, description, example } = options;
  const decorators: PropertyDecorator[] = [
    ApiProperty({
      ...published,
      ...(list && !('items' in published) && { isArray: true }),
      ...(list && {
        maxItems: options.maxItems ?? DEFAULT_MAX_ITEMS,
        ...(options.minItems !== undefined && { minItems: options.minItems }),
      }),
      required: !optional,
      ...(nullable && { nullable }),
      ...(description !== undefined && { description }),
      ...(example !== undefined && { example }),
    } as ApiPropertyOptions),
    ValidateIf((_, value) => !(optional && value === undefined) && !(nullable && value === null)),
    ...checks({ each: list }),
    takes(inside),
  ];
  if (list)
    decorators.push(
      IsArray(),
      ArrayMaxSize(options.maxItems ?? DEFAULT_MAX_ITEMS),
      ...(options.minItems === undefined ? [] : [ArrayMinSize(options.minItems)]),
    );
  return applyDecorators(...decorators);
}

/** A string, with limits of its length in characters and a pattern if needed. */
export function Text(
  options: FieldOptions & {
    min?: number;
    max?: number;
    pattern?: RegExp;
    patternMessage?: string;
    default?: string;
  } = {},
): PropertyDecorator {
  const { min, max, pattern } = options;
  return field(
    options,
    {
      type: String,
      ...(min !== undefined && { minLength: min }),
      ...(max !== undefined && { maxLength: max }),
      ...(pattern && { pattern: pattern.source }),
      ...(options.default !== undefined && { default: options.default }),
    },
    (each) => [
      IsString(each),
      ...(min === undefined ? [] : [MinLength(min, each)]),
      ...(max === undefined ? [] : [MaxLength(max, each)]),
      ...(pattern
        ? [Matches(pattern, { ...each, ...(options.patternMessage && { message: options.patternMessage }) })]
        : []),
    ],
  );
}

/** A condition as an expression; an empty one always holds. */
export function Condition(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { example: 'visitor.claims.isBetaUser', ...options },
    { type: String, maxLength: MAX_EXPRESSION_LENGTH },
    (each) => [
      IsString(each),
      MaxLength(MAX_EXPRESSION_LENGTH, each),
      ValidateBy(
        {
          name: 'isCondition',
          validator: {
            validate: (value) => faultOfCondition(value) === undefined,
            defaultMessage: (args) => faultOfCondition(args?.value) ?? '',
          },
        },
        each,
      ),
    ],
  );
}

function faultOfCondition(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? expressionFault(value) : undefined;
}

/** A range of IP addresses in CIDR notation, or a single address. */
export function IpRange(options: FieldOptions = {}): PropertyDecorator {
  const faultOf = (value: unknown) => (typeof value === 'string' ? ipRangeFault(value) : undefined);
  return field(options, { type: String, maxLength: IP_RANGE_MAX_LENGTH }, (each) => [
    IsString(each),
    MaxLength(IP_RANGE_MAX_LENGTH, each),
    ValidateBy(
      {
        name: 'isIpRange',
        validator: {
          validate: (value) => faultOf(value) === undefined,
          defaultMessage: (args) =>
            [args?.value]
              .flat()
              .map(faultOf)
              .find((fault) => fault !== undefined) ?? '',
        },
      },
      each,
    ),
  ]);
}

/** The public id of a resource. */
export function Id(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { example: 'AbCdEfGh0123456789Xy', ...options },
    { type: String, minLength: 1, maxLength: 100 },
    (each) => [IsString(each), MinLength(1, each), MaxLength(100, each)],
  );
}

/**
 * One of a set of words. A list that is filled later, when the modules are assembled, counts as it is then; such a
 * field needs an example.
 */
export function OneOf(
  members: readonly string[],
  options: FieldOptions & { default?: string } = {},
): PropertyDecorator {
  const words = members as string[];
  const standard = options.default !== undefined && { default: options.default };
  const published: ApiPropertyOptions = options.list
    ? { type: 'array', items: { type: 'string', enum: words }, ...standard }
    : { type: String, enum: words, ...standard };
  const message = () =>
    `${options.list ? 'each value ' : ''}must be one of the following values: ${members.join(', ')}${options.nullable ? ', or null' : ''}`;
  return field({ example: options.default ?? members[0], ...options }, published, (each) => [
    IsIn(members, { ...each, message }),
  ]);
}

/** A boolean; in a query the text true or false. */
export function Flag(options: FieldOptions & { default?: boolean; query?: boolean } = {}): PropertyDecorator {
  const toFlag = Transform(({ value }: { value: unknown }) =>
    value === 'true' ? true : value === 'false' ? false : value,
  );
  return field(
    { example: options.default ?? true, ...options },
    { type: Boolean, ...(options.default !== undefined && { default: options.default }) },
    (each) => [...(options.query ? [toFlag] : []), IsBoolean(each)],
  );
}

/** A number, an integer unless stated otherwise; in a query its decimal digits. */
export function Amount(
  options: FieldOptions & { min?: number; max?: number; fractional?: boolean; query?: boolean } = {},
): PropertyDecorator {
  const { min, max } = options;
  const toNumber = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value,
  );
  return field(
    { example: min ?? 1, ...options },
    {
      type: options.fractional ? 'number' : 'integer',
      ...(min !== undefined && { minimum: min }),
      ...(max !== undefined && { maximum: max }),
    },
    (each) => [
      ...(options.query ? [toNumber] : []),
      options.fractional ? IsNumber({}, each) : IsInt(each),
      ...(min === undefined ? [] : [Min(min, each)]),
      ...(max === undefined ? [] : [Max(max, each)]),
    ],
  );
}

/** An absolute http or https address of at most 2,048 characters. */
export function Url(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { example: 'https://example.com/', ...options },
    { type: String, format: 'uri', maxLength: URL_MAX_LENGTH },
    (each) => [
      ValidateBy(
        {
          name: 'isUrl',
          validator: {
            validate: (value) => faultOfUrl(value) === undefined,
            defaultMessage: (args) => `${options.list ? 'each value ' : ''}${faultOfUrl(args?.value) ?? HTTP_ONLY}`,
          },
        },
        each,
      ),
      MaxLength(URL_MAX_LENGTH, each),
    ],
  );
}

/** Tells whether a text is an address that a field of this kind takes, whatever its length. */
export const isUrlOfField = (value: string): boolean => faultOfUrl(value) === undefined;

const HTTP_ONLY = 'must be an http or https address';

function faultOfUrl(value: unknown): string | undefined {
  if (!isURL(value as string, { protocols: ['http', 'https'], require_protocol: true, require_tld: false }))
    return HTTP_ONLY;
  return addressFault(value as string);
}

/** Quoted local parts may contain any character, even line ends, and are not supported. */
export const EMAIL_RULES = { blacklisted_chars: '"\\s' } as const;

export function Email(options: FieldOptions = {}): PropertyDecorator {
  return field(
    { example: 'ada@example.com', ...options },
    { type: String, format: 'email', maxLength: 320 },
    (each) => [IsEmail(EMAIL_RULES, each), MaxLength(320, each)],
  );
}

/**
 * A point in time, ISO 8601 in UTC with milliseconds. Bodies may use any form of ISO 8601 that has a calendar date with
 * hyphens.
 */
export function Timestamp(options: FieldOptions = {}): PropertyDecorator {
  return field({ example: '2026-01-31T09:30:00.000Z', ...options }, { type: String, format: 'date-time' }, (each) => [
    ValidateBy(
      {
        name: 'isInstant',
        validator: { validate: isInstant, defaultMessage: () => 'must be a time such as 2026-01-31T09:30:00Z' },
      },
      each,
    ),
  ]);
}

/**
 * ISO 8601 has date formats that `Date` does not parse, or misreads (weeks, days of the year), and `Date` accepts a
 * 30th of February.
 */
function isInstant(value: unknown): boolean {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d(?:[T ]|$)/.test(value) &&
    isISO8601(value, { strict: true }) &&
    isStorableTime(value)
  );
}

/** An object of another class, which is validated recursively. */
export function Nested(of: () => ClassOf, options: FieldOptions = {}): PropertyDecorator {
  return field(options, { type: () => of() }, (each) => [Type(of), IsObject(each), ValidateNested(each)], of);
}

/** An object that is validated elsewhere (by the function that `description` names) or has any shape. */
export function Free(options: FieldOptions & { schema?: ApiPropertyOptions } = {}): PropertyDecorator {
  return field(
    options,
    { type: 'object', additionalProperties: true, ...options.schema } as ApiPropertyOptions,
    (each) => [IsObject(each)],
    'free',
  );
}

/** A repeated query parameter: one value or several. */
export function Repeated(): PropertyDecorator {
  return Transform(({ value }: { value: unknown }) =>
    value === undefined || Array.isArray(value) ? (value as unknown) : [value],
  );
}

/** The constant `object` of a resource. */
export function ObjectName(name: string): PropertyDecorator {
  return OneOf([name], { example: name });
}
