import { mergeAdjacentTexts, segmentText, type Segment } from '../domain/segment.js';
import { halves } from './domain/sentences.js';

/** The limits of a request: the number of segments, and their total characters (a single segment may have more). */
export interface BatchLimits {
  readonly segments: number;
  readonly characters: number;
}

type Answers = readonly (Segment | undefined)[];
/** Sends a batch; `tooLarge` if the service only accepts smaller ones. */
export type Send = (batch: readonly Segment[]) => Promise<Answers | 'tooLarge'>;

/**
 * Translates all segments, in order, in batches. A batch that is too large is halved, a single segment is split between
 * two sentences; if that is not possible there is no answer.
 */
export async function inBatches(
  segments: readonly Segment[],
  limits: BatchLimits,
  send: Send,
): Promise<(Segment | undefined)[]> {
  const answers: (Segment | undefined)[] = [];
  for (const batch of batched(segments, limits)) answers.push(...(await sent(batch, send)));
  return answers;
}

function batched(segments: readonly Segment[], { segments: most, characters }: BatchLimits): Segment[][] {
  const batches: Segment[][] = [];
  let room = 0;
  for (const segment of segments) {
    const size = segmentText(segment).length;
    const current = batches.at(-1);
    if (current === undefined || current.length >= most || size > room) {
      batches.push([segment]);
      room = characters - size;
    } else {
      current.push(segment);
      room -= size;
    }
  }
  return batches;
}

async function sent(batch: readonly Segment[], send: Send): Promise<Answers> {
  const answers = await send(batch);
  if (answers !== 'tooLarge') return answers;
  const [only] = batch;
  if (batch.length > 1 || only === undefined) {
    const middle = Math.ceil(batch.length / 2);
    return [...(await sent(batch.slice(0, middle), send)), ...(await sent(batch.slice(middle), send))];
  }
  const parts = halves(only);
  if (parts === undefined) return [undefined];
  const [first] = await sent([parts[0]], send);
  const [second] = await sent([parts[1]], send);
  // Services drop the space around a text.
  const space = /\s$/.test(segmentText(parts[0])) && first !== undefined && !/\s$/.test(segmentText(first)) ? ' ' : '';
  return [first && second && mergeAdjacentTexts([...first, space, ...second])];
}
