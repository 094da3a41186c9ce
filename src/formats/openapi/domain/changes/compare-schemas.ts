import { canonicalJson } from '../../../document/hash.js';
import { isJson, type JsonObject } from '../json.js';
import { inQuotes, quotedList, type ChangeEffect, type ChangeList, type ChangeSubject } from './change.js';
import { UPPER_LIMITS, type ComparedDocument, type Located, type EffectiveSchema } from './effective-schema.js';

/** Tells whether clients send values, or receive them. */
export type Direction = 'sent' | 'received';

/** The place of a schema: of its operation, or of a schema that operations share. */
export interface SchemaPlace {
  readonly subject: ChangeSubject;
  /** Such as `response 200`; '' for schemas that operations share. */
  readonly part: string;
  /** Such as `items[].name`; '' for the whole schema. */
  readonly path: string;
}

interface Pair extends SchemaPlace {
  readonly before: Located;
  readonly after: Located;
  readonly direction: Direction;
}

interface ViewPair extends SchemaPlace {
  readonly before: EffectiveSchema;
  readonly after: EffectiveSchema;
  readonly direction: Direction;
}

/** Effects of a change by the direction of the values. */
type Effects = Readonly<Record<Direction, ChangeEffect>>;

/** Fewer values are allowed. */
const NARROWED: Effects = { sent: 'breaking', received: 'compatible' };
/** More values are allowed. */
const WIDENED: Effects = { sent: 'compatible', received: 'breaking' };
/** More values are allowed, which only strict clients refuse. */
const LOOSENED: Effects = { sent: 'compatible', received: 'dangerous' };
const BREAKING: Effects = { sent: 'breaking', received: 'breaking' };
const DANGEROUS: Effects = { sent: 'dangerous', received: 'dangerous' };
const COMPATIBLE: Effects = { sent: 'compatible', received: 'compatible' };
const DOCUMENTATION: Effects = { sent: 'documentation', received: 'documentation' };

const COMPONENT = /^\/(?:components\/schemas|definitions)\/([^/]+)$/;

/** Compares schemas pair by pair: each pair once for each direction, so that recursive ones come to an end. */
export class SchemaComparison {
  private readonly waiting: Pair[] = [];
  private readonly compared = new Map<JsonObject, Map<JsonObject, Set<Direction>>>();

  constructor(
    private readonly before: ComparedDocument,
    private readonly after: ComparedDocument,
    private readonly changes: ChangeList,
  ) {}

  /** Compares two schemas with all that is in them. */
  compare(pair: Pair): void {
    this.waiting.push(pair);
    for (let next = this.waiting.pop(); next; next = this.waiting.pop()) this.comparePair(next);
  }

  private comparePair({ before, after, direction, subject, part, path }: Pair): void {
    const [one, other] = [this.before.view(before), this.after.view(after)];
    if (!one || !other || !this.isNew(one.self.value, other.self.value, direction)) return;
    const name = COMPONENT.exec(other.self.pointer)?.[1];
    const inside =
      name === undefined ? { subject, part, path } : { subject: { schema: unescaped(name) }, part: '', path: '' };
    const pair: ViewPair = { before: one, after: other, direction, ...inside };
    this.compareTexts(pair);
    if (one.rest !== other.rest)
      this.report(pair, DANGEROUS, 'not-compared', 'It joins too many schemas: the changes of some were not compared');
    if (!this.compareTypes(pair)) return;
    this.compareValues(pair);
    this.compareLimits(pair);
    this.compareRules(pair);
    this.compareProperties(pair);
    this.compareAdditional(pair);
    this.compareAlternatives(pair);
    if (one.items && other.items) this.later(pair, one.items, other.items, `${pair.path}[]`);
  }

  private isNew(before: JsonObject, after: JsonObject, direction: Direction): boolean {
    const partners = this.compared.get(before) ?? new Map<JsonObject, Set<Direction>>();
    this.compared.set(before, partners);
    const directions = partners.get(after) ?? new Set();
    partners.set(after, directions);
    if (directions.has(direction)) return false;
    directions.add(direction);
    return true;
  }

  private later({ direction, subject, part }: ViewPair, before: Located, after: Located, path: string): void {
    this.waiting.push({ before, after, direction, subject, part, path });
  }

  private report(
    { direction, subject, part, path, after }: ViewPair,
    effects: Effects,
    code: string,
    message: string,
    pointer = after.self.pointer,
  ): void {
    const effect = effects[direction];
    const place = [part, path].filter((each) => each !== '').join(', ');
    this.changes.add({ ...subject, effect, code, ...(place !== '' && { place }), message, pointer });
  }

