import { Text } from '../../kernel/common/fields.js';

export class PingBody {
  @Text({
    optional: true,
    description:
      'A JWT that lets its member into the sites of the organization, as `jwt_token`; for tokens that may read spaces and sites',
    example: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJBYkNkIn0.c2ln',
  })
  serviceVisitorClaims?: string;
}
