import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { InstallationTable } from '../../kernel/common/table-kind.js';
import type { SignInMethod } from './sign-in-method.js';

/** The session of a browser: its token, and how it began. */
@InstallationTable()
@Entity('browser_session')
@Check('browser_session_method_check', `method IN ('link', 'sso', 'invitation')`)
@ForeignKey('ApiToken', ['tokenId'], ['id'], { name: 'browser_session_token_fk', onDelete: 'CASCADE' })
export class BrowserSession {
  @PrimaryColumn({ name: 'token_id', type: 'text', collation: 'C', primaryKeyConstraintName: 'browser_session_pkey' })
  tokenId: string;

  @Column({ type: 'text' })
  method: SignInMethod;

  @Column({ name: 'user_agent', type: 'text', nullable: true })
  userAgent: string | null;

  @Column({ type: 'text', nullable: true })
  ip: string | null;
}
