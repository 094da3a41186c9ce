export const SPEAKER_ROLES = ['user', 'assistant', 'team-member'] as const;

/** A message of a conversation. */
export interface ConversationPart {
  readonly type: 'message';
  readonly role: (typeof SPEAKER_ROLES)[number];
  /** Markdown or HTML; only Markdown once it is stored. */
  readonly body: string;
}

export interface ConversationMetadata {
  readonly url?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly createdAt?: string;
}

/** A conversation as ingested; `id` is its source's own. */
export interface ConversationInput {
  readonly id: string;
  readonly subject?: string;
  readonly parts: readonly ConversationPart[];
  readonly metadata: ConversationMetadata;
}
