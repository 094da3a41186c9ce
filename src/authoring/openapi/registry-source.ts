import { Injectable } from '@nestjs/common';
import { Database } from '../../kernel/common/database.js';
import {
  Specifications,
  type Specification,
  type SpecificationPlace,
  type SpecificationSource,
  type StoredSpecification,
} from '../content/specifications.js';

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
    return new Map(rows.map((row) => [row.slug, this.specifications.stored(row)]));
  }
}
