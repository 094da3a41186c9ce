/** The actions on a page beside reading it, in the order in which those come that a list does not name. */
export const PAGE_ACTIONS = ['assistant', 'markdown', 'mcp', 'external-ai', 'pdf', 'git'] as const;

export type PageActionName = (typeof PAGE_ACTIONS)[number];

/** The settings that say which actions pages have: a list in order, and the older flags, one for each action. */
export interface ActionSettings {
  readonly ai: { readonly mode: string };
  readonly pdf: { readonly enabled: boolean };
  readonly git: { readonly showEditLink: boolean };
  readonly pageActions: {
    readonly items: readonly PageActionName[];
    readonly externalAI: boolean;
    readonly markdown: boolean;
    readonly mcp: boolean;
  };
}

/** The same settings as clients write them: older ones know the flags only, newer ones the list only. */
export interface WrittenActions {
  readonly pdf?: { readonly enabled: boolean } | undefined;
  readonly git?: { readonly showEditLink: boolean } | undefined;
  readonly pageActions: {
    readonly [Name in keyof ActionSettings['pageActions']]?: ActionSettings['pageActions'][Name] | undefined;
  };
}

/**
 * Brings the list in line with the flags: actions that are off leave it, others are appended. The assistant follows its
 * mode and comes first unless the list has a place for it, but an empty list without any flag stays empty: it turns the
 * whole menu off.
 */
export function withConsistentActions<Settings extends ActionSettings>(settings: Settings): Settings {
  const { ai, pdf, git, pageActions } = settings;
  const { items } = pageActions;
  const isOn: Readonly<Record<PageActionName, boolean>> = {
    assistant: ai.mode === 'assistant',
    markdown: pageActions.markdown,
    mcp: pageActions.mcp,
    'external-ai': pageActions.externalAI,
    pdf: pdf.enabled,
    git: git.showEditLink,
  };
  const missing = PAGE_ACTIONS.filter((action) => isOn[action] && !items.includes(action));
  const isOff = items.length === 0 && missing.every((action) => action === 'assistant');
  const shown = isOff
    ? []
    : [
        ...missing.filter((action) => action === 'assistant'),
        ...items.filter((action) => isOn[action]),
        ...missing.filter((action) => action !== 'assistant'),
      ];
  return { ...settings, pageActions: { ...pageActions, items: shown } };
}

/**
 * The list and all flags of settings as they were written. A list that differs from the present one counts for itself;
 * otherwise it was only sent back, and flags that were written beside it count.
 */
export function resolveActions(
  written: WrittenActions,
  present: readonly PageActionName[],
): Pick<ActionSettings, 'pdf' | 'git' | 'pageActions'> {
  const { pdf, git, pageActions } = written;
  const items = pageActions.items ?? present;
  const isNew = items.length !== present.length || items.some((action, index) => action !== present[index]);
  const flag = (action: PageActionName, value: boolean | undefined): boolean =>
    isNew || value === undefined ? items.includes(action) : value;
  return {
    pdf: { enabled: flag('pdf', pdf?.enabled) },
    git: { showEditLink: flag('git', git?.showEditLink) },
    pageActions: {
      items,
      externalAI: flag('external-ai', pageActions.externalAI),
      markdown: flag('markdown', pageActions.markdown),
      mcp: flag('mcp', pageActions.mcp),
    },
  };
}
