import { Column, Entity, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../../kernel/common/table-kind.js';

/** A window in which a person has a space open. */
@OrganizationTable()
@Entity('presence')
export class PresentWindow {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'presence_pkey' })
  organizationId: string;

  @PrimaryColumn({ name: 'space_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'presence_pkey' })
  spaceId: string;

  @PrimaryColumn({ name: 'user_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'presence_pkey' })
  userId: string;

  /** The window, as it names itself. */
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'presence_pkey' })
  client: string;

  /** Null in the present content of the space. */
  @Column({ name: 'change_request_id', type: 'text', collation: 'C', nullable: true })
  changeRequestId: string | null;

  @Column({ name: 'change_request_number', type: 'integer', nullable: true })
  changeRequestNumber: number | null;

  @Column({ name: 'page_id', type: 'text', collation: 'C', nullable: true })
  pageId: string | null;

  /** The key of the block that the person is in. */
  @Column({ type: 'text', nullable: true })
  block: string | null;

  @Column({ type: 'boolean' })
  writing: boolean;

  /** The last time that the window was known to be open. */
  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3 })
  seenAt: Date;
}
