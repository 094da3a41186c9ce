import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A page that somebody holds to be true until a time; without an owner it is over. */
@OrganizationTable()
@Entity('page_verification')
@Check('page_verification_owner_check', `((user_id IS NULL) OR (team_id IS NULL))`)
@ForeignKey('Space', ['spaceId'], ['id'], { name: 'page_verification_space_fk' })
@ForeignKey('User', ['userId'], ['id'], { name: 'page_verification_user_fk' })
@ForeignKey('Team', ['teamId'], ['id'], { name: 'page_verification_team_fk', onDelete: 'SET NULL' })
@ForeignKey('User', ['verifiedBy'], ['id'], { name: 'page_verification_verified_by_fk' })
@Index('page_verification_until_idx', ['spaceId', 'until', 'pageId'])
@Index('page_verification_due_idx', { synchronize: false })
@Index('page_verification_user_idx', ['userId'])
@Index('page_verification_team_idx', ['teamId'])
export class PageVerification {
  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_verification_pkey' })
  spaceId: string;

  @PrimaryColumn({ name: 'page_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'page_verification_pkey' })
  pageId: string;

  @Column({ name: 'user_id', type: 'text', collation: 'C', nullable: true })
  userId: string | null;

  @Column({ name: 'team_id', type: 'text', collation: 'C', nullable: true })
  teamId: string | null;

  @Column({ type: 'timestamptz', precision: 3 })
  until: Date;

  @Column({ type: 'text', nullable: true })
  note: string | null;

  @Column({ name: 'verified_by', type: 'text', collation: 'C' })
  verifiedBy: string;

  @Column({ name: 'verified_at', type: 'timestamptz', precision: 3 })
  verifiedAt: Date;

  /** When its end was told of. */
  @Column({ name: 'told_at', type: 'timestamptz', precision: 3, nullable: true })
  toldAt: Date | null;
}
