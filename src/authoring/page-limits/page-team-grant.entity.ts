import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A team whose members see a limited page. */
@OrganizationTable()
@Entity('page_team_grant')
@ForeignKey('PageLimit', ['spaceId', 'pageId'], ['spaceId', 'pageId'], {
  name: 'page_team_grant_limit_fk',
  onDelete: 'CASCADE',
})
@ForeignKey('Team', ['teamId'], ['id'], { name: 'page_team_grant_team_fk', onDelete: 'CASCADE' })
@Index('page_team_grant_team_idx', ['teamId'])
export class PageTeamGrant {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_team_grant_pkey' })
  spaceId: string;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_team_grant_pkey' })
  pageId: string;

  @PrimaryColumn({ name: 'team_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_team_grant_pkey' })
  teamId: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
