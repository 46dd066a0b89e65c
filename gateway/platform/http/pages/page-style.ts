/** The style sheet of the gateway's own pages: one column, large targets, WCAG AA contrast in light and dark. */
import { PAGE_COLOURS } from './page-colours.ts'

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
dl div { display: grid; grid-template-columns: minmax(min-content, max(7.25rem, 32%)) 1fr; gap: 0 0.75rem; padding: 0.7rem 0; border-bottom: 1px solid var(--line); }
dl div:last-child { border-bottom: 0; }
dt { color: var(--quiet); overflow-wrap: break-word; }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
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
