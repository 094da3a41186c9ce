import { Switch, TextInput, type SwitchProps, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';

type TextFieldProps = TextInputProps & Readonly<{ onText: (text: string) => unknown }>;

/** A field of one line that gives its text. */
export function TextField({ onText, ...props }: TextFieldProps): ReactNode {
  return <TextInput {...props} onChange={(event) => onText(event.currentTarget.value)} />;
}

type FlagFieldProps = SwitchProps & Readonly<{ onFlag: (isOn: boolean) => unknown }>;

/** A switch that gives whether it is on. */
export function FlagField({ onFlag, ...props }: FlagFieldProps): ReactNode {
  return <Switch {...props} onChange={(event) => onFlag(event.currentTarget.checked)} />;
}
