import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import type { ChangelogVersion } from '../content/domain/computed/changelog-body.js';
import {
  Specifications,
  type Specification,
  type SpecificationPlace,
  type SpecificationSource,
  type StoredSpecification,
} from '../content/specifications.js';

/** Versions of a changelog, and changes of each of them. */
const VERSIONS_SHOWN = 20;
const CHANGES_SHOWN = 50;

/** Provides pages with the latest versions of specifications in their organization's registry. */
@Injectable()
export class RegistrySource implements SpecificationSource {
  constructor(
    private readonly database: Database,
    private readonly specifications: Specifications,
  ) {}

  async find({ organizationId }: SpecificationPlace, slugs: readonly string[]): Promise<Map<string, Specification>> {
    const rows = await this.database.query<StoredSpecification>(
      `SELECT s.id, s.slug, v.id AS version, v.created_at AS "changedAt", encode(v.hash, 'hex') AS hash, v.size::float8 AS size
         FROM openapi_spec s JOIN openapi_version v ON v.organization_id = s.organization_id AND v.id = s.last_version_id
        WHERE s.organization_id = $1 AND s.slug = ANY($2::text[])`,
      [organizationId, slugs],
    );
    return new Map(
      rows.map((row) => [
        row.slug,
        this.specifications.stored({ ...row, changelog: () => this.changelog(organizationId, row.id) }),
      ]),
    );
  }

  /** The latest versions that were compared with the one before, latest first, each with its most harmful changes. */
  private changelog(organizationId: string, specId: string): Promise<ChangelogVersion[]> {
    return this.database.query<ChangelogVersion & Record<string, unknown>>(
      `SELECT to_char(v.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS "createdAt", v.change_counts AS counts, coalesce(c.changes, '[]') AS changes
         FROM openapi_version v LEFT JOIN LATERAL (
           SELECT jsonb_agg(c.change ORDER BY c.number) AS changes FROM openapi_change c
            WHERE c.organization_id = v.organization_id AND c.version_id = v.id AND c.number < ${CHANGES_SHOWN}) c ON true
        WHERE v.organization_id = $1 AND v.spec_id = $2 AND v.change_counts IS NOT NULL
        ORDER BY v.created_at DESC, v.id DESC LIMIT ${VERSIONS_SHOWN}`,
      [organizationId, specId],
    );
  }
}
