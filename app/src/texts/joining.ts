/** Texts of signing in and of accepting an invitation. */
export const joiningTexts = {
  signIn: {
    title: 'Sign in',
    email: 'E-mail address',
    send: 'Send a sign-in link',
    sent: (email: string) =>
      `If there is an account for ${email}, an e-mail with a link is on its way. The link works once, for 15 minutes.`,
    noLetter: 'No e-mail? An administrator of your organization can make a sign-in link for you.',
    noMail: 'This service sends no e-mails: ask an administrator of your organization for a sign-in link.',
    otherAddress: 'Use another address',
    or: 'or',
    through: (label: string, organization: string) => `Sign in to ${organization} with ${label}`,
    linkTitle: (name: string) => `Sign in as ${name}`,
    onlyIn: (organization: string) => `only in ${organization}`,
    instead: (name: string) => `You are signed in as ${name} now; that session ends.`,
    usedTitle: 'This link does not work any more',
    usedText: 'Sign-in links work once and for a short time. Ask for a new one.',
  },
  invitation: {
    title: (organization: string) => `Join ${organization}`,
    text: (by: string, email: string, role: string) => `${by} invites ${email} as ${role}.`,
    hasAccount: 'There is an account for this address: sign in, then join with one more click.',
    linkText: 'Enter your e-mail address: an e-mail with a link lets you in.',
    signedInAs: (name: string) => `You are signed in as ${name}.`,
    name: 'Your name',
    join: (organization: string) => `Join ${organization}`,
    overTitle: 'This invitation does not work any more',
    overText: 'It was used, withdrawn, or is older than seven days. Ask for a new one.',
    linkOverText: 'The link was deleted, or the organization takes no invite links. Ask for a new one.',
  },
} as const;
