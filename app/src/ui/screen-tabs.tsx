import { Tabs } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';

interface ScreenTabsProps<Name extends string> {
  readonly labels: Readonly<Record<Name, string>>;
  readonly contents: Readonly<Record<Name, ReactNode>>;
}

/** The parts of a screen by their names; the address has the name of the one that is open, else it is the first. */
export function ScreenTabs<Name extends string>({ labels, contents }: ScreenTabsProps<Name>): ReactNode {
  const { tab: given } = useSearch({ strict: false });
  const navigate = useNavigate();
  const names = Object.keys(labels) as Name[];
  return (
    <Tabs
      value={names.find((name) => name === given) ?? names[0]}
      keepMounted={false}
      onChange={(tab) => void navigate({ to: '.', search: tab === null ? {} : { tab }, replace: true })}
    >
      <Tabs.List mb="lg">
        {names.map((name) => (
          <Tabs.Tab key={name} value={name}>
            {labels[name]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {names.map((name) => (
        <Tabs.Panel key={name} value={name}>
          {contents[name]}
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
