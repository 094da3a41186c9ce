import { batchesWithin } from '../../kernel/common/batches.js';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { cleanBody, cleanSubject } from './domain/clean-message.js';
import type { ConversationInput, ConversationPart } from './domain/conversation.js';
import { MAX_MESSAGES, type ConversationText } from './domain/issues.js';
import { plainText } from './domain/plain-text.js';
import { redacted } from './domain/redaction/redact.js';

/* Processing of the texts of conversations, as functions that any thread can run. */

/** Characters of texts that one call reads, so that many small conversations need no call each. */
const BATCH_CHARACTERS = 64 * 1024;

/**
 * The position of a reader, in memory that it shares with its caller: it shows what was being read when the thread was
 * ended.
 */
export class ReadingPlace {
  /** The indexes of the conversation and of its part. */
  private readonly at: Int32Array;

  constructor(readonly memory = new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT)) {
    this.at = new Int32Array(memory);
  }

  get conversation(): number {
    return Atomics.load(this.at, 0);
  }

  /** Undefined while all parts are read together. */
  get part(): number | undefined {
    const part = Atomics.load(this.at, 1);
    return part < 0 ? undefined : part;
  }

  set(conversation: number, part = -1): void {
    Atomics.store(this.at, 0, conversation);
    Atomics.store(this.at, 1, part);
  }
}

export interface PrepareOrder {
  readonly conversations: readonly ConversationInput[];
  readonly isRedacted: boolean;
  /** The memory of a `ReadingPlace`. */
  readonly place: SharedArrayBuffer;
}

/** Prepares conversations for storage: without HTML, and without personal data if that is configured. */
export function preparedConversations({ conversations, isRedacted, place }: PrepareOrder): ConversationInput[] {
  const reading = new ReadingPlace(place);
  return conversations.map((conversation, index) => {
    const { subject, parts } = conversation;
    const clean: ConversationInput = {
      ...conversation,
      ...(subject !== undefined && { subject: cleanSubject(subject) }),
      parts: parts.map((part, at) => {
        reading.set(index, at);
        return { ...part, body: cleanBody(part.body) };
      }),
    };
    reading.set(index);
    return isRedacted ? redacted(clean) : clean;
  });
}

export interface StoredConversation {
  readonly subject: string | null;
  readonly parts: readonly ConversationPart[];
}

/** The text of a stored conversation, without markup, as far as it is read. */
export function conversationText({ subject, parts }: StoredConversation): ConversationText {
  const messages = parts
    .slice(0, MAX_MESSAGES)
    .map(({ role, body }) => ({ role: role === 'user' ? 'customer' : 'agent', text: plainText(body) }));
  return { ...(subject !== null && { subject }), messages };
}

/** Divides conversations into batches of one call. */
export function batchesOf<Conversation extends ConversationInput>(
  conversations: readonly Conversation[],
): Generator<readonly Conversation[]> {
  return batchesWithin(conversations, BATCH_CHARACTERS, lengthOf);
}

function lengthOf({ subject, parts, metadata: { url = '', attributes = {} } }: ConversationInput): number {
  const texts = Object.entries(attributes).reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    url.length + (subject?.length ?? 0),
  );
  return texts + bodiesOf(parts);
}

function bodiesOf(parts: readonly ConversationPart[]): number {
  return parts.reduce((sum, { body }) => sum + body.length, 0);
}

export const PREPARE_CONVERSATIONS = workerTask(import.meta.url, preparedConversations, {
  size: ({ conversations }) => conversations.reduce((sum, each) => sum + lengthOf(each), 0),
});
/** Hostile Markdown takes the square of its length: 0.4 seconds for 4,000 characters, 0.03 for a quarter of them. */
export const CONVERSATION_TEXT = workerTask(import.meta.url, conversationText, {
  size: ({ parts }) => 4 * bodiesOf(parts),
});
