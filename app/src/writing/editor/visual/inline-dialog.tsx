import type { EditorView } from 'prosemirror-view';
import { useState } from 'react';
import { texts } from '../../../texts/en.js';
import { writingTexts } from '../../../texts/writing.js';
import { FormDialog, TextField } from '../../../ui/forms.js';
import { fieldsOf, fieldText, withField } from './block-fields.js';
import type { ContentInline } from './model/content.js';

interface InlineDialogProps {
  readonly view: EditorView;
  readonly position: number;
  readonly onClose: () => void;
}

/** Changes an inline without text of its own, such as a formula in a line. */
export function InlineDialog({ view, position, onClose }: InlineDialogProps) {
  const [inline] = useState(() => view.state.doc.nodeAt(position)?.attrs['inline'] as ContentInline);
  const [data, setData] = useState(inline.data ?? {});
  const save = async (): Promise<void> => {
    view.dispatch(view.state.tr.setNodeAttribute(position, 'inline', { ...inline, data }));
    view.focus();
  };
  return (
    <FormDialog
      title={writingTexts.visual.blocks[inline.type] ?? inline.type}
      action={texts.common.save}
      onSubmit={save}
      onClose={onClose}
    >
      {fieldsOf(inline.type).map((field) => (
        <TextField
          key={field.name}
          label={field.label}
          value={fieldText(data, field)}
          onText={(value) => setData(withField(data, field, value))}
          data-autofocus
        />
      ))}
    </FormDialog>
  );
}
