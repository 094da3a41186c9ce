/** Texts of inviting people. */
export const invitationTexts = {
  invitations: {
    address: 'Address',
    addresses: 'E-mail addresses',
    addressesHelp: 'Up to 100, separated by spaces, commas or lines.',
    invite: 'Invite',
    invited: (invited: number, members: number) =>
      members === 0 ? `${invited} invited.` : `${invited} invited; ${members} are members already.`,
    mailed: 'e-mail sent',
    copyLink: 'Copy link',
    linkInLetter: 'The link is in the e-mail',
    revoke: 'Revoke',
    revokeOne: (email: string) => `Revoke the invitation of ${email}`,
    revoked: (email: string) => `The invitation of ${email} is revoked.`,
    none: 'No invitation is open',
    noneText: 'Invite colleagues above; each invitation works once, for seven days.',
  },
  links: {
    text: 'Everybody who has such a link can join. Delete it when it is no longer needed.',
    off: 'The settings of the organization do not let people in by links.',
    make: 'New invite link',
    opens: 'Opens',
    removed: 'The link is deleted.',
    none: 'No invite links',
    noneText: 'Make one to let many people join by themselves, with the role that you choose.',
  },
} as const;
