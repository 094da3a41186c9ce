import type { MessagePort } from 'node:worker_threads';
import { workerTask } from '../../kernel/platform/workers/worker-task.js';
import { bodyOf, type ChapterFacts } from './chapter-facts.js';
import type { Book } from '../../formats/pdf/layout/book.js';
import { PdfFault } from '../../formats/pdf/layout/pdf-fault.js';

/** Maximum time of one PDF in seconds. */
const SECONDS = 1200;
/** Sent bytes without acknowledgement that pause painting. */
const MOST_ON_THE_WAY = 4 * 1024 ** 2;
/** Bytes that are sent together. */
const PORTION = 256 * 1024;

/** A PDF to paint; its inputs are requested through `port`, and its output is sent through it. */
export interface PaintOrder {
  readonly book: Omit<Book, 'body'>;
  readonly footer: string;
  readonly port: MessagePort;
}

/**
 * The requests of a painting thread: a page by the id of its chapter, or the bytes of an image on the last requested
 * page.
 */
export type Question = { readonly chapter: string } | { readonly picture: string };
export type FromPainter = { readonly question: Question } | { readonly bytes: Uint8Array } | { readonly isEnd: true };
/** The answer to the only open request, or the number of acknowledged bytes. */
export type ToPainter = { readonly answer: ChapterFacts | Uint8Array | undefined } | { readonly taken: number };

/** The result of an order: the number of sheets, or the reason why there can be no such PDF. */
export type Painted = { readonly sheets: number } | { readonly fault: string };

/** Paints a PDF; all bytes have been sent once it resolves. */
export async function paintPdf({ book, footer, port }: PaintOrder): Promise<Painted> {
  const employer = new PainterClient(port);
  const whole: Book = {
    ...book,
    body: async ({ id }) =>
      bodyOf((await employer.ask({ chapter: id })) as ChapterFacts, async (hash) =>
        bytesOf(await employer.ask({ picture: hash })),
      ),
  };
  // Fonts and layout are only loaded for painting.
  const [{ paintBook }, { PdfFile }] = await Promise.all([
    import('../../formats/pdf/layout/book.js'),
    import('../../formats/pdf/layout/pdf-file.js'),
  ]);
  const file = new PdfFile(whole);
  file.footer = footer;
  const sent = employer.send(file.stream);
  try {
    await paintBook(file, whole);
    await file.end((name) => name.slice(0, name.indexOf('#')));
    await sent;
    return { sheets: file.sheets };
  } catch (error) {
    file.stream.destroy();
    await sent.catch(() => undefined);
    if (error instanceof PdfFault) return { fault: error.message };
    throw error;
  } finally {
    port.close();
  }
}

function bytesOf(answer: unknown): Buffer {
  if (!(answer instanceof Uint8Array)) throw new Error('the image does not exist');
  return Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
}

/** The client of a PDF, as seen from the thread that paints it. */
class PainterClient {
  private answer: ((answer: unknown) => void) | undefined;
  private goOn: (() => void) | undefined;
  private onTheWay = 0;

  constructor(private readonly port: MessagePort) {
    port.on('message', (message: ToPainter) => {
      if ('taken' in message) {
        this.onTheWay -= message.taken;
        this.goOn?.();
      } else this.answer?.(message.answer);
    });
  }

  /** One question at a time. */
  ask(question: Question): Promise<unknown> {
    return new Promise((resolve) => {
      this.answer = resolve;
      this.port.postMessage({ question } satisfies FromPainter);
    });
  }

  /** Sends the output of a stream, as fast as it is acknowledged. */
  async send(stream: AsyncIterable<Buffer | string>): Promise<void> {
    let portion: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      portion.push(bytes);
      size += bytes.length;
      if (size < PORTION) continue;
      await this.sendPortion(portion);
      [portion, size] = [[], 0];
    }
    await this.sendPortion(portion);
    this.port.postMessage({ isEnd: true } satisfies FromPainter);
  }

  private async sendPortion(portion: readonly Buffer[]): Promise<void> {
    while (this.onTheWay > MOST_ON_THE_WAY) await new Promise<void>((resolve) => (this.goOn = resolve));
    const bytes = new Uint8Array(portion.reduce((sum, each) => sum + each.length, 0));
    let end = 0;
    for (const each of portion) {
      bytes.set(each, end);
      end += each.length;
    }
    this.onTheWay += bytes.length;
    this.port.postMessage({ bytes } satisfies FromPainter, [bytes.buffer]);
  }
}

export const PAINT_PDF = workerTask(import.meta.url, paintPdf, {
  size: () => Number.POSITIVE_INFINITY,
  seconds: SECONDS,
  threads: 'minutes',
});
