import { inQuotes, type ChangeEffect, type ChangeList, type ChangeSubject } from './change.js';
import type { Direction, SchemaComparison } from './compare-schemas.js';
import { compareSecurity } from './compare-security.js';
import { entriesAt, memberAt, type ComparedDocument, type LocatedObject } from './effective-schema.js';
import {
  callbacksOf,
  mediaByType,
  parametersByPlace,
  responsesOf,
  serializationOf,
  type FoundOperation,
} from './operation-parts.js';

interface OperationPair {
  readonly before: FoundOperation;
  readonly after: FoundOperation;
  readonly subject: ChangeSubject;
  /** The direction of parameters and bodies: webhooks and callbacks are requests that clients receive. */
  readonly direction: Direction;
  /** Such as `callback onPaid, `; '' for operations themselves. */
  readonly prefix: string;
}

const MAX_CALLBACK_DEPTH = 2;

const opposite = (direction: Direction): Direction => (direction === 'sent' ? 'received' : 'sent');

/** Compares operations: parameters, bodies, responses, callbacks. */
export class OperationComparison {
  constructor(
    private readonly before: ComparedDocument,
    private readonly after: ComparedDocument,
    private readonly schemas: SchemaComparison,
    private readonly changes: ChangeList,
  ) {}

  compare(pair: OperationPair, depth = 0): void {
    this.compareTexts(pair);
    this.compareParameters(pair);
    this.compareBodies(pair);
    this.compareResponses(pair);
    compareSecurity(
      { root: this.before.root, owner: pair.before.operation },
      { root: this.after.root, owner: pair.after.operation },
      (effect, code, message, pointer) => this.report(pair, '', effect, code, message, pointer),
    );
    if (depth < MAX_CALLBACK_DEPTH) this.compareCallbacks(pair, depth);
  }

  private report(
    { subject, prefix }: Pick<OperationPair, 'subject' | 'prefix'>,
    part: string,
    effect: ChangeEffect,
    code: string,
    message: string,
    pointer: string,
  ): void {
    const place = `${prefix}${part}`.replace(/, $/, '');
    this.changes.add({ ...subject, effect, code, ...(place !== '' && { place }), message, pointer });
  }

  private compareTexts(pair: OperationPair): void {
    const { operation } = pair.after;
    const [before, after] = [pair.before.operation.value, operation.value];
    if (before['summary'] !== after['summary'] || before['description'] !== after['description'])
      this.report(pair, '', 'documentation', 'description-changed', 'The description changed', operation.pointer);
    if (before['deprecated'] !== true && after['deprecated'] === true)
      this.report(pair, '', 'compatible', 'deprecated', 'It is deprecated now', operation.pointer);
    const [old, current] = [before['operationId'], after['operationId']];
    // Generated clients name their methods by it.
    if (typeof old === 'string' && old !== current)
      this.report(
        pair,
        '',
        'dangerous',
        'operation-id-changed',
        `operationId was ${inQuotes(old)} and is ${inQuotes(current)}`,
        operation.pointer,
      );
  }

  private compareParameters(pair: OperationPair): void {
    const before = parametersByPlace(this.before, pair.before);
    const after = parametersByPlace(this.after, pair.after);
    for (const [key, { parameter, label }] of before) {
      const other = after.get(key);
      if (other) this.compareParameter(pair, parameter, other.parameter, other.label);
      else {
        const effect = pair.direction === 'sent' ? 'dangerous' : 'breaking';
        this.report(pair, label, effect, 'parameter-removed', 'The parameter was removed', parameter.pointer);
      }
    }
    for (const [key, { parameter, label }] of after) {
      if (before.has(key)) continue;
      const isRequired = parameter.value['required'] === true;
      const effect = isRequired && pair.direction === 'sent' ? 'breaking' : 'compatible';
      const [code, words] = isRequired
        ? ['required-parameter-added', 'A required parameter was added']
        : ['parameter-added', 'The parameter was added'];
      this.report(pair, label, effect, code, words, parameter.pointer);
    }
  }

  private compareParameter(pair: OperationPair, before: LocatedObject, after: LocatedObject, label: string): void {
    const { pointer } = after;
    const [wasRequired, isRequired] = [before.value['required'] === true, after.value['required'] === true];
    if (wasRequired !== isRequired) {
      const breaks = isRequired === (pair.direction === 'sent');
      const effect = breaks ? 'breaking' : 'compatible';
      if (isRequired) this.report(pair, label, effect, 'parameter-became-required', 'It is required now', pointer);
      else this.report(pair, label, effect, 'parameter-became-optional', 'It is no longer required', pointer);
    }
    if (before.value['deprecated'] !== true && after.value['deprecated'] === true)
      this.report(pair, label, 'compatible', 'deprecated', 'It is deprecated now', pointer);
    if (before.value['description'] !== after.value['description'])
      this.report(pair, label, 'documentation', 'description-changed', 'The description changed', pointer);
    const [old, current] = [serializationOf(before.value), serializationOf(after.value)];
    if (old !== current)
      this.report(
        pair,
        label,
        'breaking',
        'serialization-changed',
        `It was written in the style ${old} and is in ${current}`,
        pointer,
      );
    this.compareSchema(pair, before, after, pair.direction, label);
    this.compareMedia(pair, before, after, pair.direction, label);
  }

