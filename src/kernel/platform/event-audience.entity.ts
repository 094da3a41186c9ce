import { Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { OrganizationTable } from '../common/table-kind.js';

/** An organization whose events a consumer receives. */
@OrganizationTable()
@Entity('event_audience')
@ForeignKey('EventConsumer', ['consumer'], ['name'], { name: 'event_audience_consumer_fk', onDelete: 'CASCADE' })
@ForeignKey('Organization', ['organizationId'], ['id'], { name: 'event_audience_organization_fk', onDelete: 'CASCADE' })
export class EventAudience {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'event_audience_pkey' })
  consumer: string;

  @PrimaryColumn({
    name: 'organization_id',
    type: 'text',
    collation: 'C',
    primaryKeyConstraintName: 'event_audience_pkey',
  })
  organizationId: string;
}
