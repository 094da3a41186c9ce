import { useLocalStorage } from '@mantine/hooks';
import { lazyRouteComponent } from '@tanstack/react-router';
import { Suspense, useState } from 'react';
import { LoadingScreen } from '../../ui/screens.js';
import type { EditorProps, Entry } from './editing.js';
import { PageDetails, useDetails } from './page-details.js';
import type { FormName } from './text-forms.js';
import { useLocalDraft } from './use-draft.js';

const EDITORS = {
  source: lazyRouteComponent(() => import('./source-screen.js'), 'SourceScreen'),
  visual: lazyRouteComponent(() => import('./visual/visual-screen.js'), 'VisualScreen'),
};

/** A page that is being written, in the form that was chosen last. */
export function EditorScreen(props: Omit<EditorProps, 'local' | 'entry' | 'details' | 'onSwitch'>) {
  const local = useLocalDraft(props.page.id);
  const [form, setForm] = useLocalStorage<FormName>({
    key: 'bindery.form',
    defaultValue: 'source',
    getInitialValueInEffect: false,
    // Another tab has an editor of its own, which may hold what is not saved.
    sync: false,
    deserialize: (stored) => (stored === '"visual"' ? 'visual' : 'source'),
  });
  const [entry, setEntry] = useState<Entry>({});
  const state = useDetails();
  const details = <PageDetails page={props.page} {...state} />;
  const Editor = EDITORS[form];
  const switchForm = (next: Entry): void => {
    setEntry(next);
    setForm(form === 'source' ? 'visual' : 'source');
  };
  return (
    <Suspense fallback={<LoadingScreen />}>
      <Editor key={form} {...props} local={local} entry={entry} details={details} onSwitch={switchForm} />
    </Suspense>
  );
}
