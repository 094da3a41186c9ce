import { Email, Flag, Id, Nested, ObjectName, OneOf, Text, Timestamp } from '../../kernel/common/fields.js';
import { presentRole, ROLES, type AccessLevel, type Role } from '../../kernel/common/roles.js';

class InvitingOrganization {
  @Id()
  id: string;
  @Text({ example: 'Example Inc.' })
  title: string;
}

export class OpenInvitationBody {
  @ObjectName('invitation')
  object: 'invitation';
  @Email()
  email: string;
  @OneOf(ROLES, { nullable: true, description: 'Role in the organization; null makes guests' })
  role: Role | null;
  @Nested(() => InvitingOrganization)
  organization: InvitingOrganization;
  @Text({ description: 'The name of the person who invites', example: 'Ada Lovelace' })
  invitedBy: string;
  @Timestamp()
  expiresAt: string;
  @Flag({ description: 'There is an account for the address, which joins with the invitation', example: false })
  hasAccount: boolean;
}

export class OpenInviteLinkBody {
  @ObjectName('invite-link')
  object: 'invite-link';
  @Nested(() => InvitingOrganization)
  organization: InvitingOrganization;
  @OneOf(ROLES, { nullable: true, description: 'Role in the organization, or on the space or collection' })
  role: Role | null;
  @Text({ optional: true, description: 'Title of the space that it opens', example: 'Guide' })
  space?: string;
  @Text({ optional: true, description: 'Title of the collection that it opens', example: 'Products' })
  collection?: string;
}

/** An invitation as its addressee sees it. */
export interface ShownInvitation {
  readonly email: string;
  readonly role: AccessLevel;
  readonly organizationId: string;
  readonly organizationTitle: string;
  readonly invitedBy: string;
  readonly expiresAt: Date;
  readonly hasAccount: boolean;
}

/** An invite link as those who hold it see it. */
export interface ShownInviteLink {
  readonly organizationId: string;
  readonly organizationTitle: string;
  readonly role: AccessLevel;
  readonly space: string | null;
  readonly collection: string | null;
}

export function presentOpenInvitation(invitation: ShownInvitation): OpenInvitationBody {
  const { email, role, organizationId: id, organizationTitle: title, invitedBy, expiresAt, hasAccount } = invitation;
  return {
    object: 'invitation',
    email,
    role: presentRole(role),
    organization: { id, title },
    invitedBy,
    expiresAt: expiresAt.toISOString(),
    hasAccount,
  };
}

export function presentOpenInviteLink(link: ShownInviteLink): OpenInviteLinkBody {
  return {
    object: 'invite-link',
    organization: { id: link.organizationId, title: link.organizationTitle },
    role: presentRole(link.role),
    ...(link.space !== null && { space: link.space }),
    ...(link.collection !== null && { collection: link.collection }),
  };
}
