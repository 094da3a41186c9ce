/** The content of an invitation mail; addresses are absolute, times in ISO 8601. */
export interface InvitationFacts {
  readonly organization: string;
  readonly invitedBy: string;
  readonly expiresAt: string;
  readonly newAccount: string;
  readonly ownAccount: string;
}

/** The message to an invited address. Names come from people, so line breaks in them are removed. */
export function invitationEmail(facts: InvitationFacts): { readonly subject: string; readonly text: string } {
  const [organization, invitedBy] = [oneLine(facts.organization), oneLine(facts.invitedBy)];
  return {
    subject: `Invitation to ${organization}`,
    text: [
      `${invitedBy} invites you to ${organization}.`,
      '',
      'If you have no account yet, this makes one and gives you an API token:',
      '',
      `  curl -X POST ${facts.newAccount}`,
      '',
      'If you have an account, this lets it in:',
      '',
      `  curl -X POST -H "Authorization: Bearer <API_TOKEN>" ${facts.ownAccount}`,
      '',
      `The invitation works once, until ${facts.expiresAt}. If you did not expect it, you need not do anything.`,
      '',
    ].join('\n'),
  };
}

function oneLine(name: string): string {
  return name.replace(/\s+/g, ' ').trim();
}
