/** The message with a link that signs its reader in; the address is absolute. */
export function signInEmail({ address, minutes }: { readonly address: string; readonly minutes: number }): {
  readonly subject: string;
  readonly text: string;
} {
  return {
    subject: 'Sign in to Bindery',
    text: [
      'This link signs you in:',
      '',
      `  ${address}`,
      '',
      `It works once, for ${minutes} minutes. If you did not ask for it, you need not do anything.`,
      '',
    ].join('\n'),
  };
}
