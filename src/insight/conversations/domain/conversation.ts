export const SPEAKER_ROLES = ['user', 'assistant', 'team-member'] as const;

/** What somebody said in a conversation. */
export interface ConversationPart {
  readonly type: 'message';
  readonly role: (typeof SPEAKER_ROLES)[number];
  /** Markdown or HTML; Markdown alone once it is stored. */
  readonly body: string;
}

export interface ConversationMetadata {
  readonly url?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  /** ISO 8601. */
  readonly createdAt?: string;
}

/** A conversation as it is handed in; `id` is its source's own. */
export interface ConversationInput {
  readonly id: string;
  readonly subject?: string;
  readonly parts: readonly ConversationPart[];
  readonly metadata: ConversationMetadata;
}
