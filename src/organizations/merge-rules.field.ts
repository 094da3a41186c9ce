import { applyDecorators } from '@nestjs/common';
import { ValidateBy, ValidateIf } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { BARE_RULES, mergeRulesFault, USER_RULES } from './domain/merge-rules.js';

/** Merge rules in a body: checked by `mergeRulesFault`, published with all kinds of rules. */
export function MergeRulesField({ mayInherit, optional }: { mayInherit: boolean; optional: boolean }): PropertyDecorator {
  const types = mayInherit ? ['inherit', 'rules', 'none'] : ['rules', 'none'];
  return applyDecorators(
    ApiProperty({
      type: 'object',
      required: ['type'] as unknown as boolean,
      description: 'What has to hold before a change request may be merged',
      example: { type: 'rules', rules: [{ rule: 'require_at_least_one_review' }] },
      properties: {
        type: { type: 'string', enum: types },
        rules: {
          type: 'array',
          items: {
            type: 'object',
            required: ['rule'],
            properties: {
              rule: { type: 'string', enum: [...BARE_RULES, ...USER_RULES, 'custom'] },
              users: { type: 'array', items: { type: 'string' } },
              expression: { type: 'string', maxLength: 1024 },
              message: { type: 'string' },
            },
          },
        },
      },
    } as never),
    ValidateIf((_, value) => !(optional && value === undefined)),
    ValidateBy({
      name: 'mergeRules',
      validator: {
        validate: (value: unknown) => mergeRulesFault(value, mayInherit) === undefined,
        defaultMessage: (args) => mergeRulesFault(args?.value, mayInherit) ?? '',
      },
    }),
  );
}
