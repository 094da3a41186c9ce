/** The JSON object in the answer of a model, whatever the model says around it; undefined if there is none. */
export function jsonInAnswer(answer: string): Readonly<Record<string, unknown>> | undefined {
  const [start, end] = [answer.indexOf('{'), answer.lastIndexOf('}')];
  if (start < 0 || end < start) return undefined;
  try {
    return JSON.parse(answer.slice(start, end + 1)) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
