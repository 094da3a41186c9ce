import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A change of a version of a specification against the version before it. */
@OrganizationTable()
@Entity('openapi_change')
@Check(
  'openapi_change_effect_check',
  `(effect = ANY (ARRAY['breaking'::text, 'dangerous'::text, 'compatible'::text, 'documentation'::text]))`,
)
@ForeignKey('OpenApiVersion', ['organizationId', 'versionId'], ['organizationId', 'id'], {
  name: 'openapi_change_version_fk',
  onDelete: 'CASCADE',
})
export class OpenApiChange {
  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'openapi_change_pkey',
  })
  organizationId: string;

  @PrimaryColumn({ name: 'version_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'openapi_change_pkey' })
  versionId: string;

  /** From 0, the most harmful changes first. */
  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'openapi_change_pkey' })
  number: number;

  @Column({ type: 'text' })
  effect: string;

  @Column({ type: 'jsonb' })
  change: object;
}
