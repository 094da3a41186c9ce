type Search = Readonly<Record<string, unknown>>;

/** Reads the parameters of an address that are texts. */
export function texts<Name extends string>(...names: readonly Name[]) {
  return (search: Search): { readonly [each in Name]?: string } => {
    const given = names.map((name) => [name, typeof search[name] === 'number' ? String(search[name]) : search[name]]);
    return Object.fromEntries(given.filter(([, value]) => typeof value === 'string' && value !== '')) as never;
  };
}
