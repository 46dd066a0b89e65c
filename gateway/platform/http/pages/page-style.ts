/** The style sheet of the gateway's own pages: one column, large targets, WCAG AA contrast in light and dark. */

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

/** The style sheet of forms on the gateway's own pages; it follows the one of all pages, and uses its colours. */
export const FORM_STYLE = `
h2 { font-size: 1.1875rem; line-height: 1.3; margin: 1.75rem 0 0.5rem; }
h2:first-child { margin-top: 0; }
.step { margin: 0 0 0.25rem; color: var(--quiet); font-size: 0.9375rem; }
.field { margin: 0 0 1.25rem; padding: 0; border: 0; min-width: 0; }
.field > label:not(.choice), legend { display: block; padding: 0; margin: 0 0 0.25rem; font-weight: 600; }
.field > .quiet, .field > .problem { margin: 0 0 0.375rem; }
.problem { color: var(--wrong); font-weight: 600; }
input[type=text], input[type=email], input[type=tel], input[type=file], select { display: block; width: 100%; min-height: 3rem; padding: 0.5rem 0.75rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--paper); color: var(--ink); font: inherit; }
input.short { max-width: 11rem; }
input[aria-invalid=true], select[aria-invalid=true] { border: 2px solid var(--wrong); }
.pair { display: grid; grid-template-columns: 1fr; gap: 0 1rem; }
.choice { display: flex; align-items: flex-start; gap: 0.75rem; min-height: 2.75rem; padding: 0.625rem 0.75rem; margin: 0 0 0.5rem; border: 1px solid var(--line); border-radius: 0.5rem; cursor: pointer; }
.choice:has(:checked) { border-color: var(--accent); background: var(--soft); }
.choice input { flex: none; width: 1.375rem; height: 1.375rem; margin: 0.0625rem 0 0; accent-color: var(--accent); }
.choice .quiet { display: block; font-weight: 400; }
.row { margin: 0 0 1.25rem; padding: 1rem 1rem 0.25rem; border: 1px solid var(--line); border-radius: 0.75rem; }
.row > legend { float: left; width: 100%; margin: 0 0 0.75rem; font-size: 1.0625rem; }
.row > legend + * { clear: both; }
.row .actions { margin: 1rem 0 0.75rem; }
.row .actions button { min-height: 2.75rem; }
.summary { margin: 0 0 1.5rem; padding: 1rem 1.125rem; border: 2px solid var(--wrong); border-radius: 0.75rem; background: var(--wrong-ground); }
.summary ul { margin: 0; padding-left: 1.25rem; }
.summary li { padding: 0.125rem 0; }
.summary a { color: var(--wrong); font-weight: 600; }
.notice { margin: 1rem 0 1.5rem; padding: 0.875rem 1.125rem; border: 1px solid var(--accent); border-radius: 0.75rem; background: var(--soft); }
.notice > :last-child { margin-bottom: 0; }
.link { display: block; padding: 0.75rem; border: 1px dashed var(--edge); border-radius: 0.5rem; background: var(--paper); font: 0.9375rem/1.4 ui-monospace, "SF Mono", Consolas, monospace; user-select: all; }
input[type=file]::file-selector-button { margin-right: 0.75rem; padding: 0.25rem 0.75rem; border: 1px solid var(--edge); border-radius: 0.375rem; background: var(--soft); color: var(--ink); font: inherit; }
button.plain { width: auto; min-height: 2.75rem; padding: 0.25rem 0.5rem; margin-left: -0.5rem; border-color: transparent; background: transparent; color: var(--accent); text-decoration: underline; }
button.plain:hover { background: var(--soft); filter: none; }
a { color: var(--accent); }
a.button { color: var(--on-accent); }
a.button.second { background: transparent; color: var(--accent); border-width: 1px; }
.away { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: 1.5rem 0 0; padding: 0.75rem 0 0; border-top: 1px solid var(--line); }
.away a { display: inline-flex; align-items: center; min-height: 2.75rem; }
.terms { padding-left: 1.25rem; }
.terms li { margin: 0 0 0.625rem; }
[hidden] { display: none; }
@media (min-width: 40rem) {
  .pair { grid-template-columns: 1fr 1fr; align-items: end; }
}
`