  private compareTexts(pair: ViewPair): void {
    const [before, after] = [pair.before.self.value, pair.after.self.value];
    if (before['description'] !== after['description'] || before['title'] !== after['title'])
      this.report(pair, DOCUMENTATION, 'description-changed', 'The description changed');
    if (before['deprecated'] !== true && after['deprecated'] === true)
      this.report(pair, COMPATIBLE, 'deprecated', 'It is deprecated now');
    const [old, current] = [canonicalJson(before['default']), canonicalJson(after['default'])];
    if (old !== current)
      this.report(
        pair,
        { sent: 'dangerous', received: 'compatible' },
        'default-changed',
        `The default was ${inQuotes(before['default'])} and is ${inQuotes(after['default'])}`,
      );
  }

  /** Tells whether the two have a type in common. */
  private compareTypes(pair: ViewPair): boolean {
    const [before, after] = [pair.before.types, pair.after.types];
    if (before === undefined && after === undefined) return true;
    const listOf = (types: ReadonlySet<string> | undefined): string => (types ? [...types].join(' or ') : 'any type');
    const message = `The type was ${listOf(before)} and is ${listOf(after)}`;
    if (before === undefined || after === undefined) {
      this.report(pair, before === undefined ? NARROWED : WIDENED, 'type-changed', message);
      return true;
    }
    const removed = [...before].filter((type) => !covers(after, type));
    const added = [...after].filter((type) => !covers(before, type));
    if (removed.length > 0 && added.length > 0) {
      this.report(pair, BREAKING, 'type-changed', message);
      return removed.length < before.size;
    }
    const code = [...removed, ...added].every((type) => type === 'null') ? 'nullable-changed' : 'type-changed';
    if (removed.length > 0) this.report(pair, NARROWED, code, message);
    if (added.length > 0) this.report(pair, WIDENED, code, message);
    return true;
  }

  private compareValues(pair: ViewPair): void {
    const [before, after] = [pair.before.values, pair.after.values];
    if (before === undefined && after !== undefined)
      this.report(pair, NARROWED, 'enum-added', `Only these values are allowed: ${quotedList([...after.values()])}`);
    if (before !== undefined && after === undefined)
      this.report(pair, LOOSENED, 'enum-removed', 'Values are no longer restricted to a list');
    if (before === undefined || after === undefined) return;
    const removed = [...before].filter(([json]) => !after.has(json)).map(([, value]) => value);
    const added = [...after].filter(([json]) => !before.has(json)).map(([, value]) => value);
    if (removed.length > 0)
      this.report(pair, NARROWED, 'enum-values-removed', `Values are no longer allowed: ${quotedList(removed)}`);
    if (added.length > 0) this.report(pair, LOOSENED, 'enum-values-added', `Values were added: ${quotedList(added)}`);
  }

  private compareLimits(pair: ViewPair): void {
    for (const name of new Set([...pair.before.limits.keys(), ...pair.after.limits.keys()])) {
      const [before, after] = [pair.before.limits.get(name), pair.after.limits.get(name)];
      if (before === after) continue;
      const isUpper = UPPER_LIMITS.some((each) => each === name);
      const isNarrower = before === undefined || (after !== undefined && after < before === isUpper);
      const message = `${name} was ${before ?? 'not given'} and is ${after ?? 'not given'}`;
      this.report(pair, isNarrower ? NARROWED : LOOSENED, 'limit-changed', message);
    }
  }

  private compareRules(pair: ViewPair): void {
    for (const name of new Set([...pair.before.rules.keys(), ...pair.after.rules.keys()])) {
      const [before, after] = [pair.before.rules.get(name), pair.after.rules.get(name)];
      if (before === after) continue;
      const isAdded = before === undefined && name !== 'format';
      const effects = isAdded ? NARROWED : after === undefined ? LOOSENED : DANGEROUS;
      const change = before === undefined ? 'was added' : after === undefined ? 'was removed' : 'changed';
      this.report(pair, effects, 'rule-changed', `The keyword ${name} ${change}`);
    }
  }

  private compareProperties(pair: ViewPair): void {
    const { before, after } = pair;
    const names = new Set([...before.properties.keys(), ...after.properties.keys(), ...after.required]);
    for (const name of names) {
      const [old, current] = [before.properties.get(name), after.properties.get(name)];
      const wasKnown = old !== undefined || before.required.has(name);
      if (old && !current && !after.required.has(name)) this.reportRemoved(pair, name, old);
      else if (!wasKnown) this.reportAdded(pair, name, current);
      else this.compareProperty(pair, name, old, current);
    }
  }

  private reportRemoved(pair: ViewPair, name: string, property: Located): void {
    if (isHidden(this.before.view(property), pair.direction)) return;
    const effects: Effects = {
      sent: pair.after.additional.value === false ? 'breaking' : 'dangerous',
      received: pair.before.required.has(name) ? 'breaking' : 'dangerous',
    };
    this.report(pair, effects, 'property-removed', `The property ${inQuotes(name)} was removed`, property.pointer);
  }

