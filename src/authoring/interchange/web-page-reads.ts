import { Injectable } from '@nestjs/common';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import type { WebPage } from './domain/web-page.js';
import type { PageLinks } from './domain/website.js';
import {
  LINKS_OF_PAGE,
  MARKDOWN_OF_FILE,
  MARKDOWN_OF_PAGE,
  type LinksOrder,
  type MarkdownOrder,
  type UnreadPage,
} from './web-page-tasks.js';

/** Reads web pages in threads; for one that cannot be read, or exceeds the limits, returns the reason. */
@Injectable()
export class WebPageReads {
  constructor(private readonly workers: WorkerPool) {}

  /** `party` is the organization that the work counts for. */
  links(order: LinksOrder, party: string): Promise<PageLinks | UnreadPage> {
    return this.workers.run(LINKS_OF_PAGE, order, { party }).catch(unread);
  }

  markdown(order: MarkdownOrder, party: string): Promise<WebPage | UnreadPage> {
    return this.workers.run(MARKDOWN_OF_PAGE, order, { party }).catch(unread);
  }

  fileMarkdown(html: string, party: string): Promise<WebPage | UnreadPage> {
    return this.workers.run(MARKDOWN_OF_FILE, html, { party }).catch(unread);
  }
}

function unread(error: unknown): UnreadPage {
  if (error instanceof TaskLimitExceeded) return { fault: `it ${error.reason}` };
  throw error;
}
