import { Presets, SingleBar } from 'cli-progress';

/** Receives the progress of a long operation; `total` may grow. */
export type ProgressListener = (done: number, total: number) => void;

/**
 * Shows a progress bar on standard error while `work` runs, if that is a terminal.
 * @param quiet for commands that print JSON.
 */
export async function withProgress<T>(
  title: string,
  quiet: boolean,
  work: (progress: ProgressListener) => Promise<T>,
): Promise<T> {
  if (quiet || !process.stderr.isTTY) return work(() => undefined);
  const bar = new SingleBar(
    {
      format: `${title} {bar} {value}/{total} {duration_formatted}`,
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  bar.start(0, 0);
  try {
    return await work((done, total) => {
      bar.setTotal(total);
      bar.update(done);
    });
  } finally {
    bar.stop();
  }
}
