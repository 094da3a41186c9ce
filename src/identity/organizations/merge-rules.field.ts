import { applyDecorators } from '@nestjs/common';
import { IsObject, ValidateIf } from 'class-validator';
import { ApiProperty } from '@nestjs/swagger';
import { takes } from '../../kernel/common/fields.js';
import { BARE_RULES, MAX_MESSAGE_LENGTH, USER_RULES } from './domain/merge-rules.js';

/** Merge rules in a body, documented with all kinds of rules; `Organizations.requireRules` checks them. */
export function MergeRulesField({
  mayInherit,
  optional,
}: {
  mayInherit: boolean;
  optional: boolean;
}): PropertyDecorator {
  const types = mayInherit ? ['inherit', 'rules', 'none'] : ['rules', 'none'];
  return applyDecorators(
    ApiProperty({
      type: 'object',
      required: ['type'] as unknown as boolean,
      description: 'Conditions that must hold before a change request can be merged',
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
              message: { type: 'string', maxLength: MAX_MESSAGE_LENGTH },
            },
          },
        },
      },
    } as never),
    ValidateIf((_, value) => !(optional && value === undefined)),
    IsObject(),
    takes('free'),
  );
}
