import type { PlanProblem } from './plan-model.js';
import type { AnchorLink, PlannedDocument } from './plan-pages.js';

interface Anchored {
  readonly anchors: ReadonlySet<string> | undefined;
  readonly includes: readonly string[];
}

/** Finds the links of a folder to anchors that are not there, once all of its texts have been read. */
export class AnchorChecks {
  private readonly texts = new Map<string, Anchored>();
  private readonly links: (AnchorLink & { readonly file: string; readonly from: string })[] = [];

  /**
   * Adds the text of a page or reusable content; `file` is its source. An anchor without a page in a reusable content may
   * be one of the page around it.
   */
  add(
    id: string,
    file: string | undefined,
    { anchors, includes, anchorLinks }: PlannedDocument,
    isPage: boolean,
  ): void {
    this.texts.set(id, { anchors: anchors && new Set(anchors), includes });
    if (file !== undefined)
      for (const link of anchorLinks)
        if (isPage || link.page !== undefined) this.links.push({ ...link, file, from: id });
  }

  problems(): PlanProblem[] {
    return this.links
      .filter((link) => !this.isThere(link.page ?? link.from, link.anchor))
      .map(({ file, line, column, target }) => ({
        file,
        line,
        ...(column !== undefined && { column }),
        level: 'warning',
        rule: 'broken-anchor',
        message: `${target} names an anchor that its page does not have`,
      }));
  }

  /** A page has the anchors of its own blocks and those of the contents in it; of anything else no anchors are known. */
  private isThere(id: string, anchor: string): boolean {
    const text = this.texts.get(id);
    if (text?.anchors === undefined || text.anchors.has(anchor)) return true;
    return text.includes.some((content) => this.texts.get(content)?.anchors?.has(anchor) ?? true);
  }
}
