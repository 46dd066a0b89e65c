/** The colours of all pages of the gateway, light and dark: text has at least WCAG AA contrast to its background. */
export const PAGE_COLOURS = `
:root {
  --ink: #16242f; --paper: #ffffff; --ground: #eef3f6; --line: #cfdbe2; --quiet: #4a5d6a; --accent: #0b5a73; --on-accent: #ffffff;
  --soft: #f4f8fa; --focus: #b45309; --wrong: #b42318; --wrong-ground: #fef3f2; --edge: #6b8190;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8eff3; --paper: #17242d; --ground: #0e181f; --line: #34495a; --quiet: #a9bac6; --accent: #7cc7de; --on-accent: #06222c;
    --soft: #1d2d38; --focus: #fbbf24; --wrong: #fda29b; --wrong-ground: #33191a; --edge: #7d94a3;
  }
}
`
