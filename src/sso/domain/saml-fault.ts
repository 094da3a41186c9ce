/** Why what an identity provider sent is refused, in words for the person at the browser. */
export class SamlFault extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'SamlFault';
  }
}
