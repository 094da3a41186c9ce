import { useState } from 'react';
import { texts } from '../texts/en.js';
import { writingTexts } from '../texts/writing.js';
import { FormDialog } from '../ui/forms.js';
import { changeOf, type Fields, fieldsOf, isComplete, PageFields } from './page-fields.js';
import { type Page, useWrite } from './queries.js';

const words = writingTexts.settings;

/** The settings of a page in a dialog. */
export function PageSettings({ page, onClose }: Readonly<{ page: Page; onClose: () => void }>) {
  const [first] = useState(() => fieldsOf(page));
  const [fields, setFields] = useState<Fields>(first);
  const write = useWrite();
  return (
    <FormDialog
      title={words.title}
      size="lg"
      action={texts.common.save}
      disabled={!isComplete(fields)}
      onSubmit={() => write(changeOf(page, first, fields), words.saved)}
      onClose={onClose}
    >
      <PageFields page={page} fields={fields} set={(next) => setFields({ ...fields, ...next })} />
    </FormDialog>
  );
}
