import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { Database } from '../common/database.js';
import { DomainError } from '../common/errors.js';
import { newId } from '../common/ids.js';
import { User } from './user.entity.js';

export interface NewUser {
  readonly email: string;
  readonly displayName: string;
  readonly emailVerified: boolean;
}

@Injectable()
export class Users {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  get(id: string): Promise<User> {
    return this.database.of(User).findOneByOrFail({ id });
  }

  /** Makes an account; throws `conflict` when the address has one already, whatever its capitals. */
  async create(facts: NewUser): Promise<User> {
    const taken = await this.findByEmail(facts.email);
    if (taken) throw new DomainError('conflict', `There is an account for ${facts.email} already`);
    return this.database.of(User).save({ id: newId(), ...facts, photoURL: null, disabled: false, createdAt: this.clock.now() });
  }

  findByEmail(email: string): Promise<User | null> {
    return this.database.of(User).createQueryBuilder('u').where('lower(u.email) = lower(:email)', { email }).getOne();
  }
}
