import { Combobox, Group, Stack, Textarea, useCombobox } from '@mantine/core';
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import type { Schemas } from '../../api/client.js';
import { useMutation } from '../../api/mutations.js';
import { texts } from '../../texts/en.js';
import { reviewTexts } from '../../texts/review.js';
import { useMembers } from '../queries.js';
import { Button, SecondaryButton } from '../../ui/buttons.js';
import { shownMentions, typedName, withMentions } from './comment-text.js';

const words = reviewTexts.comments;
const MOST_SHOWN = 6;

type Submit = (markdown: string) => Promise<unknown>;

interface CommentFormProps {
  readonly label: string;
  readonly submit: string;
  readonly initial?: string;
  readonly autoFocus?: boolean;
  readonly mayBeEmpty?: boolean;
  /** True where people are told that they are mentioned. */
  readonly mentions?: boolean;
  readonly onSubmit: Submit;
  readonly onCancel?: (() => void) | undefined;
  readonly children?: ReactNode;
  readonly buttons?: ReactNode;
  readonly second?: { readonly label: string; readonly onSubmit: Submit } | undefined;
}

/** A comment being written: Markdown, with people that are mentioned by `@`. Ctrl+Enter sends it. */
export function CommentForm(props: CommentFormProps) {
  const { label, submit, initial = '', autoFocus = false, mayBeEmpty = false, mentions = true } = props;
  const { onSubmit, onCancel, second } = props;
  const [begun] = useState(() => shownMentions(initial));
  const [text, setText] = useState(begun.text);
  const people = useRef(new Map(begun.people));
  const isEmpty = text.trim() === '' && !mayBeEmpty;
  const { mutate, isPending } = useMutation({
    // A fault is told by the change itself; what was typed stays.
    meta: { handlesErrors: true },
    mutationFn: (submitText: Submit) => submitText(withMentions(text.trim(), people.current)),
    onSuccess: () => setText(''),
  });
  const send = (submitText = onSubmit): void => {
    if (!isEmpty && !isPending) mutate(submitText);
  };
  return (
    <form action={() => send()}>
      <Stack gap="xs">
        <MentionArea
          {...{ label, text, autoFocus, mentions }}
          onChange={setText}
          onMention={({ displayName, urls }) => people.current.set(displayName, urls.location)}
          onSend={() => send()}
          onEscape={onCancel}
        />
        {props.children}
        <Group gap="xs">
          <Button label={submit} type="submit" loading={isPending} disabled={isEmpty} />
          {second && (
            <SecondaryButton label={second.label} disabled={isPending} onClick={() => send(second.onSubmit)} />
          )}
          {props.buttons}
          {onCancel && <SecondaryButton label={texts.common.cancel} onClick={onCancel} />}
        </Group>
      </Stack>
    </form>
  );
}

interface MentionAreaProps extends Required<Pick<CommentFormProps, 'label' | 'autoFocus' | 'mentions'>> {
  readonly text: string;
  readonly onChange: (text: string) => void;
  readonly onMention: (user: Schemas['UserBody']) => void;
  readonly onSend: () => void;
  readonly onEscape: (() => void) | undefined;
}

function MentionArea({ label, autoFocus, mentions, text, ...on }: MentionAreaProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [typed, setTyped] = useState<ReturnType<typeof typedName>>();
  const wanted = typed?.name.trimEnd().toLowerCase() ?? '';
  const users = useMembers(typed?.name)
    .filter(({ displayName }) => displayName.toLowerCase().includes(wanted) && displayName.toLowerCase() !== wanted)
    .slice(0, MOST_SHOWN);
  const isOpen = typed !== undefined && users.length > 0;
  const people = useCombobox({ opened: isOpen });
  useEffect(() => {
    if (isOpen) people.selectFirstOption();
  }, [isOpen, people, typed]);
  const pick = (id: string): void => {
    const user = users.find((each) => each.id === id);
    const field = area.current;
    if (!typed || !user || !field) return;
    field.setRangeText(`@${user.displayName} `, typed.from, field.selectionStart, 'end');
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    on.onMention(user);
    setTyped(undefined);
    field.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const { key } = event;
    if (key === 'Enter' && (event.ctrlKey || event.metaKey)) on.onSend();
    else if (key === 'Tab' && isOpen) people.clickSelectedOption();
    else if (key === 'Escape' && isOpen) setTyped(undefined);
    else if (key === 'Escape' && on.onEscape) on.onEscape();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Combobox store={people} withinPortal={false} position="bottom-start" onOptionSubmit={pick}>
      <Combobox.Target withKeyboardNavigation={isOpen}>
        <Textarea
          ref={area}
          label={label}
          description={mentions ? words.hint : words.markdown}
          autosize
          minRows={3}
          maxRows={14}
          // A form is opened by a press: the field is what was asked for, in dialogs as well.
          autoFocus={autoFocus}
          data-autofocus={autoFocus || undefined}
          value={text}
          onChange={({ currentTarget: { value, selectionStart } }) => {
            on.onChange(value);
            setTyped(mentions ? typedName(value, selectionStart) : undefined);
          }}
          onBlur={() => setTyped(undefined)}
          onKeyDown={onKeyDown}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={words.people}>
          {users.map(({ id, displayName }) => (
            <Combobox.Option key={id} value={id}>
              {displayName}
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
