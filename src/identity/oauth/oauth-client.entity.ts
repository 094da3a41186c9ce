import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** A client of OAuth that registered itself: a public one, which has no secret. */
@InstallationTable()
@Entity('oauth_client')
@Index('oauth_client_age_idx', ['createdAt'])
export class OauthClient {
  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'oauth_client_pkey' })
  id: string;

  @Column({ type: 'text' })
  name: string;

  @Column({ name: 'redirect_uris', type: 'text', array: true })
  redirectUris: string[];

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
