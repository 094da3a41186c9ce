import { Flag, Id } from '../../kernel/common/fields.js';

export class MarkViewed {
  @Flag() viewed: boolean;
  @Id({
    optional: true,
    description: 'The revision of the change request that was looked at; the present one when omitted',
  })
  revision?: string;
}
