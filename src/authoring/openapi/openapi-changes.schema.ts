import {
  CHANGE_EFFECTS,
  type ChangeCounts,
  type ChangeEffect,
  type SpecificationChange,
} from '../../formats/openapi/domain/changes/change.js';
import { Amount, Nested, ObjectName, OneOf, Text } from '../../kernel/common/fields.js';
import { PageQuery } from '../../kernel/common/page-query.js';

export class OpenApiChangeCounts implements ChangeCounts {
  @Amount({ min: 0, example: 1, description: 'Changes that break clients' })
  breaking: number;
  @Amount({ min: 0, example: 0, description: 'Changes that break clients which are strict, or do not expect them' })
  dangerous: number;
  @Amount({ min: 0, example: 3, description: 'Changes that clients need not know about' })
  compatible: number;
  @Amount({ min: 0, example: 2, description: 'Changes of descriptions' })
  documentation: number;
}

class ChangedOperation {
  @Text({ example: 'get' }) method: string;
  @Text({ example: '/pets' }) path: string;
}

class ChangedWebhook {
  @Text({ example: 'post' }) method: string;
  @Text({ example: 'petBorn' }) name: string;
}

export class OpenApiChangeQuery extends PageQuery {
  @OneOf(CHANGE_EFFECTS, { optional: true, example: 'breaking', description: 'Changes of this effect only' })
  effect?: ChangeEffect;
}

export class OpenApiChangeBody implements SpecificationChange {
  @ObjectName('openapi-change')
  object: 'openapi-change';
  @OneOf(CHANGE_EFFECTS, {
    example: 'breaking',
    description:
      'The effect on clients; `dangerous`: it breaks those which are strict, or do not expect it, such as a new value of an enum in a response',
  })
  effect: ChangeEffect;
  @Text({ example: 'property-removed', description: 'Kind of the change' })
  code: string;
  @Nested(() => ChangedOperation, { optional: true, description: 'The operation that changed' })
  operation?: ChangedOperation;
  @Nested(() => ChangedWebhook, { optional: true, description: 'The webhook that changed' })
  webhook?: ChangedWebhook;
  @Text({
    optional: true,
    example: 'Pet',
    description: 'The schema that changed, where operations share it: its changes are listed once',
  })
  schema?: string;
  @Text({ optional: true, example: 'response 200, items[]', description: 'The place inside of it' })
  place?: string;
  @Text({ example: 'The property "name" was removed' })
  message: string;
  @Text({
    example: '/components/schemas/Pet/properties/name',
    description: 'JSON pointer of the place in this version; in the one before of something that was removed',
  })
  pointer: string;
}

export function presentChange(change: SpecificationChange): OpenApiChangeBody {
  const { effect, code, operation, webhook, schema, place, message, pointer } = change;
  return {
    object: 'openapi-change',
    effect,
    code,
    ...(operation && { operation: { ...operation } }),
    ...(webhook && { webhook: { ...webhook } }),
    ...(schema !== undefined && { schema }),
    ...(place !== undefined && { place }),
    message,
    pointer,
  };
}
