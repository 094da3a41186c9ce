import { EventStream } from '../../kernel/platform/http/event-stream.js';

/** One open response with the notifications of a person. */
export class NotificationStream extends EventStream {
  /** The sequence of the last notification that was sent. */
  sequence = 0;
  /** The end of the list when it was last looked at: what the reader cannot see is not sent. */
  looked = 0;
  private isBusy = false;
  private hasMore = false;

  notify(sequence: number, value: object): void {
    this.sequence = sequence;
    this.send('notification', value, sequence);
  }

  /** Takes the right to read for this stream; false if a read is under way, which then reads once more. */
  take(): boolean {
    this.hasMore = this.isBusy;
    if (this.isBusy) return false;
    this.isBusy = true;
    return true;
  }

  /** Tells whether to read once more, and gives the right to read back otherwise. */
  release(goesOn: boolean): boolean {
    const more = goesOn && this.hasMore;
    this.hasMore = false;
    this.isBusy = more;
    return more;
  }
}
