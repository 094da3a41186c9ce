import { Readable } from 'node:stream';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { Injectable } from '@nestjs/common';
import { TaskLimitExceeded, WorkerPool, type RunOptions } from '../../kernel/platform/workers/worker-pool.js';
import { PdfFault } from '../../formats/pdf/layout/pdf-fault.js';
import { PAINT_PDF, type FromPainter, type PaintOrder, type Question, type ToPainter } from './paint-pdf-task.js';

export type QuestionHandler = (question: Question) => Promise<Extract<ToPainter, { answer: unknown }>['answer']>;

/** A PDF that is being painted. */
export interface Painting {
  /** Its bytes, which must be read while it is painted; fails as `sheets` does. */
  readonly stream: Readable;
  /**
   * Rejects with `PdfFault` if there can be no such PDF, with the reason of the signal, or with the error of an answer.
   */
  readonly sheets: Promise<number>;
}

/** Paints PDFs in a thread of their own, and answers its requests here. */
@Injectable()
export class PdfPainter {
  constructor(private readonly workers: WorkerPool) {}

  paint(order: Omit<PaintOrder, 'port'>, answer: QuestionHandler, { party, signal }: RunOptions): Painting {
    const { port1: port, port2 } = new MessageChannel();
    const failed = new AbortController();
    const stream = streamFrom(port);
    // It may fail before it has a reader.
    stream.on('error', () => undefined);
    port.on('message', (message: FromPainter) => {
      if (!('question' in message)) return;
      answer(message.question).then(
        (found) => port.postMessage({ answer: found } satisfies ToPainter),
        (error: unknown) => failed.abort(error),
      );
    });
    const end = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
    const sheets = this.workers
      .run(PAINT_PDF, { ...order, port: port2 }, { party, signal: end, transfer: [port2] })
      .then((painted) => {
        if ('fault' in painted) throw new PdfFault(painted.fault);
        return painted.sheets;
      })
      .catch((error: unknown) => {
        const known = error instanceof TaskLimitExceeded ? new PdfFault(`it ${error.reason}`) : error;
        port.close();
        stream.destroy(known instanceof Error ? known : new Error(String(known)));
        throw known;
      });
    return { stream, sheets };
  }
}

/** The data that a thread sends through a port, until its end; consumption is acknowledged. */
function streamFrom(port: MessagePort): Readable {
  let owed = 0;
  const settle = (): void => {
    if (owed > 0) port.postMessage({ taken: owed } satisfies ToPainter);
    owed = 0;
  };
  const stream = new Readable({ read: settle });
  port.on('message', (message: FromPainter) => {
    if ('isEnd' in message) {
      stream.push(null);
      port.close();
    } else if ('bytes' in message) {
      owed += message.bytes.length;
      if (stream.push(message.bytes)) settle();
    }
  });
  return stream;
}
