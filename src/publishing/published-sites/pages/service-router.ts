import { Injectable } from '@nestjs/common';
import { AskPage } from './ask-page.js';
import { ASK_PATH, FEEDBACK_PATH, MCP_PATH, SEARCH_PATH } from './domain/site-paths.js';
import type { HttpResponse } from './http-response.js';
import { PageFeedback } from './page-feedback.js';
import type { RequestedResource } from './requested-resource.js';
import { SearchPage } from './search-page.js';
import { SiteMcp } from './site-mcp.js';
import type { SiteRequest } from './site-place.js';

const SERVICES: ReadonlySet<string> = new Set([SEARCH_PATH, ASK_PATH, FEEDBACK_PATH, MCP_PATH]);

/** Routes the addresses of a site that are not of its content: search, questions, feedback, the guide to MCP. */
@Injectable()
export class ServiceRouter {
  constructor(
    private readonly searches: SearchPage,
    private readonly questions: AskPage,
    private readonly feedback: PageFeedback,
    private readonly mcp: SiteMcp,
  ) {}

  /** The answer to a GET, undefined if the site does not have the service; undefined at any other address. */
  get(site: SiteRequest, wanted: RequestedResource): Promise<HttpResponse | undefined> | undefined {
    // They know what is published, and previews show something else.
    if (site.visit.preview) return SERVICES.has(wanted.path) ? Promise.resolve(undefined) : undefined;
    switch (wanted.path) {
      case SEARCH_PATH:
        return this.searches.answer(site, wanted);
      case ASK_PATH:
        return this.questions.answer(site, wanted);
      case FEEDBACK_PATH:
        return this.feedback.nextStep(site, wanted);
      case MCP_PATH:
        return this.mcp.guide(site, wanted.reader);
      default:
        return undefined;
    }
  }

  /** Receives the feedback of a reader on a page, or which result they opened; undefined if there is no such form. */
  async post(site: SiteRequest, wanted: RequestedResource, form: URLSearchParams): Promise<HttpResponse | undefined> {
    if (wanted.path === SEARCH_PATH) return this.searches.opened(site, wanted, form);
    return wanted.path === FEEDBACK_PATH ? this.feedback.take(site, wanted, form) : undefined;
  }
}
