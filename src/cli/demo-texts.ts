/** A page of the demo in a state of it: its rules by what they are about. */
function page(rules: Readonly<Record<string, string>>): string {
  const parts = Object.entries(rules).map(([title, text]) => `## ${title}\n\n${text}\n`);
  return ['Readers come with a task and little time. These rules keep pages short, and alike.\n', ...parts].join('\n');
}

const RULES = {
  'Speak to the reader': 'Use the imperative for steps: *open the settings*, not *the settings can be opened*.',
  'One thing in a sentence': 'A sentence says one thing. With a second comma it is probably two sentences.',
  'One name for a thing': 'A thing has the same name on every page. The name that the screen shows comes first.',
};

/** The page that the demo proposes to change. */
export const HOUSE_STYLE = {
  title: 'House style',
  description: 'How pages are written here. A change to it waits for a review.',
  /** As it was first. */
  written: page(RULES),
  /** As it is published. */
  published: page({
    ...RULES,
    'Speak to the reader':
      'Use the imperative for steps: *open the settings*, not *the settings can be opened*. Leave out *please*.',
  }),
  /** As it is proposed, in conflict with what is published. */
  proposed: page({
    ...RULES,
    'Speak to the reader':
      'Use the imperative for steps: *open the settings*, not *the settings can be opened*. Say *you* everywhere else.',
    'One thing in a sentence':
      'A sentence says one thing. Read it aloud: where you need a breath, a new sentence begins.',
  }),
} as const;

/** The page that the demo proposes to add. */
export const WORDS = {
  title: 'Words that we use',
  description: 'The names of things, and the words that they replace.',
  markdown: [
    '| We write | We do not write | Because |',
    '| --- | --- | --- |',
    '| sign in | log in, login | The button says so |',
    '| change request | draft, proposal | It is the name on the screen |',
    '| choose | select, pick | One word for one action |',
    '',
    'A word that is missing here is added with the page that needs it first.',
    '',
  ].join('\n'),
} as const;

/** The subjects of the change requests of the demo. */
export const SUBJECTS = {
  begun: 'Add our house style',
  proposed: 'Make the house style easier to follow',
  meanwhile: 'House style: no please',
} as const;

export const REASON =
  'New colleagues asked what the rules mean in practice. The second one now says how to try it, and a page lists the words that we agreed on.';

/** The block that the comment is about has these words. */
export const COMMENTED = 'A sentence says one thing.';
export const COMMENT =
  'Is this too strict for reference pages? Their sentences list values, and a list of three has two commas.';

/** The reply, which names somebody by the address of their account. */
export const replyTo = (name: string, address: string): string =>
  `I took the commas out and left the advice. [${name}](${address} "mention"), does it say enough now?`;
