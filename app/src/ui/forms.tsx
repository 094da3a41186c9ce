import {
  Switch,
  Textarea,
  type TextareaProps,
  TextInput,
  type SwitchProps,
  type TextInputProps,
  Group,
  Modal,
  Stack,
  Text,
  type ModalProps,
} from '@mantine/core';
import { type QueryKey } from '@tanstack/react-query';
import { type MouseEvent, type ReactNode, type ComponentProps, useEffect, useRef, useState } from 'react';
import { texts } from '../texts/en.js';
import { Button, SecondaryButton } from './buttons.js';
import { useDisclosure } from '@mantine/hooks';
import { ApiError, queries } from '../api/client.js';
import { useMutation } from '../api/mutations.js';
import type { FieldFault } from '../api/api-error.js';
import { faultText, showDone, showFault } from './toasts.js';

/** A text that a field holds, to be spread into it. */
export function useText(first = '') {
  const [value, onText] = useState(first);
  return { value, onText };
}

/** The faults that the server found in the last change of a form; `at` gives the one of the field at a path. */
export function useFieldFaults() {
  const [faults, setFaults] = useState<readonly FieldFault[]>([]);
  const noting =
    <Output,>(work: () => Promise<Output>) =>
    async (): Promise<Output> => {
      setFaults([]);
      try {
        return await work();
      } catch (error) {
        if (error instanceof ApiError) setFaults(error.details);
        throw error;
      }
    };
  return { faults, noting, at: (path: string) => faults.find((fault) => fault.path === path)?.message };
}

/** Tells if a text can be the address of something on the web. */
export const isWebUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text);

/** A field of one line that gives its text. */
export function TextField({ onText, ...props }: TextInputProps & Readonly<{ onText: (text: string) => unknown }>) {
  return <TextInput {...props} onChange={(event) => onText(event.currentTarget.value)} />;
}

type TextAreaFieldProps = TextareaProps & Readonly<{ onText: (text: string) => unknown; isSource?: boolean }>;

/** A field of several lines that grows with its text; `isSource`: in the letters of Markdown. */
export function TextAreaField({ onText, isSource = false, ...props }: TextAreaFieldProps) {
  const classNames = isSource ? { input: 'source-text' } : {};
  return (
    <Textarea autosize classNames={classNames} {...props} onChange={(event) => onText(event.currentTarget.value)} />
  );
}

/** For buttons that choose a file: the one that was chosen before can be chosen again, when it has changed. */
export const NEW_CHOICE = {
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>): void => {
    currentTarget.value = '';
  },
};

/** A switch that gives whether it is on. */
export function FlagField({ onFlag, ...props }: SwitchProps & Readonly<{ onFlag: (isOn: boolean) => unknown }>) {
  return <Switch {...props} onChange={(event) => onFlag(event.currentTarget.checked)} />;
}

interface FormDialogProps extends Pick<ModalProps, 'title' | 'size'> {
  readonly opened?: boolean;
  readonly text?: string | undefined;
  /** The name of the action, on the button. */
  readonly action: string;
  readonly color?: string;
  readonly disabled?: boolean;
  /** The dialog is closed when it has succeeded. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly children?: ReactNode;
}

/** A dialog with fields and one action; without fields it asks before the action. */
export function FormDialog(props: FormDialogProps) {
  const { opened = true, title, size = 'md', text, action, color, disabled = false, onSubmit, onClose } = props;
  const isShown = useRef(opened);
  useEffect(() => {
    isShown.current = opened;
    return () => void (isShown.current = false);
  }, [opened]);
  const submit = useMutation({
    mutationFn: onSubmit,
    onSuccess: onClose,
    // The dialog tells of a fault: a toast would lie over its buttons. One that was closed meanwhile cannot.
    onError: (error) => {
      if (!isShown.current) showFault(error);
    },
    meta: { handlesErrors: true },
  });
  const close = (): void => {
    submit.reset();
    onClose();
  };
  const isDangerous = color === 'red';
  return (
    <Modal opened={opened} onClose={close} title={title} size={size}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          submit.mutate();
        }}
      >
        <Stack gap="sm">
          {text !== undefined && <Text size="sm">{text}</Text>}
          {props.children}
          {submit.error && (
            <Text size="sm" c="var(--mantine-color-error)" role="alert" className="plain-text">
              {`${texts.faults.notDone}. ${faultText(submit.error)}`}
            </Text>
          )}
          <Group justify="flex-end">
            <SecondaryButton label={texts.common.cancel} onClick={close} data-autofocus={isDangerous || undefined} />
            <Button
              label={action}
              type="submit"
              color={color}
              loading={submit.isPending}
              disabled={disabled}
              data-autofocus={(!isDangerous && props.children === undefined) || undefined}
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type Asking = Omit<ComponentProps<typeof FormDialog>, 'opened' | 'onSubmit' | 'onClose' | 'children'>;

interface ActionButtonProps extends ComponentProps<typeof SecondaryButton>, Consequences {
  readonly action: () => Promise<unknown>;
  /** Asks in a dialog first, which has the children as its fields; `onClose` forgets what they hold. */
  readonly ask?: Asking & { readonly onClose?: () => void };
}

/** A button that changes something at the server, and waits for the answer. */
export function ActionButton({ action, ask, refresh, done, children, ...props }: ActionButtonProps) {
  const [isAsking, { open, close }] = useDisclosure();
  const end = (): void => {
    close();
    ask?.onClose?.();
  };
  const run = changing(action, { refresh, done });
  const { mutate, isPending } = useMutation({ mutationFn: () => run() });
  return (
    <>
      <SecondaryButton {...props} loading={isPending} onClick={ask ? open : () => mutate()} />
      {ask && (
        <FormDialog {...ask} opened={isAsking} onSubmit={run} onClose={end}>
          {children}
        </FormDialog>
      )}
    </>
  );
}

export interface Consequences<Output = unknown> {
  /** The beginning of the keys of what is read again. */
  readonly refresh?: QueryKey | undefined;
  /** The words that tell that it is done. */
  readonly done?: string | ((output: Output) => string) | undefined;
}

/** A change at the server, after which a toast tells of it; what shows it is read again, after a fault too. */
export function changing<Output, Input = void>(
  change: (input: Input) => Promise<Output>,
  { refresh, done }: Consequences<Output>,
): (input: Input) => Promise<Output> {
  return async (input) => {
    try {
      const output = await change(input);
      if (done !== undefined) showDone(typeof done === 'string' ? done : done(output));
      return output;
    } finally {
      if (refresh) await queries.invalidateQueries({ queryKey: refresh });
    }
  };
}

/** The same as a mutation, which tells of faults too. */
export function useChange<Output, Input = void>(
  change: (input: Input) => Promise<Output>,
  consequences: Consequences<Output> = {},
) {
  return useMutation({ mutationFn: changing(change, consequences) });
}
