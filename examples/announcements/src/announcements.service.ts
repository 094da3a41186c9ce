import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import {
  Clock,
  CONFIG,
  Database,
  DomainError,
  isId,
  Jobs,
  newId,
  notFound,
  Outbox,
  Pages,
  requireMatch,
  type Config,
  type Page,
} from 'bindery/extension';
import { AnnouncementSettings } from './announcement-settings.entity.js';
import { Announcement } from './announcement.entity.js';
import type {
  AnnouncementsQuery,
  CreateAnnouncement,
  UpdateAnnouncement,
  UpdateAnnouncementSettings,
} from './announcements.schema.js';

/** Ended announcements that one transaction removes. */
const BATCH = 500;
const DAY = 86_400_000;

@Injectable()
export class Announcements implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly pages: Pages,
    private readonly clock: Clock,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  onModuleInit(): void {
    this.jobs.handle('announcements.remove-ended', (_, run) => run.commit(() => this.removeEnded()));
  }

  /** The announcements of an organization, newest first: ids begin with the time that they were made at. */
  list(organizationId: string, query: AnnouncementsQuery): Promise<Page<Announcement>> {
    return this.pages.list<Announcement & Record<string, unknown>>(query, {
      scope: ['announcements', organizationId],
      select: `a.id, a.organization_id AS "organizationId", a.title, a.text, a.ends_at AS "endsAt", a.version,
               a.created_by AS "createdBy", a.created_at AS "createdAt"`,
      from: 'FROM announcement a WHERE a.organization_id = $1',
      values: [organizationId],
      order: [{ expression: 'a.id', type: 'text' }],
      direction: 'desc',
    });
  }

  /** Throws `notFound`. */
  async get(organizationId: string, id: string): Promise<Announcement> {
    const row = isId(id) ? await this.database.of(Announcement).findOneBy({ id, organizationId }) : null;
    if (!row) throw notFound('Announcement');
    return row;
  }

  /** Throws `conflict` where the organization has as many as it may have. */
  create(callerId: string, organizationId: string, { title, text, endsAt }: CreateAnnouncement): Promise<Announcement> {
    return this.database.transaction(async () => {
      const now = this.clock.now();
      const row = this.database.of(Announcement).create({
        id: newId(now.getTime()),
        organizationId,
        title,
        text,
        endsAt: endsAt === undefined ? await this.usualEnd(organizationId, now) : new Date(endsAt),
        createdBy: callerId,
        createdAt: now,
      });
      await this.requireRoom(organizationId);
      await this.database.of(Announcement).insert(row);
      await this.outbox.record({ type: 'announcement_posted', organizationId, target: row.id });
      return row;
    });
  }

  /** Throws `notFound`, and `precondition-failed` where `If-Match` names another version. */
  update(organizationId: string, id: string, { title, text, endsAt }: UpdateAnnouncement): Promise<Announcement> {
    return this.database.transaction(async () => {
      const row = await this.locked(organizationId, id);
      requireMatch(row.version);
      const changes = {
        ...(title !== undefined && { title }),
        ...(text !== undefined && { text }),
        ...(endsAt !== undefined && { endsAt: endsAt === null ? null : new Date(endsAt) }),
      };
      const fields = Object.keys(changes);
      if (fields.length === 0) return row;
      await this.database.of(Announcement).update({ organizationId, id }, changes);
      await this.outbox.record({ type: 'announcement_updated', organizationId, target: id, payload: { fields } });
      return this.locked(organizationId, id);
    });
  }

  /** Throws `notFound`, and `precondition-failed` where `If-Match` names another version. */
  remove(organizationId: string, id: string): Promise<void> {
    return this.database.transaction(async () => {
      const row = await this.locked(organizationId, id);
      requireMatch(row.version);
      await this.drop(row, false);
    });
  }

  async settings(organizationId: string): Promise<AnnouncementSettings> {
    const settings = this.database.of(AnnouncementSettings);
    return (await settings.findOneBy({ organizationId })) ?? settings.create({ organizationId, endsAfterDays: 0 });
  }

  updateSettings(organizationId: string, { endsAfterDays }: UpdateAnnouncementSettings): Promise<AnnouncementSettings> {
    return this.database.transaction(async () => {
      const settings = this.database.of(AnnouncementSettings);
      await settings.upsert({ organizationId, endsAfterDays }, ['organizationId']);
      await this.outbox.record({
        type: 'announcement_settings_updated',
        organizationId,
        target: organizationId,
      });
      return settings.create({ organizationId, endsAfterDays });
    });
  }

  private async usualEnd(organizationId: string, now: Date): Promise<Date | null> {
    const { endsAfterDays } = await this.settings(organizationId);
    return endsAfterDays === 0 ? null : new Date(now.getTime() + endsAfterDays * DAY);
  }

  /** Removes what has ended, on whatever server runs the job. */
  private async removeEnded(): Promise<void> {
    const ended = await this.database
      .of(Announcement)
      .createQueryBuilder('a')
      .where('a.ends_at <= :now', { now: this.clock.now() })
      .orderBy('a.id')
      .limit(BATCH)
      .setLock('pessimistic_write')
      .setOnLocked('skip_locked')
      .getMany();
    for (const row of ended) await this.drop(row, true);
  }

  /** The event comes first: the audit log keeps the title that the announcement has at that moment. */
  private async drop({ id, organizationId }: Announcement, ended: boolean): Promise<void> {
    await this.outbox.record({ type: 'announcement_removed', organizationId, target: id, payload: { ended } });
    await this.database.of(Announcement).delete({ id });
  }

  private async locked(organizationId: string, id: string): Promise<Announcement> {
    const row = isId(id)
      ? await this.database
          .of(Announcement)
          .findOne({ where: { id, organizationId }, lock: { mode: 'pessimistic_write' } })
      : null;
    if (!row) throw notFound('Announcement');
    return row;
  }

  /** Two callers at once count one after the other. */
  private async requireRoom(organizationId: string): Promise<void> {
    await this.database.query('SELECT FROM organization WHERE id = $1 FOR NO KEY UPDATE', [organizationId]);
    const most = this.config.announcementsPerOrganization;
    if ((await this.database.of(Announcement).countBy({ organizationId })) >= most)
      throw new DomainError('conflict', `The organization has ${most} announcements, and may not have more`);
  }
}
