import { Injectable } from '@nestjs/common';
import { Cache } from '../../kernel/common/cache.js';
import { resumed } from '../../kernel/common/context.js';
import { decodedHtml } from '../../kernel/common/decoded-html.js';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import { invalid, notFound } from '../../kernel/common/errors.js';
import { htmlOf } from '../../kernel/common/html.js';
import { Outbound } from '../../kernel/platform/outbound/outbound.js';
import { OutboundError } from '../../kernel/platform/outbound/outbound-error.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { el } from '../../formats/html/elements.js';
import { embedProviderOf, type Player } from '../../formats/html/embed-providers.js';
import type { EmbedFacts } from './domain/embed-facts.js';
import { READ_EMBEDDED_PAGE, READ_OEMBED } from './embed-tasks.js';
import type { EmbedBody } from './embeds.schema.js';

const HOUR = 3_600_000;
/** Milliseconds for which it counts that an address did not answer. */
const RETRY_AFTER = 60_000;
/** Milliseconds for one answer of another server. */
const TIMEOUT = 6000;
const OEMBED_BYTES = 128 * 1024;
/** The beginning of a page that is read: its head stands there. */
const PAGE_BYTES = 256 * 1024;
const HTML = /^(?:text\/html|application\/xhtml\+xml)\b/i;

type Found = EmbedFacts & { readonly html?: string };

/** An address that other servers were asked about: the answer, or why the request is refused. */
type Answer = { readonly embed: EmbedBody } | { readonly refusal: string };

/** Tells what is shown in the place of addresses elsewhere. */
@Injectable()
export class Embeds {
  private readonly known = new Cache<Answer>({
    share: 1,
    weigh: (answer) => 2 * JSON.stringify(answer).length,
    ttl: HOUR,
    fetchMethod: async (url, _stale, { options }) => {
      const { answer, isFinal } = await this.ask(url);
      if (!isFinal) options.ttl = RETRY_AFTER;
      return answer;
    },
  });

  constructor(
    private readonly outbound: Outbound,
    private readonly workers: WorkerPool,
  ) {}

  /** Throws `invalid` for an address that no request may go to. */
  async of(url: string): Promise<EmbedBody> {
    const answer = await this.known.fetch(url);
    resumed();
    if (!answer || 'refusal' in answer) throw invalid('url', answer?.refusal ?? 'cannot be read');
    return answer.embed;
  }

  /**
   * The same for the caller of a space. Throws `notFound` for a reader whose site does not name the address: everybody
   * may have such a token, and the server is no proxy for everybody.
   */
  async inSpace(reader: ReaderAccess | undefined, url: string): Promise<EmbedBody> {
    if (reader && !(await reader.names('url', url))) throw notFound('Embed');
    return this.of(url);
  }

  private async ask(url: string): Promise<{ readonly answer: Answer; readonly isFinal: boolean }> {
    const { hostname, origin } = new URL(url);
    const known = embedProviderOf(url);
    const isFrame = known?.player !== undefined;
    try {
      const found =
        known?.provider.oembed === undefined ? undefined : await this.fromService(known.provider.oembed, url);
      // A player is shown whatever its service says; the page of another address may tell what the service did not.
      const facts: Found = found ?? (isFrame ? {} : await this.fromPage(url));
      const title = facts.title ?? known?.provider.name ?? url;
      const html = known?.player ? frameOf(known.player, title) : facts.html;
      const embed: EmbedBody = {
        type: html === undefined ? 'link' : 'rich',
        title,
        site: known?.provider.name ?? facts.site ?? hostname.replace(/^www\./, ''),
        icon: facts.icon ?? `${origin}/favicon.ico`,
        ...(html !== undefined && { html }),
      };
      return { answer: { embed }, isFinal: facts.title !== undefined };
    } catch (error) {
      if (!(error instanceof OutboundError) || error.problem !== 'refused') throw error;
      return { answer: { refusal: error.message }, isFinal: false };
    }
  }

  /** The description that a service gives of one of its addresses; undefined where it says nothing. */
  private async fromService(oembed: string, url: string): Promise<Found | undefined> {
    const request = `${oembed}?format=json&url=${encodeURIComponent(url)}`;
    const answer = await this.outbound
      .fetch(request, { timeout: TIMEOUT, maxBytes: OEMBED_BYTES, headers: { Accept: 'application/json' } })
      .catch(unanswered);
    if (answer?.status !== 200) return undefined;
    const found = await this.workers.run(READ_OEMBED, answer.body.toString('utf8')).catch(unread);
    return found.title === undefined ? undefined : found;
  }

  /** The description that a page gives of itself. Throws `OutboundError` if no request may go there. */
  private async fromPage(url: string): Promise<Found> {
    const page = await this.beginningOf(url).catch((error: unknown) => {
      if (error instanceof OutboundError && error.problem === 'refused') throw error;
      return unanswered(error);
    });
    return page === undefined ? {} : this.workers.run(READ_EMBEDDED_PAGE, page).catch(unread);
  }

  private async beginningOf(url: string): Promise<{ readonly html: string; readonly address: string } | undefined> {
    const answer = await this.outbound.open(url, { timeout: TIMEOUT, headers: { Accept: 'text/html' } });
    const type = answer.headers['content-type'] ?? '';
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      if (answer.status !== 200 || !HTML.test(type)) return undefined;
      for await (const chunk of answer.body as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        size += chunk.length;
        if (size >= PAGE_BYTES) break;
      }
    } finally {
      answer.body.destroy();
    }
    return { html: decodedHtml(Buffer.concat(chunks).subarray(0, PAGE_BYTES), type), address: answer.url };
  }
}

function frameOf({ src, shape }: Player, title: string): string {
  const size = shape === 'video' ? { width: 640, height: 360 } : { width: 640, height: 168 };
  return htmlOf([
    el('iframe', {
      src,
      title,
      ...size,
      loading: 'lazy',
      allow: 'encrypted-media; fullscreen; picture-in-picture',
      referrerPolicy: 'strict-origin-when-cross-origin',
    }),
  ]);
}

function unanswered(error: unknown): undefined {
  if (!(error instanceof OutboundError)) throw error;
  return undefined;
}

function unread(error: unknown): EmbedFacts {
  if (!(error instanceof TaskLimitExceeded)) throw error;
  return {};
}
