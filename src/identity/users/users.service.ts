import { Injectable } from '@nestjs/common';
import type { ReaderAccess } from '../../kernel/access/readers.js';
import { In } from 'typeorm';
import { Clock } from '../../kernel/common/clock.js';
import { requireMatch, type Caller } from '../../kernel/common/context.js';
import { Database } from '../../kernel/common/database.js';
import { DomainError, notFound } from '../../kernel/common/errors.js';
import { newId } from '../../kernel/common/ids.js';
import { requestAddress } from '../../kernel/common/ip-address.js';
import { fieldsGiven, isUnchanged } from '../../kernel/platform/audit-changes.js';
import { Registry } from '../../kernel/platform/manifest/registry.js';
import { Outbox } from '../../kernel/platform/outbox.js';
import { ACQUAINTANCES } from './users.points.js';
import type { UpdateUser } from './users.schema.js';
import { User } from './user.entity.js';

export interface NewUser {
  readonly email: string;
  readonly displayName: string;
  readonly emailVerified: boolean;
}

@Injectable()
export class Users {
  private readonly acquaintance: string;

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    registry: Registry,
  ) {
    this.acquaintance = `SELECT WHERE ${['false', ...registry.contributionsTo(ACQUAINTANCES)].join(' OR ')}`;
  }

  get(id: string): Promise<User> {
    return this.database.of(User).findOneByOrFail({ id });
  }

  /** Returns people by id, without a check of visibility. */
  async byIds(ids: readonly string[]): Promise<ReadonlyMap<string, User>> {
    if (ids.length === 0) return new Map();
    const users = await this.database.of(User).findBy({ id: In([...ids]) });
    return new Map(users.map((user) => [user.id, user]));
  }

  /**
   * Returns a person whom the caller may see: the caller, or a member of an organization whose members the caller may
   * list. Readers of a site may see those whom its content names, which the guard has checked. Throws `notFound` otherwise.
   */
  async getVisible(caller: Caller, id: string, reader?: ReaderAccess): Promise<User> {
    const seen =
      reader !== undefined ||
      id === caller.userId ||
      (await this.database.one(this.acquaintance, [caller.userId, id, caller.organizationId, requestAddress()])) !==
        undefined;
    if (!seen) throw notFound('User');
    return this.get(id);
  }

  /** Changes the caller's own profile; throws `forbidden` for other people whom the caller sees. */
  async update(caller: Caller, id: string, changes: UpdateUser): Promise<User> {
    const seen = await this.getVisible(caller, id);
    if (seen.id !== caller.userId) throw new DomainError('forbidden', 'Users can only change their own profile');
    return this.database.transaction(async () => {
      const user = await this.database
        .of(User)
        .createQueryBuilder('u')
        .where('u.id = :id', { id })
        .setLock('for_no_key_update')
        .getOneOrFail();
      requireMatch(user.version);
      const changed: User = {
        ...user,
        ...(changes.displayName !== undefined && { displayName: changes.displayName.trim() }),
        ...(changes.photoURL !== undefined && { photoURL: changes.photoURL }),
      };
      if (!isUnchanged(user, changed)) {
        const { displayName, photoURL } = changed;
        await this.database.of(User).update({ id }, { displayName, photoURL });
        changed.version++;
      }
      await this.outbox.record({
        type: 'user_updated',
        organizationId: null,
        target: id,
        payload: { fields: fieldsGiven(changes) },
      });
      return changed;
    });
  }

  /** Creates an account; throws `conflict` if the address has one already, regardless of case. */
  async create(facts: NewUser): Promise<User> {
    const taken = await this.findByEmail(facts.email);
    if (taken) throw new DomainError('conflict', `An account for ${facts.email} already exists`);
    return this.database.transaction(async () => {
      const user: User = {
        id: newId(),
        ...facts,
        photoURL: null,
        disabled: false,
        version: 1,
        createdAt: this.clock.now(),
      };
      await this.database.of(User).insert(user);
      await this.outbox.record({ type: 'user_created', organizationId: null, target: user.id });
      return user;
    });
  }

  /**
   * Gives an account that an identity provider made the name and address that this provider has for it, in the ambient
   * transaction. Another address is not verified. Throws `conflict` if it has an account already.
   */
  async updateProvisioned(id: string, { email, displayName }: Pick<User, 'email' | 'displayName'>): Promise<void> {
    const user = await this.get(id);
    const moves = email.toLowerCase() !== user.email.toLowerCase();
    if (moves && (await this.findByEmail(email)))
      throw new DomainError('conflict', `An account for ${email} already exists`);
    const fields = [
      ...(user.displayName === displayName ? [] : ['displayName']),
      ...(user.email === email ? [] : ['email']),
    ];
    if (fields.length === 0) return;
    await this.database.of(User).update({ id }, { displayName, email, ...(moves && { emailVerified: false }) });
    await this.outbox.record({ type: 'user_updated', organizationId: null, target: id, payload: { fields } });
  }

  /** Marks an address as verified for a user, if it is still theirs. */
  async verifyEmail(id: string, email: string): Promise<void> {
    await this.database.transaction(async () => {
      const verified = await this.database.execute(
        'UPDATE account SET email_verified = true, version = version + 1 WHERE id = $1 AND lower(email) = lower($2) AND NOT email_verified',
        [id, email],
      );
      if (verified > 0)
        await this.outbox.record({
          type: 'user_updated',
          organizationId: null,
          target: id,
          payload: { fields: ['emailVerified'] },
        });
    });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.database.of(User).createQueryBuilder('u').where('lower(u.email) = lower(:email)', { email }).getOne();
  }
}
