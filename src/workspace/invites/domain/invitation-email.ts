/** The content of an invitation mail; the address is absolute, the time in ISO 8601. */
export interface InvitationFacts {
  readonly organization: string;
  readonly invitedBy: string;
  readonly expiresAt: string;
  readonly address: string;
}

/** The message to an invited address. Names come from people, so line breaks in them are removed. */
export function invitationEmail(facts: InvitationFacts): { readonly subject: string; readonly text: string } {
  const [organization, invitedBy] = [oneLine(facts.organization), oneLine(facts.invitedBy)];
  return {
    subject: `Invitation to ${organization}`,
    text: [
      `${invitedBy} invites you to ${organization}. Accept at`,
      '',
      `  ${facts.address}`,
      '',
      `The invitation works once, until ${facts.expiresAt}. If you did not expect it, you need not do anything.`,
      '',
    ].join('\n'),
  };
}

function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ').trim();
}
