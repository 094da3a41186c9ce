import { Injectable } from '@nestjs/common';
import { Access, type OrganizationAccess, type SpaceAccess } from '../../kernel/access/access.service.js';
import { requirePermission } from '../../kernel/access/permissions.js';
import { Clock } from '../../kernel/common/clock.js';
import type { Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { invalid } from '../../kernel/common/errors.js';
import type { ChangeRequestBody } from '../../authoring/change-requests/change-request.schema.js';
import { ChangeRequests } from '../../authoring/change-requests/change-requests.service.js';
import { ChangeRequestStore } from '../../authoring/change-requests/change-request-store.js';
import type { ChangeInput } from '../../authoring/content/change-input.js';
import { ContentWriter } from '../../authoring/content/content-writer.js';
import type { Document } from '../../formats/document/types.js';
import { ClusterCoverages, type ClusterCoverage } from './cluster-coverage.service.js';
import { draftPage, withDraft, type DraftMaterial } from './domain/cluster-draft.js';
import { DraftingModel } from './drafting-model.js';

const SUBJECT = 100;
/** A draft without content of this age was interrupted: it is written again. */
const INTERRUPTED_MS = 60_000;

interface Begun {
  readonly id: string;
  /** True for a change request that has no content yet, and that nobody is writing. */
  readonly isEmpty: boolean;
}

/** Drafts change requests from clusters of issues, with the evidence. People finish, review and merge them. */
@Injectable()
export class ClusterDrafts {
  constructor(
    private readonly database: Database,
    private readonly access: Access,
    private readonly clock: Clock,
    private readonly coverages: ClusterCoverages,
    private readonly requests: ChangeRequests,
    private readonly store: ChangeRequestStore,
    private readonly writer: ContentWriter,
    private readonly model: DraftingModel,
  ) {}

  /**
   * Drafts a change request in a space, or in that of the best page: a section at the end of the page that should have
   * answered, or a new page. One that is still a draft or open is returned instead. Throws `invalid` for a space that the
   * organization does not have or where no page is near, and `forbidden` if the caller may not propose changes there.
   */
  async draft(
    caller: Caller,
    organization: OrganizationAccess,
    clusterId: string,
    wanted: string | undefined,
  ): Promise<ChangeRequestBody> {
    const covered = await this.coverages.of(caller, organization, clusterId);
    const space = await this.space(caller, organization, wanted ?? covered.pages[0]?.hit.space);
    const { id, isEmpty } = await this.begin(caller, space.id, covered);
    if (isEmpty) await this.write(caller, space, id, covered);
    return this.store.shown(space, id);
  }

  private async space(
    caller: Caller,
    organization: OrganizationAccess,
    wanted: string | undefined,
  ): Promise<SpaceAccess> {
    if (wanted === undefined) throw invalid('space', 'is needed: no page that you can read is near this cluster');
    const space = await this.access.space(caller, wanted);
    if (!space || space.organizationId !== organization.id || space.deletedAt !== null)
      throw invalid('space', 'is not a space of this organization');
    requirePermission(caller, 'space:propose', space);
    return space;
  }

  /** The change request of a cluster in a space: callers at the same time get the same one. */
  private begin(caller: Caller, spaceId: string, { cluster }: ClusterCoverage): Promise<Begun> {
    return this.database.transaction(async () => {
      await this.database.one('SELECT FROM issues_cluster WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE', [
        cluster.organizationId,
        cluster.id,
      ]);
      const known = await this.database.one<{ id: string; isEmpty: boolean }>(
        `SELECT id, revision_id = initial_revision_id AND created_at < $3 AS "isEmpty" FROM change_request
          WHERE space_id = $1 AND issues_cluster_id = $2 AND status IN ('draft', 'open') ORDER BY created_at DESC, id DESC LIMIT 1`,
        [spaceId, cluster.id, new Date(this.clock.now().getTime() - INTERRUPTED_MS)],
      );
      if (known) return known;
      const { id } = await this.requests.create(caller, spaceId, {
        subject: cluster.label.slice(0, SUBJECT),
        conversationsIssuesCluster: cluster.id,
      });
      return { id, isEmpty: true };
    });
  }

  private async write(
    caller: Caller,
    space: SpaceAccess,
    changeRequest: string,
    covered: ClusterCoverage,
  ): Promise<void> {
    const { cluster, issues, pages } = covered;
    const material: DraftMaterial = {
      label: cluster.label,
      summary: cluster.summary,
      conversations: cluster.conversations,
      questions: issues.map(({ title }) => title),
      quotations: issues.map(({ summary }) => summary),
      pages: pages.map(({ hit }) => ({ space: hit.space, page: hit.page.id })),
    };
    const written = await this.model.write(material, pages);
    const whole = { ...material, ...(written && { written }) };
    const best = pages.find(({ hit, answers }) => hit.space === space.id && answers > 0);
    const before = best && (await this.documentOf(space.id, best.hit.page.id));
    const change: ChangeInput =
      best && before
        ? { operation: 'update_page', page: best.hit.page.id, document: { document: withDraft(before, whole) } }
        : { operation: 'insert_page', title: cluster.label, document: { document: draftPage(whole) } };
    await this.writer.write({ spaceId: space.id, changeRequest }, [change], { caller });
  }

  /** The current document of a page; undefined for one that has none of its own. */
  private async documentOf(spaceId: string, pageId: string): Promise<Document | undefined> {
    const row = await this.database.one<{ body: Document }>(
      `SELECT d.body FROM content_item i JOIN document d ON d.space_id = i.space_id AND d.hash = i.hash
        WHERE i.space_id = $1 AND i.line = '' AND i.kind = 'page' AND i.id = $2`,
      [spaceId, pageId],
    );
    return row?.body;
  }
}
