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

/**
 * Our own surfaces and tones, and Mantine's greys where they have less contrast than WCAG 2.2 AA
 * asks of small text. Text on the back of its tone has a contrast of at least 4.5.
 */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6370',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-error': '#c92a2a',
    '--app-surface': '#ffffff',
    '--app-canvas': '#fafafa',
    '--app-line': '#e6e7ea',
    '--app-success': '#2b8a3e',
    '--app-failure': '#f0b4b4',
    '--app-refused': '#d98a00',
    '--app-failed': '#c92a2a',
    '--tone-good-back': '#e3f5e8',
    '--tone-good-text': '#17652d',
    '--tone-warning-back': '#fdf2d2',
    '--tone-warning-text': '#744800',
    '--tone-bad-back': '#fde8e8',
    '--tone-bad-text': '#9f1c1c',
    '--tone-over-back': '#eeeff2',
    '--tone-over-text': '#4b515b',
  },
  dark: {
    '--mantine-color-dimmed': '#a6a7ab',
    '--mantine-color-placeholder': '#909296',
    '--mantine-color-error': '#ff8787',
    '--app-surface': '#1a1b1e',
    '--app-canvas': '#141517',
    '--app-line': '#2e3035',
    '--app-success': '#51cf66',
    '--app-failure': '#7a2e2e',
    '--app-refused': '#f2c766',
    '--app-failed': '#ff6b6b',
    '--tone-good-back': '#14301d',
    '--tone-good-text': '#86dba0',
    '--tone-warning-back': '#352a10',
    '--tone-warning-text': '#f2c766',
    '--tone-bad-back': '#3b1a1a',
    '--tone-bad-text': '#ffa3a3',
    '--tone-over-back': '#2b2d33',
    '--tone-over-text': '#b9bcc3',
  },
});
