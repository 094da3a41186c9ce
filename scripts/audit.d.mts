export function verdictOf(
  output: string,
  options?: { readonly strict?: boolean },
): { readonly code: number; readonly lines: readonly string[] };
