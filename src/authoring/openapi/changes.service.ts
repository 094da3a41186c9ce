import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import {
  CHANGE_EFFECTS,
  changeSentence,
  type FoundChanges,
  type SpecificationChange,
} from '../../formats/openapi/domain/changes/change.js';
import { COMPARE_SPECIFICATIONS } from './comparison-task.js';
import { Database } from '../../kernel/common/database.js';
import { Pages, type Page } from '../../kernel/common/page.js';
import { FileStorage } from '../../kernel/platform/storage/file-storage.js';
import { TaskLimitExceeded, WorkerPool } from '../../kernel/platform/workers/worker-pool.js';
import { OpenApiVersion } from './openapi-version.entity.js';
import type { OpenApiChangeQuery } from './openapi-changes.schema.js';
import type { RefusedEffect } from './openapi.schema.js';
import type { ReadOutcome } from './specification-sources.js';
import { OpenApiVersions } from './versions.service.js';

/** Maximum number of reported changes for which a version is refused. */
const MAX_REASONS = 50;

/** A new version compared with the one before it. */
export interface ComparedVersion {
  /** The id of the version before. */
  readonly before: string;
  /** Undefined if the comparison takes too much time or memory. */
  readonly found: FoundChanges | undefined;
}

/** The changes of the versions of specifications. */
@Injectable()
export class OpenApiChanges {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly storage: FileStorage,
    private readonly workers: WorkerPool,
    private readonly versions: OpenApiVersions,
  ) {}

  /** The changes of a version against the one before it, the most harmful first. */
  async list(
    organizationId: string,
    slug: string,
    versionId: string,
    { effect, ...request }: OpenApiChangeQuery,
  ): Promise<Page<SpecificationChange>> {
    const { id } = await this.versions.get(organizationId, slug, versionId);
    const page = await this.pages.list<{ change: SpecificationChange }>(request, {
      scope: ['openapi-changes', id, effect ?? null],
      select: 'c.change',
      from: 'FROM openapi_change c WHERE c.organization_id = $1 AND c.version_id = $2 AND c.effect = coalesce($3, c.effect)',
      values: [organizationId, id, effect ?? null],
      order: [{ expression: 'c.number', type: 'integer' }],
      direction: 'asc',
    });
    return page.map(({ change }) => change);
  }

  /** Compares a new content with the latest version; undefined if there is none, or it has this content already. */
  async since(
    organizationId: string,
    specId: string,
    hash: string,
    signal: AbortSignal,
  ): Promise<ComparedVersion | undefined> {
    const last = await this.database.one<{ id: string; hash: string }>(
      `SELECT v.id, encode(v.hash, 'hex') AS hash FROM openapi_spec s
         JOIN openapi_version v ON v.organization_id = s.organization_id AND v.id = s.last_version_id
        WHERE s.organization_id = $1 AND s.id = $2`,
      [organizationId, specId],
    );
    if (!last || last.hash === hash) return undefined;
    const read = async (of: string): Promise<Buffer> => buffer(await this.storage.get(of));
    const prepare = async () => ({ before: await read(last.hash), after: await read(hash) });
    try {
      const found = await this.workers.runPrepared(COMPARE_SPECIFICATIONS, prepare, { party: organizationId, signal });
      return { before: last.id, found };
    } catch (error) {
      if (error instanceof TaskLimitExceeded) return { before: last.id, found: undefined };
      throw error;
    }
  }

  /** Stores the changes of a new version, in the ambient transaction. */
  async keep(organizationId: string, versionId: string, { changes, counts }: FoundChanges): Promise<void> {
    await this.database.of(OpenApiVersion).update({ organizationId, id: versionId }, { changeCounts: counts });
    await this.database.execute(
      `INSERT INTO openapi_change (organization_id, version_id, number, effect, change)
       SELECT $1, $2, each.number - 1, each.change ->> 'effect', each.change
         FROM jsonb_array_elements($3::jsonb) WITH ORDINALITY AS each (change, number)`,
      [organizationId, versionId, JSON.stringify(changes)],
    );
  }
}

/** The outcome for a version with changes that its source refuses; undefined if it has none. */
export function refusalOf(
  { found }: ComparedVersion,
  failOn: RefusedEffect,
): Extract<ReadOutcome, { kind: 'failed' }> | undefined {
  if (!found)
    return {
      kind: 'failed',
      code: 'BREAKING_CHANGES',
      errors: [{ code: 'not-compared', message: 'its changes cannot be determined: it is too large to be compared' }],
      errorCount: 1,
    };
  const effects = CHANGE_EFFECTS.slice(0, CHANGE_EFFECTS.indexOf(failOn) + 1);
  const count = effects.reduce((sum, effect) => sum + found.counts[effect], 0);
  if (count === 0) return undefined;
  const errors = found.changes
    .filter(({ effect }) => effects.includes(effect))
    .slice(0, MAX_REASONS)
    .map((change) => ({ code: change.code, message: changeSentence(change), pointer: change.pointer }));
  return { kind: 'failed', code: 'BREAKING_CHANGES', errors, errorCount: count };
}
