import { type CSSVariablesResolver, createTheme } from '@mantine/core';

const systemFont =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif';

/** One accent, small radii, the system's own font: nothing to download. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  radius: { md: '7px', lg: '10px' },
  defaultRadius: 'md',
  fontFamily: systemFont,
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace',
  headings: { fontFamily: systemFont, fontWeight: '600' },
  cursorType: 'pointer',
  respectReducedMotion: true,
});

/** Where Mantine's own greys have less contrast than WCAG 2.2 AA asks of small text. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6370',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#c92a2a',
    '--app-surface': '#ffffff',
    '--app-canvas': '#fafafa',
    '--app-line': '#e6e7ea',
  },
  dark: {
    '--mantine-color-dimmed': '#a6a7ab',
    '--mantine-color-placeholder': '#909296',
    '--mantine-color-error': '#ff8787',
    '--app-surface': '#1a1b1e',
    '--app-canvas': '#141517',
    '--app-line': '#2e3035',
  },
});