  private compareBodies(pair: OperationPair): void {
    const label = 'request body';
    const old = memberAt(pair.before.operation, 'requestBody');
    const current = memberAt(pair.after.operation, 'requestBody');
    const [before, after] = [old && this.before.follow(old), current && this.after.follow(current)];
    const isRequired = after?.value['required'] === true;
    const isSent = pair.direction === 'sent';
    if (before && !after)
      this.report(pair, label, 'breaking', 'request-body-removed', 'The request body was removed', before.pointer);
    if (!before && after) {
      const effect = isRequired && isSent ? 'breaking' : 'compatible';
      this.report(pair, label, effect, 'request-body-added', 'A request body was added', after.pointer);
    }
    if (!before || !after) return;
    const wasRequired = before.value['required'] === true;
    if (wasRequired !== isRequired) {
      const effect = isRequired === isSent ? 'breaking' : 'compatible';
      const [code, words] = isRequired
        ? ['request-body-became-required', 'It is required now']
        : ['request-body-became-optional', 'It is no longer required'];
      this.report(pair, label, effect, code, words, after.pointer);
    }
    if (before.value['description'] !== after.value['description'])
      this.report(pair, label, 'documentation', 'description-changed', 'The description changed', after.pointer);
    this.compareMedia(pair, before, after, pair.direction, label);
  }

  private compareMedia(
    pair: OperationPair,
    before: LocatedObject,
    after: LocatedObject,
    direction: Direction,
    label: string,
  ): void {
    const [old, current] = [mediaByType(before), mediaByType(after)];
    for (const [type, media] of old) {
      const other = current.get(type);
      const one = this.before.follow(media);
      const another = other && this.after.follow(other);
      if (!other)
        this.report(
          pair,
          label,
          'breaking',
          'media-type-removed',
          `The media type ${inQuotes(type)} was removed`,
          media.pointer,
        );
      else if (one && another)
        this.compareSchema(pair, one, another, direction, old.size === 1 ? label : `${label} (${type})`);
    }
    for (const [type, { pointer }] of current)
      if (!old.has(type))
        this.report(
          pair,
          label,
          'compatible',
          'media-type-added',
          `The media type ${inQuotes(type)} was added`,
          pointer,
        );
  }

  private compareSchema(
    { subject, prefix }: OperationPair,
    before: LocatedObject,
    after: LocatedObject,
    direction: Direction,
    label: string,
  ): void {
    const [old, current] = [memberAt(before, 'schema'), memberAt(after, 'schema')];
    if (old && current)
      this.schemas.compare({ before: old, after: current, direction, subject, part: `${prefix}${label}`, path: '' });
  }

  private compareResponses(pair: OperationPair): void {
    const [before, after] = [responsesOf(pair.before), responsesOf(pair.after)];
    for (const [status, given] of before) {
      const other = after.get(status);
      const label = `response ${status}`;
      if (!other) {
        const effect = /^2|^default$/i.test(status) ? 'breaking' : 'compatible';
        this.report(pair, label, effect, 'response-removed', 'The response was removed', given.pointer);
        continue;
      }
      const [old, current] = [this.before.follow(given), this.after.follow(other)];
      if (!old || !current) continue;
      if (old.value['description'] !== current.value['description'])
        this.report(pair, label, 'documentation', 'description-changed', 'The description changed', current.pointer);
      this.compareHeaders(pair, old, current, label);
      this.compareMedia(pair, old, current, opposite(pair.direction), label);
    }
    for (const [status, { pointer }] of after)
      if (!before.has(status))
        this.report(pair, `response ${status}`, 'compatible', 'response-added', 'The response was added', pointer);
  }

  private compareHeaders(pair: OperationPair, before: LocatedObject, after: LocatedObject, label: string): void {
    const current = new Map(
      [...entriesAt(after, 'headers')].map(([name, each]) => [name.toLowerCase(), { name, each }]),
    );
    for (const [name, given] of entriesAt(before, 'headers')) {
      const old = this.before.follow(given);
      const found = current.get(name.toLowerCase());
      current.delete(name.toLowerCase());
      const place = `${label}, header ${name}`;
      if (!found) {
        const effect = old?.value['required'] === true ? 'breaking' : 'dangerous';
        this.report(pair, place, effect, 'header-removed', 'The header was removed', given.pointer);
        continue;
      }
      const other = this.after.follow(found.each);
      if (old && other) this.compareSchema(pair, old, other, opposite(pair.direction), place);
    }
    for (const { name, each } of current.values())
      this.report(pair, `${label}, header ${name}`, 'compatible', 'header-added', 'The header was added', each.pointer);
  }

  private compareCallbacks(pair: OperationPair, depth: number): void {
    const [before, after] = [callbacksOf(this.before, pair.before), callbacksOf(this.after, pair.after)];
    for (const [key, { name, found }] of before) {
      const other = after.get(key);
      if (other)
        this.compare(
          {
            before: found,
            after: other.found,
            subject: pair.subject,
            direction: opposite(pair.direction),
            prefix: `${pair.prefix}callback ${name}, `,
          },
          depth + 1,
        );
      else
        this.report(
          pair,
          `callback ${name}`,
          'breaking',
          'callback-removed',
          'The callback was removed',
          found.operation.pointer,
        );
    }
    for (const [key, { name, found }] of after)
      if (!before.has(key))
        this.report(
          pair,
          `callback ${name}`,
          'compatible',
          'callback-added',
          'The callback was added',
          found.operation.pointer,
        );
  }
}