/** Begins with the colours. */
export const PAGE_STYLE = `${PAGE_COLOURS}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
header, main { max-width: 34rem; margin: 0 auto; padding: 0 1.25rem; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 0.5rem; padding-top: 1.25rem; color: var(--accent); font-weight: 700; letter-spacing: -0.01em; }
header svg { width: 1.5rem; height: 1.5rem; flex: none; }
.languages { margin-left: auto; font-size: 0.9375rem; font-weight: 400; letter-spacing: 0; }
.languages ul { display: flex; flex-wrap: wrap; gap: 0 0.5rem; margin: 0; padding: 0; list-style: none; }
.languages a, .languages span, .languages button.plain { display: flex; align-items: center; justify-content: center; width: auto; min-width: 2.75rem; min-height: 2.75rem; margin: 0; padding: 0; border: 0; background: none; color: var(--accent); font-size: inherit; font-weight: 400; text-decoration: underline; text-underline-offset: 0.2em; }
.languages span { color: var(--ink); font-weight: 600; text-decoration: none; }
main { padding-top: 1.5rem; padding-bottom: 3rem; }
h1 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -0.015em; margin: 0 0 0.75rem; text-wrap: balance; }
p { margin: 0 0 1rem; text-wrap: pretty; }
main > :last-child { margin-bottom: 0; }
q { quotes: "“" "”"; }
q:lang(nb) { quotes: "«" "»"; }
q:lang(sv), q:lang(fi) { quotes: "”" "”"; }
q:lang(da) { quotes: "»" "«"; }
.quiet { color: var(--quiet); font-size: 0.9375rem; }
dl { margin: 1.5rem 0; padding: 0.25rem 1rem; background: var(--soft); border: 1px solid var(--line); border-radius: 0.75rem; }
dl div { display: flex; flex-wrap: wrap; gap: 0 0.75rem; padding: 0.7rem 0; border-bottom: 1px solid var(--line); }
dl div:last-child { border-bottom: 0; }
dt { flex: none; width: max(7.25rem, 32%); min-width: min-content; color: var(--quiet); overflow-wrap: break-word; }
dd { flex: 1 1 11rem; max-width: 100%; margin: 0; overflow-wrap: break-word; font-weight: 600; font-variant-numeric: tabular-nums; }
.amount { display: block; padding: 0.9rem 0; }
.amount dd { font-size: 1.75rem; line-height: 1.25; letter-spacing: -0.015em; font-weight: 700; }
.lead { font-weight: 600; }
p.mark, .things p.mark { display: inline-block; margin: 0; padding: 0 0.6rem; border-radius: 1rem; background: var(--accent); color: var(--on-accent); font-size: 0.9375rem; font-weight: 600; }
.mark + dl { margin-top: 0.4rem; border-color: var(--accent); }
.totals { background: transparent; border-width: 2px; border-color: var(--accent); }
.actions { display: flex; flex-direction: column; gap: 0.75rem; margin: 1.5rem 0 1.25rem; }
button, .button { display: flex; align-items: center; justify-content: center; text-align: center; text-decoration: none; width: 100%; min-height: 3.25rem; padding: 0.6rem 1.25rem; border-radius: 0.625rem; border: 2px solid var(--accent); font: inherit; font-weight: 600; cursor: pointer; background: var(--accent); color: var(--on-accent); }
button.second { background: transparent; color: var(--accent); border-width: 1px; }
button:hover, .button:hover { filter: brightness(1.08); }
button.second:hover { background: var(--soft); filter: none; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 3px; border-radius: 0.625rem; }
.things { margin: 0 0 1.5rem; padding: 0; list-style: none; border: 1px solid var(--line); border-radius: 0.75rem; }
.things li { padding: 0.7rem 1rem; border-bottom: 1px solid var(--line); }
.things li:last-child { border-bottom: 0; }
.things p { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1rem; margin: 0; }
.things span { font-weight: 600; font-variant-numeric: tabular-nums; }
.things .quiet { justify-content: flex-start; }
.things .quiet span { font-weight: 400; }
.code { display: block; width: min(18rem, 100%); height: auto; aspect-ratio: 1; margin: 1.25rem auto; padding: 0.25rem; background: #ffffff; border: 1px solid var(--line); border-radius: 0.75rem; }
progress { width: 100%; height: 0.75rem; accent-color: var(--accent); }
.waiting { display: block; width: 2.5rem; height: 2.5rem; margin: 1.25rem 0; border: 4px solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn 1.2s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .waiting { animation: none; } }
@media (min-width: 40rem) {
  body { background: var(--ground); }
  header { padding: 3rem 0.25rem 0.75rem; }
  main { padding: 2.25rem 2.5rem; margin-bottom: 3rem; background: var(--paper); border: 1px solid var(--line); border-radius: 1rem; }
}
`
