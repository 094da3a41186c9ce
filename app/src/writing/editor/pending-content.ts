/** Milliseconds that somebody who saves or leaves waits for content. */
const LONGEST_WAIT = 5000;

/** Content that is on its way into the body of an editor: it is read or stored by the service first. */
export class PendingContent {
  private readonly works = new Set<Promise<void>>();

  get isPending(): boolean {
    return this.works.size > 0;
  }

  /** Adds work that puts content into the body, and reports its own faults. */
  add(work: Promise<void>): void {
    const ended = work.finally(() => this.works.delete(ended));
    this.works.add(ended);
  }

  /** Resolves when all of it is in the body, or when that takes too long. */
  async settled(): Promise<void> {
    if (!this.isPending) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, LONGEST_WAIT)));
    await Promise.race([Promise.allSettled(this.works), late]);
    clearTimeout(timer);
  }
}
