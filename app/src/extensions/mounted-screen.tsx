import { useComputedColorScheme } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ColorScheme, Question } from '../../workspace.js';
import { queries, useSession } from '../api/client.js';
import { extensionTexts as words } from '../texts/extensions.js';
import { Button } from '../ui/buttons.js';
import { FormDialog } from '../ui/forms.js';
import { followLink } from '../ui/rendered-content.js';
import { EmptyScreen, LoadingScreen } from '../ui/screens.js';
import { faultText } from '../ui/toasts.js';
import { hostOf } from './host.js';
import { MissingFile, mountScreen } from './mount-screen.js';
import { SCREENS, type ModuleScreen, type ScreenSubject } from './queries.js';

type State = 'loading' | 'shown' | Readonly<{ fault: unknown }>;
type Asked = Readonly<{ question: Question; answer: (isConfirmed: boolean) => void }>;
export type MountedScreenProps = Readonly<{ screen: ModuleScreen; subject: ScreenSubject }>;

/** Milliseconds before files are asked for again, one time after the other. */
const PAUSES = [500, 1000, 2000, 4000];

/** A screen of a module, or what went wrong with it and a way to try again. */
export function MountedScreen({ screen, subject }: MountedScreenProps) {
  const [attempt, setAttempt] = useState(0);
  const { container, state: present, dialog } = useMounted({ screen, subject }, attempt);
  const fault = typeof present === 'object' ? present.fault : undefined;
  const pause = fault instanceof MissingFile ? PAUSES[attempt] : undefined;
  const state: State = pause === undefined ? present : 'loading';
  const again = async (): Promise<void> => {
    // After an upgrade of the service the files of the module are at another address.
    await queries.invalidateQueries({ queryKey: SCREENS }).catch(() => undefined);
    setAttempt((before) => before + 1);
  };
  const againByItself = useEffectEvent(() => void again());
  useEffect(() => {
    // While the service is upgraded, a server may not have the files that another one has named.
    if (pause === undefined) return undefined;
    const timer = setTimeout(() => againByItself(), pause);
    return () => clearTimeout(timer);
  }, [pause]);
  return (
    <>
      {state === 'loading' && <LoadingScreen />}
      {typeof state === 'object' && (
        <EmptyScreen title={words.failed(screen.title)} text={words.failedText(screen.module, faultText(state.fault))}>
          <Button label={words.again} onClick={() => void again()} />
        </EmptyScreen>
      )}
      {/* While it comes, it has its place unseen: modules measure it. */}
      <div
        ref={container}
        hidden={typeof state === 'object'}
        style={{ visibility: state === 'shown' ? 'visible' : 'hidden' }}
      />
      {dialog}
    </>
  );
}

function useMounted({ screen, subject }: MountedScreenProps, attempt: number) {
  const container = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<State>('loading');
  const [asked, setAsked] = useState<Asked>();
  const router = useRouter();
  const { user } = useSession();
  const colors = useColors();
  const { organizationId, spaceId, siteId } = subject;

  const begin = useEffectEvent((element: HTMLElement, leaving: AbortController) => {
    const { signal } = leaving;
    const place = Object.entries({ userId: user.id, organizationId, spaceId, siteId });
    const host = hostOf({
      place: Object.fromEntries(place.filter(([, id]) => id !== undefined)) as never,
      router,
      signal,
      colors,
      confirm: (question) =>
        new Promise((answer) => {
          setAsked((earlier) => {
            // One question at a time: another one takes the place of the first.
            earlier?.answer(false);
            return { question, answer };
          });
          signal.addEventListener('abort', () => answer(false));
        }),
    });
    const onFault = (fault: unknown): void => {
      leaving.abort();
      setAsked(undefined);
      setState({ fault });
    };
    return mountScreen(element, { screen, host, attempt, onShown: () => setState('shown'), onFault });
  });

  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const leaving = new AbortController();
    setState('loading');
    const end = begin(element, leaving);
    const follow = (event: MouseEvent): void =>
      followLink(event, element.firstElementChild?.shadowRoot, (path) => router.history.push(path));
    element.addEventListener('click', follow);
    return () => {
      element.removeEventListener('click', follow);
      setAsked(undefined);
      leaving.abort();
      end();
    };
  }, [screen.urls.script, attempt, organizationId, spaceId, siteId, router]);

  return { container, state, dialog: asked && <Confirmation {...asked} onClose={() => setAsked(undefined)} /> };
}

/** The question that a screen asks before an action; its texts are the module's, so they may be anything. */
function Confirmation({ question, answer, onClose }: Asked & Readonly<{ onClose: () => void }>) {
  const { title, text, action, isDangerous } = question;
  const close = (): void => {
    answer(false);
    onClose();
  };
  return (
    <FormDialog
      title={String(title)}
      text={text === undefined ? undefined : String(text)}
      action={String(action)}
      {...(isDangerous === true && { color: 'red' })}
      onSubmit={async () => answer(true)}
      onClose={close}
    />
  );
}

/** The present colours, and those who want to hear of others. */
function useColors() {
  const scheme = useComputedColorScheme('light');
  const [colors] = useState(() => new Colors());
  useEffect(() => colors.change(scheme), [colors, scheme]);
  return colors;
}

class Colors {
  private scheme: ColorScheme = 'light';
  private readonly listeners = new Set<(scheme: ColorScheme) => void>();

  readonly present = (): ColorScheme => this.scheme;

  readonly follow = (listener: (scheme: ColorScheme) => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  change(scheme: ColorScheme): void {
    if (scheme === this.scheme) return;
    this.scheme = scheme;
    for (const listener of this.listeners)
      try {
        listener(scheme);
      } catch (error) {
        console.error(error);
      }
  }
}
