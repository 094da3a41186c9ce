import { createTheme } from '@mantine/core';
import { texts } from '../texts/en.js';

/** The look of the workspace; colours have the contrast that WCAG 2.2 AA asks for, in light and in dark. */
export const theme = createTheme({
  primaryColor: 'blue',
  primaryShade: { light: 8, dark: 8 },
  autoContrast: true,
  defaultRadius: 'md',
  cursorType: 'pointer',
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, SFMono-Regular, Menlo, Consolas, monospace',
  headings: {
    fontWeight: '650',
    sizes: { h1: { fontSize: '1.625rem' }, h2: { fontSize: '1.125rem' }, h3: { fontSize: '1rem' } },
  },
  components: {
    ActionIcon: { defaultProps: { variant: 'subtle', color: 'gray' } },
    Anchor: { defaultProps: { underline: 'hover' } },
    Badge: { defaultProps: { variant: 'light', flex: 'none' } },
    // The heads of dialogs are no landmarks.
    DrawerHeader: { defaultProps: { role: 'presentation' } },
    ModalHeader: { defaultProps: { role: 'presentation' } },
    Drawer: { defaultProps: { closeButtonProps: { 'aria-label': texts.common.close } } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { 'aria-label': texts.common.close } } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': texts.common.close } } },
    Select: { defaultProps: { allowDeselect: false } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
});
