import { Amount, Id, ObjectName, PageQuery, Text, Timestamp, versioned } from 'bindery/extension';
import type { AnnouncementSettings } from './announcement-settings.entity.js';
import type { Announcement } from './announcement.entity.js';

const TITLE = { min: 1, max: 200, example: 'Maintenance on Sunday' };
const TEXT = { min: 1, max: 10_000, example: 'The docs are read-only from 8 to 9 in the morning.' };
const END = { description: 'When the announcement is removed by itself' };

export class CreateAnnouncement {
  @Text(TITLE)
  title: string;
  @Text(TEXT)
  text: string;
  @Timestamp({ ...END, optional: true })
  endsAt?: string;
}

export class UpdateAnnouncement {
  @Text({ ...TITLE, optional: true })
  title?: string;
  @Text({ ...TEXT, optional: true })
  text?: string;
  @Timestamp({ ...END, optional: true, nullable: true })
  endsAt?: string | null;
}

export class AnnouncementsQuery extends PageQuery {}

export class AnnouncementBody {
  @ObjectName('announcement')
  object: 'announcement';
  @Id()
  id: string;
  @Text(TITLE)
  title: string;
  @Text(TEXT)
  text: string;
  @Timestamp({ ...END, optional: true })
  endsAt?: string;
  @Id({ description: 'The user who posted it' })
  createdBy: string;
  @Timestamp()
  createdAt: string;
}

export class UpdateAnnouncementSettings {
  @Amount({ min: 0, max: 365, example: 30, description: 'Days after which announcements end by themselves; 0: never' })
  endsAfterDays: number;
}

export class AnnouncementSettingsBody extends UpdateAnnouncementSettings {
  @ObjectName('announcement-settings')
  object: 'announcement-settings';
}

export function presentSettings({ endsAfterDays }: AnnouncementSettings): AnnouncementSettingsBody {
  return { object: 'announcement-settings', endsAfterDays };
}

/** What callers see; answers carry the version as their ETag. */
export function presentAnnouncement(row: Announcement): AnnouncementBody {
  return versioned(
    {
      object: 'announcement' as const,
      id: row.id,
      title: row.title,
      text: row.text,
      ...(row.endsAt && { endsAt: row.endsAt.toISOString() }),
      createdBy: row.createdBy,
      createdAt: row.createdAt.toISOString(),
    },
    row.version,
  );
}
