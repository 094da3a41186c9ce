/* Service dialogues, written for measuring: their intents, and what customers and agents say. */

/** The parts of dialogues of one domain. */
export interface Domain {
  readonly name: string;
  readonly greetings: readonly string[];
  /** Offers of help of agents. */
  readonly offers: readonly string[];
  /** Questions of agents for a detail, each with answers. */
  readonly questions: readonly (readonly [question: string, answers: readonly string[]])[];
  readonly acknowledgements: readonly string[];
  /** Offers of further help. */
  readonly further: readonly string[];
  readonly closings: readonly string[];
  readonly intents: Readonly<Record<string, Intent>>;
}

export interface Intent {
  readonly openings: readonly string[];
  /** Words with which customers add something, without being asked. */
  readonly additions: readonly string[];
  readonly questions: readonly (readonly [question: string, answers: readonly string[]])[];
}
