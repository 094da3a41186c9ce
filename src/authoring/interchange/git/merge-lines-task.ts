import { workerTask } from '../../../kernel/platform/workers/worker-task.js';
import { mergeLines } from '../../../formats/markdown/merge-text.js';

interface LinesToMerge {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

export function mergedLines({ base, ours, theirs }: LinesToMerge): ReturnType<typeof mergeLines> {
  return mergeLines(base, ours, theirs);
}

/** Merges three versions of a file by lines. */
export const MERGE_LINES = workerTask(import.meta.url, mergedLines, {
  size: ({ base, ours, theirs }) => base.length + ours.length + theirs.length,
});
