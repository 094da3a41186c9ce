import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { Injectable, type PipeTransform } from '@nestjs/common';
import { Nested, ObjectName, Text, Timestamp } from '../../kernel/common/fields.js';
import { invalidFields } from '../../kernel/common/errors.js';
import { versioned } from '../../kernel/common/versioned.js';
import { faultsOfSchema, type AdaptiveSchema } from './domain/adaptive-schema.js';

const EXAMPLE: AdaptiveSchema = {
  type: 'object',
  properties: {
    isBetaUser: { type: 'boolean', description: 'The visitor tries the beta' },
    plan: { type: 'string', enum: ['free', 'pro'], description: 'Plan of the visitor' },
    unsigned: {
      type: 'object',
      description: 'Unsigned claims of the site visitor.',
      properties: { theme: { type: 'string', enum: ['quiet', 'loud'], description: 'Theme that the visitor prefers' } },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
};

const JSON_SCHEMA = {
  type: 'object',
  required: ['type', 'properties', 'additionalProperties'],
  properties: {
    $schema: { type: 'string', enum: ['http://json-schema.org/draft-07/schema#'] },
    type: { type: 'string', enum: ['object'] },
    properties: {
      type: 'object',
      additionalProperties: { type: 'object', additionalProperties: true },
      description:
        'Claims by name: boolean, string (any, or one of `enum`), number, array of those, or object; `unsigned` holds those that visitors can set themselves',
    },
    additionalProperties: { type: 'boolean', enum: [false] },
  },
  description: 'A JSON Schema (draft-07) of the claims of visitors',
  example: EXAMPLE,
} as unknown as ApiPropertyOptions;

export class UpdateAdaptiveSchema {
  @ApiProperty(JSON_SCHEMA)
  jsonSchema: AdaptiveSchema;
}

export class AdaptiveSchemaBody {
  @ObjectName('site-adaptive-schema')
  object: 'site-adaptive-schema';
  @ApiProperty(JSON_SCHEMA)
  jsonSchema: AdaptiveSchema;
  @Timestamp()
  updatedAt: string;
}

class TemplateConditionBody {
  @Text({ example: 'The visitor tries the beta: yes' })
  description: string;
  @Text({ example: 'visitor.claims.isBetaUser == true' })
  condition: string;
}

export class TemplateConditionsBody {
  @Nested(() => TemplateConditionBody, { list: true })
  items: TemplateConditionBody[];
}

/** Checks the schema in a body and names every fault with its path. */
@Injectable()
export class AdaptiveSchemaPipe implements PipeTransform<unknown, UpdateAdaptiveSchema> {
  transform(body: unknown): UpdateAdaptiveSchema {
    const jsonSchema =
      typeof body === 'object' && body !== null ? (body as Partial<UpdateAdaptiveSchema>).jsonSchema : undefined;
    const faults =
      jsonSchema === undefined ? [{ path: 'jsonSchema', message: 'is required' }] : faultsOfSchema(jsonSchema);
    if (jsonSchema === undefined || faults.length > 0) throw invalidFields(faults);
    return { jsonSchema };
  }
}

export interface AdaptiveSchemaRow {
  readonly jsonSchema: AdaptiveSchema;
  readonly version: number;
  readonly updatedAt: Date;
}

export function presentAdaptiveSchema({ jsonSchema, version, updatedAt }: AdaptiveSchemaRow): AdaptiveSchemaBody {
  return versioned({ object: 'site-adaptive-schema', jsonSchema, updatedAt: updatedAt.toISOString() }, version);
}
