import { Injectable, type PipeTransform } from '@nestjs/common';
import { z } from 'zod';
import { checkStorableUrl } from '../../kernel/common/address-schema.js';
import { DomainError } from '../../kernel/common/errors.js';
import { isStorableTime } from '../../kernel/common/storable-time.js';
import { SchemaPipe } from '../../publishing/sites/schema.pipe.js';
import { SPEAKER_ROLES, type ConversationInput } from './domain/conversation.js';

export const MAX_CONVERSATIONS = 1000;
const MAX_ATTRIBUTES = 50;

const MESSAGE = z.object({ type: z.literal('message'), role: z.enum(SPEAKER_ROLES), body: z.string().max(100_000) });
const METADATA = z.object({
  url: z.string().max(2048).superRefine(checkStorableUrl).optional(),
  attributes: z
    .record(z.string().max(100), z.string().max(1000))
    .refine(
      (attributes) => Object.keys(attributes).length <= MAX_ATTRIBUTES,
      `must have at most ${MAX_ATTRIBUTES} attributes`,
    )
    .optional(),
  createdAt: z.iso
    .datetime({ offset: true, abort: true })
    .refine(isStorableTime, 'must be a time of the years 1 to 9999')
    .optional(),
});
const CONVERSATION = z.object({
  id: z.string().min(1).max(255),
  subject: z.string().max(512).optional(),
  metadata: METADATA.optional(),
  parts: z.array(MESSAGE).max(500),
});
const CONVERSATIONS = z.array(CONVERSATION).max(MAX_CONVERSATIONS);

/** A conversation, and its index in the request: none if it is the whole body. */
export interface GivenConversation extends ConversationInput {
  readonly place: readonly number[];
}

/** The two forms of the body. */
export const INGEST_BODY = z.union([CONVERSATION, CONVERSATIONS]);

export const INGEST_EXAMPLE = {
  id: '48213',
  subject: 'Export to PDF fails',
  metadata: {
    url: 'https://support.example.com/tickets/48213',
    attributes: { plan: 'pro' },
    createdAt: '2026-01-31T09:30:00.000Z',
  },
  parts: [
    {
      type: 'message',
      role: 'user',
      body: 'Hello, the export of our handbook to PDF stops with an error. What can I do?',
    },
    {
      type: 'message',
      role: 'team-member',
      body: 'Pages with very large pictures were the reason. It works again since this morning.',
    },
  ],
};

/** Accepts one conversation or a list of them, as a list; faults name the path in the request. */
@Injectable()
export class IngestPipe implements PipeTransform<unknown, readonly GivenConversation[]> {
  private readonly one = new SchemaPipe(CONVERSATION);
  private readonly many = new SchemaPipe(CONVERSATIONS);

  transform(body: unknown): readonly GivenConversation[] {
    if (Array.isArray(body) && body.length > MAX_CONVERSATIONS)
      throw new DomainError('invalid', `must be at most ${MAX_CONVERSATIONS} conversations`, [
        { path: '', message: `must be at most ${MAX_CONVERSATIONS} conversations` },
      ]);
    const conversations = Array.isArray(body) ? this.many.transform(body) : [this.one.transform(body)];
    return conversations.map(({ metadata = {}, ...conversation }, index) => ({
      ...conversation,
      metadata,
      place: Array.isArray(body) ? [index] : [],
    }));
  }
}
