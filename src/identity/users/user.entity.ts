import { Column, Entity, Index, PrimaryColumn, VersionColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** A person with an account; never deleted, only disabled or made anonymous. */
@InstallationTable()
@Entity('account')
@Index('account_email_key', { synchronize: false })
@Index('account_name_idx', { synchronize: false })
export class User {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'account_pkey' })
  id: string;

  @Column({ name: 'display_name', type: 'text' })
  displayName: string;

  @Column({ type: 'text' })
  email: string;

  @Column({ name: 'email_verified', type: 'boolean', default: false })
  emailVerified: boolean;

  @Column({ name: 'photo_url', type: 'text', nullable: true })
  photoURL: string | null;

  @Column({ type: 'boolean', default: false })
  disabled: boolean;

  @VersionColumn({ type: 'integer', default: 1 })
  version: number;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
