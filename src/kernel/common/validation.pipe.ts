import { ValidationPipe, type ArgumentMetadata, type Type as ClassOf } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { validate, validateSync, type ValidationError, type ValidatorOptions } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { declaredNames, DeclaredFields } from './declared-fields.js';
import { invalid, invalidFields, type ErrorDetail } from './errors.js';
import { noteUnknown } from './unknown-input.js';

/** The prefix of messages about the elements of a list. */
const EACH = 'each value ';
/** A message about a nested value of a field that is validated separately: `.3.role must be …`. */
const INNER = /^((?:\.\w+)+) (.+)$/s;

const CHECKS: ValidatorOptions = {
  whitelist: true,
  forbidUnknownValues: true,
  stopAtFirstError: true,
  validationError: { target: true },
};

/** A name in the style that some clients use for lists. */
const BRACKETED = /^(\w+)\[[^\]]*\]/;

const QUERIES_KEPT = 1000;
const MAX_QUERY_LENGTH = 200;

/**
 * Validates bodies and queries against their classes; unknown fields and parameters are ignored, and every fault is
 * reported with its path. A known parameter in another style (`action[]`) is refused, because ignoring it would
 * silently drop a filter. The same few queries recur (mostly without parameters), so the result of a valid one is
 * cached, frozen.
 */
export class Validation extends ValidationPipe {
  private readonly queries = new LRUCache<string, object>({ max: QUERIES_KEPT });
  private readonly classes = new Map<unknown, number>();

  constructor() {
    super({ ...CHECKS, transform: true, exceptionFactory: refusal });
  }

  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type === 'body' && metadata.metatype !== undefined && this.toValidate(metadata))
      return checkedBody(value ?? {}, metadata.metatype);
    if (metadata.type !== 'query' || metadata.data !== undefined) return super.transform(value, metadata);
    const key = this.keyOf(value, metadata.metatype);
    return key === undefined ? this.checkedQuery(value, metadata) : this.remembered(key, value, metadata);
  }

  private async remembered(key: string, value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const known = this.queries.get(key);
    if (known !== undefined) return known;
    const checked: unknown = await this.checkedQuery(value, metadata);
    if (typeof checked === 'object' && checked !== null) this.queries.set(key, Object.freeze(checked));
    return checked;
  }

  private async checkedQuery(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    const declared = new Set(metadata.metatype === undefined ? [] : declaredNames(metadata.metatype));
    for (const written of Object.keys(value ?? {})) {
      const name = BRACKETED.exec(written)?.[1];
      if (name !== undefined && declared.has(name))
        throw invalid(name, `is written ${name}=…, once for each value, and not ${written}=…`);
    }
    return super.transform(value, metadata);
  }

  private keyOf(value: unknown, metatype: unknown): string | undefined {
    const text = JSON.stringify(value);
    if (text.length > MAX_QUERY_LENGTH) return undefined;
    const number = this.classes.get(metatype) ?? this.classes.size;
    this.classes.set(metatype, number);
    return `${number} ${text}`;
  }
}

async function checkedBody(body: unknown, of: ClassOf): Promise<object> {
  if (typeof body !== 'object' || Array.isArray(body)) throw invalid('body', 'must be an object');
  const declared = new DeclaredFields(body, of);
  const made = await checked(declared, of as ClassOf<object>);
  noteUnknown(declared.unknown);
  return made;
}

/** Holds what a request makes in another way than as its body to the class of a body; throws `invalid` for its faults. */
export function checkedObject<Shape extends object>(given: object, of: ClassOf<Shape>): Promise<Shape> {
  return checked(new DeclaredFields(given, of), of);
}

async function checked<Shape extends object>(declared: DeclaredFields, of: ClassOf<Shape>): Promise<Shape> {
  const made = declared.restored(plainToInstance<Shape, unknown>(of, declared.part));
  const errors = await validate(made, CHECKS);
  if (errors.length > 0) throw refusal(errors);
  return made;
}

function refusal(errors: readonly ValidationError[]): Error {
  return invalidFields(faultsOf(errors, ''));
}

function faultsOf(errors: readonly ValidationError[], parent: string): ErrorDetail[] {
  return errors.flatMap((error) => {
    const path = parent === '' ? error.property : `${parent}.${error.property}`;
    const own = Object.entries(error.constraints ?? {}).map(([constraint, message]) => {
      const [, way, rest] = INNER.exec(message) ?? [];
      if (way !== undefined && rest !== undefined) return { path: path + way, message: rest };
      const index = message.startsWith(EACH) ? indexOfFault(error, constraint) : -1;
      if (index >= 0)
        return { path: `${path}.${index}`, message: withoutName(message, error.property).slice(EACH.length) };
      return { path, message: error.value === undefined ? 'is required' : withoutName(message, error.property) };
    });
    return [...own, ...faultsOf(error.children ?? [], path)];
  });
}

/**
 * Finds the first element of a list that breaks a constraint, which the validator does not report: validates each
 * separately.
 */
function indexOfFault({ target, property, value }: ValidationError, constraint: string): number {
  if (!Array.isArray(value) || target === undefined) return -1;
  const alone = Object.create(Object.getPrototypeOf(target) as object) as Record<string, unknown>;
  return value.findIndex((element) => {
    alone[property] = [element];
    return validateSync(alone).some(
      (fault) => fault.property === property && fault.constraints?.[constraint] !== undefined,
    );
  });
}

function withoutName(message: string, name: string): string {
  return message.startsWith(`${name} `) ? message.slice(name.length + 1) : message.replace(`in ${name} `, '');
}
