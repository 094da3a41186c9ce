import { Injectable } from '@nestjs/common';
import { Database } from '../common/database.js';
import { Specifications, type Specification, type SpecificationPlace, type SpecificationSource } from '../content/specifications.js';

/** Gives pages the specifications of their organization's registry, in their latest versions. */
@Injectable()
export class RegistrySource implements SpecificationSource {
  constructor(
    private readonly database: Database,
    private readonly specifications: Specifications,
  ) {}

  async find({ organizationId }: SpecificationPlace, slug: string): Promise<Specification | undefined> {
    const row = await this.database.one<{ id: string; version: string; hash: string; size: number }>(
      `SELECT s.id, v.id AS version, encode(v.hash, 'hex') AS hash, v.size::float8 AS size
         FROM openapi_spec s JOIN openapi_version v ON v.id = s.last_version_id WHERE s.organization_id = $1 AND s.slug = $2`,
      [organizationId, slug],
    );
    return row && this.specifications.stored({ ...row, slug });
  }
}
