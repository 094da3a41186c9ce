import { Injectable } from '@nestjs/common';
import { Addresses } from '../../../kernel/common/addresses.js';
import { Clock } from '../../../kernel/common/clock.js';
import { RateLimit } from '../../../kernel/platform/rate-limit/rate-limit.js';
import { spokenLanguage } from '../../../formats/html/languages/language-packs.js';
import {
  previewAddressOf,
  previewBase,
  PREVIEW_COOKIE,
  PREVIEW_TOKEN,
  type PreviewAddress,
} from '../domain/preview-address.js';
import type { PreviewedRequest } from '../previews/previewed-request.js';
import { RequestPreviews } from '../previews/request-previews.service.js';
import type { Visit } from '../visit.js';
import { addressBelow } from './domain/site-paths.js';
import { neutralNotFound, noPreview, previewEnded } from './error-pages.js';
import { HtmlBody } from './html-body.js';
import { redirect, type HttpResponse } from './http-response.js';
import { searchOf } from './requested-resource.js';
import { SiteAssets } from './site-assets.js';
import type { PublicRequest } from './site-request-reader.js';
import { SiteRouter } from './site-router.js';

/** No cache and no search engine keeps anything of a preview. */
const UNKEPT = { 'Cache-Control': 'no-store', 'X-Robots-Tag': 'noindex, nofollow' };

/** Serves previews of change requests, each below a path of its own on the public listener. */
@Injectable()
export class PreviewPages {
  constructor(
    private readonly previews: RequestPreviews,
    private readonly router: SiteRouter,
    private readonly assets: SiteAssets,
    private readonly addresses: Addresses,
    private readonly clock: Clock,
    private readonly limit: RateLimit,
  ) {}

  /** The answer at a path of previews. */
  async answer(asked: PublicRequest): Promise<HttpResponse> {
    const { headers, ...answer } = await this.find(asked);
    return { ...answer, headers: { ...headers, ...UNKEPT } };
  }

  private async find(asked: PublicRequest): Promise<HttpResponse> {
    const address = previewAddressOf(asked.path);
    const given = asked.query.get(PREVIEW_TOKEN);
    const token = given ?? asked.previewToken;
    const isRead = asked.form === undefined && asked.message === undefined;
    const admission = address && token !== undefined && isRead ? await this.previews.enter(address, token) : undefined;
    if (!address || !admission) {
      await this.limit.admitReader(asked.reader.ip);
      return isRead ? noPreview(this.assets, spokenLanguage(asked.reader.language)) : neutralNotFound(this.assets);
    }
    if ('ended' in admission) return previewEnded(this.assets, spokenLanguage(asked.reader.language), admission.ended);
    // The token does not stay in the address, where others could read it.
    return given === null
      ? this.page(asked, address, admission.visit)
      : this.kept(asked, address, given, admission.visit);
  }

  private async page(asked: PublicRequest, address: PreviewAddress, visit: Visit): Promise<HttpResponse> {
    const { path: rawPath, query, asData, asMarkdown, wantsPage, isHead, reader } = asked;
    const site = { visit, base: previewBase(address), origin: new URL(this.addresses.public).origin };
    const answer = await this.router.get(site, {
      path: address.path,
      rawPath,
      query,
      asData,
      asMarkdown,
      wantsPage,
      isHead,
      reader,
    });
    if (!(answer.body instanceof HtmlBody) || !answer.policy) return answer;
    return { ...answer, policy: { ...answer.policy, frames: [new URL(this.addresses.app('')).origin] } };
  }

  /** Keeps a token in a cookie of the preview, and leads to the same address without it. */
  private kept(
    { protocol, query }: PublicRequest,
    address: PreviewAddress,
    token: string,
    { preview }: Visit,
  ): HttpResponse {
    const base = previewBase(address);
    const rest = new URLSearchParams([...query].filter(([name]) => name !== PREVIEW_TOKEN));
    return redirect(addressBelow(base, address.path) + searchOf(rest), {
      'Set-Cookie': [
        `${PREVIEW_COOKIE}=${token}`,
        `Path=${base}`,
        'HttpOnly',
        'SameSite=Lax',
        ...(protocol === 'https' ? ['Secure'] : []),
        `Max-Age=${this.secondsLeft(preview)}`,
      ].join('; '),
    });
  }

  private secondsLeft(preview: PreviewedRequest | undefined): number {
    return Math.max(0, Math.floor((preview?.grant.until ?? 0) - this.clock.now().getTime() / 1000));
  }
}
