import { Column, Entity, PrimaryColumn, VersionColumn } from 'typeorm';

@Entity('announcement')
export class Announcement {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  id: string;

  @Column({ name: 'organization_id', type: 'text', collation: 'C' })
  organizationId: string;

  @Column({ type: 'text' })
  title: string;

  @Column({ type: 'text' })
  text: string;

  /** When it is removed by itself; null for never. */
  @Column({ name: 'ends_at', type: 'timestamptz', precision: 3, nullable: true })
  endsAt: Date | null;

  @VersionColumn()
  version: number;

  @Column({ name: 'created_by', type: 'text', collation: 'C' })
  createdBy: string;

  @Column({ name: 'created_at', type: 'timestamptz', precision: 3 })
  createdAt: Date;
}