  private reportAdded(pair: ViewPair, name: string, property: Located | undefined): void {
    if (property && isHidden(this.after.view(property), pair.direction)) return;
    const isRequired = pair.after.required.has(name);
    this.report(
      pair,
      isRequired ? NARROWED : COMPATIBLE,
      isRequired ? 'required-property-added' : 'property-added',
      `The ${isRequired ? 'required ' : ''}property ${inQuotes(name)} was added`,
      property?.pointer,
    );
  }

  private compareProperty(pair: ViewPair, name: string, old: Located | undefined, current: Located | undefined): void {
    const { before, after, direction } = pair;
    const [one, other] = [old && this.before.view(old), current && this.after.view(current)];
    if (isHidden(one, direction) && isHidden(other, direction)) return;
    // To this direction it is new, and what it is like has no former state.
    if (isHidden(one, direction)) return this.reportAdded(pair, name, current);
    const pointer = current?.pointer ?? after.self.pointer;
    const [wasRequired, isRequired] = [before.required.has(name), after.required.has(name)];
    if (isHidden(other, direction)) {
      const way = direction === 'sent' ? 'read-only' : 'write-only';
      this.report(pair, BREAKING, `property-became-${way}`, `The property ${inQuotes(name)} is ${way} now`, pointer);
    } else if (!wasRequired && isRequired)
      this.report(
        pair,
        NARROWED,
        'property-became-required',
        `The property ${inQuotes(name)} is required now`,
        pointer,
      );
    else if (wasRequired && !isRequired)
      this.report(
        pair,
        WIDENED,
        'property-became-optional',
        `The property ${inQuotes(name)} is no longer required`,
        pointer,
      );
    if (old && current) this.later(pair, old, current, below(pair.path, name));
  }

  private compareAdditional(pair: ViewPair): void {
    const [before, after] = [pair.before.additional, pair.after.additional];
    if (before.value !== false && after.value === false)
      this.report(pair, NARROWED, 'additional-properties-refused', 'Other properties are no longer allowed');
    if (before.value === false && after.value !== false)
      this.report(pair, LOOSENED, 'additional-properties-allowed', 'Other properties are allowed now');
    const [was, is] = [restricts(before), restricts(after)];
    if (was && is) this.later(pair, before, after, below(pair.path, '*'));
    if (is && !was && before.value !== false)
      this.report(pair, NARROWED, 'additional-properties-restricted', 'Other properties must follow a schema now');
    if (was && !is && after.value !== false)
      this.report(pair, LOOSENED, 'additional-properties-unrestricted', 'Other properties may have any value now');
  }

  private compareAlternatives(pair: ViewPair): void {
    const [before, after] = [pair.before.alternatives, pair.after.alternatives];
    if ((before.length === 0) !== (after.length === 0))
      this.report(pair, DANGEROUS, 'alternatives-changed', 'It has alternatives (oneOf, anyOf) in one version only');
    if (before.length === 0 || after.length === 0) return;
    const left = named(after);
    for (const [name, old] of named(before)) {
      const current = left.get(name);
      left.delete(name);
      if (current) this.later(pair, old, current, `${pair.path}(${name})`);
      else
        this.report(
          pair,
          NARROWED,
          'alternative-removed',
          `The alternative ${inQuotes(name)} was removed`,
          old.pointer,
        );
    }
    for (const [name, current] of left)
      this.report(pair, LOOSENED, 'alternative-added', `The alternative ${inQuotes(name)} was added`, current.pointer);
  }
}

/** Tells whether other properties have a schema that says something. */
const restricts = ({ value }: Located): boolean => isJson(value) && Object.keys(value).length > 0;

function covers(types: ReadonlySet<string>, type: string): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'));
}

/** Tells whether a property is not part of the values of a direction. */
function isHidden(view: EffectiveSchema | undefined, direction: Direction): boolean {
  return view?.self.value[direction === 'sent' ? 'readOnly' : 'writeOnly'] === true;
}

const MAX_PATH = 400;

/** Paths of schemas that are nested thousands of times stay short. */
function below(path: string, name: string): string {
  return path === '' ? name : path.length > MAX_PATH ? path : `${path}.${name}`;
}

/** Alternatives by their names, with a number behind those of the same name. */
function named(alternatives: readonly Located[]): Map<string, Located> {
  const byName = new Map<string, Located>();
  const numbers = new Map<string, number>();
  for (const each of alternatives) {
    const name = nameOf(isJson(each.value) ? each.value : {});
    const number = (numbers.get(name) ?? 0) + 1;
    numbers.set(name, number);
    byName.set(number === 1 ? name : `${name} ${number}`, each);
  }
  return byName;
}

/** The name of the schema that an alternative refers to, or its title, or its types. */
function nameOf({ $ref: target, title, type }: JsonObject): string {
  if (typeof target === 'string') return unescaped(target.slice(target.lastIndexOf('/') + 1));
  if (typeof title === 'string' && title !== '') return title;
  const types = [type].flat().filter((each) => typeof each === 'string');
  return types.length > 0 ? types.join(' or ') : 'schema';
}

const unescaped = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~');
