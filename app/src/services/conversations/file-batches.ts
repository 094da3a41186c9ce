import { conversationTexts } from '../../texts/conversations.js';

/** Conversations of one request, far below what a body may hold. */
const [MOST, MOST_CHARACTERS] = [500, 1_500_000];

/** Conversations that are sent together; `first` is the number of those before them in the file. */
export interface Batch {
  readonly first: number;
  readonly conversations: readonly unknown[];
}

/** The conversations in a file: one, a list of them, or one a line. */
export function conversationsIn(text: string): readonly unknown[] {
  const whole = parsed(text);
  if (whole !== undefined) return Array.isArray(whole) ? (whole as unknown[]) : [whole];
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    const conversation = parsed(line);
    if (conversation === undefined) throw new Error(conversationTexts.upload.notJson(index + 1));
    return [conversation];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as unknown;
  } catch {
    return undefined;
  }
}

/** The conversations of a file in requests that the service takes. */
export function batchesOf(all: readonly unknown[]): readonly Batch[] {
  const batches: { first: number; conversations: unknown[]; characters: number }[] = [];
  for (const [index, conversation] of all.entries()) {
    const characters = JSON.stringify(conversation).length;
    const last = batches.at(-1);
    if (last && last.conversations.length < MOST && last.characters + characters <= MOST_CHARACTERS) {
      last.conversations.push(conversation);
      last.characters += characters;
    } else batches.push({ first: index, conversations: [conversation], characters });
  }
  return batches;
}
