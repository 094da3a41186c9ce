import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { diff3Merge } from 'node-diff3';

/** A three-way merge of texts by their lines; `text` has markers where it is in conflict. */
export interface LineMerge {
  readonly conflict: boolean;
  readonly text: string;
}

export interface LineMerger {
  readonly name: string;
  merge(base: string, primary: string, changed: string): LineMerge;
  close(): void;
}

/** `git merge-file`, or the merge of node-diff3 on machines without git. */
export function lineMerger(): LineMerger {
  try {
    return gitMerger(
      execFileSync('git', ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim(),
    );
  } catch {
    return { name: 'node-diff3, for there is no git', merge: mergeWithoutGit, close: () => undefined };
  }
}

function gitMerger(name: string): LineMerger {
  const folder = mkdtempSync(join(tmpdir(), 'bindery-line-merge-'));
  const files = ['primary', 'base', 'changed'].map((side) => join(folder, side));
  return {
    name,
    merge: (base, primary, changed) => {
      [primary, base, changed].forEach((text, index) => writeFileSync(files[index] ?? '', text));
      try {
        return {
          conflict: false,
          text: execFileSync('git', ['merge-file', '-p', '-q', '--diff3', ...files], { encoding: 'utf8' }),
        };
      } catch (error) {
        // The exit status is the number of conflicts; 255 is an error.
        const { status, stdout } = error as { status?: number | null; stdout?: string };
        if (typeof status !== 'number' || status === 0 || status > 127 || stdout === undefined) throw error;
        return { conflict: true, text: stdout };
      }
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

function mergeWithoutGit(base: string, primary: string, changed: string): LineMerge {
  const regions = diff3Merge(primary, base, changed, { stringSeparator: '\n', excludeFalseConflicts: true });
  const lines = regions.flatMap(
    ({ ok, conflict }) =>
      ok ?? (conflict ? ['<<<<<<<', ...conflict.a, '|||||||', ...conflict.o, '=======', ...conflict.b, '>>>>>>>'] : []),
  );
  return { conflict: regions.some(({ conflict }) => conflict !== undefined), text: lines.join('\n') };
}
