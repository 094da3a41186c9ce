import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The settings of an organization for its announcements; without a row everything is as it is at first. */
@Entity('announcement_settings')
export class AnnouncementSettings {
  @PrimaryColumn({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  /** Days after which an announcement ends that says nothing of its end; 0 for never. */
  @Column({ name: 'ends_after_days', type: 'integer' })
  endsAfterDays: number;
}
