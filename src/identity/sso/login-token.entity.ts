import { Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';

/** The identity provider through which a token was issued. */
@InstallationTable()
@Entity('login_token')
@ForeignKey('IdentityProvider', ['providerId'], ['id'], { name: 'login_token_provider_fk', onDelete: 'CASCADE' })
@ForeignKey('ApiToken', ['tokenId'], ['id'], { name: 'login_token_token_fk', onDelete: 'CASCADE' })
@Index('login_token_provider_idx', ['providerId'])
export class LoginToken {
  @PrimaryColumn({ name: 'token_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'login_token_pkey' })
  tokenId: string;

  @Column({ name: 'provider_id', type: 'text', collation: 'C' })
  providerId: string;
}
