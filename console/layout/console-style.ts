/** The style sheet of the console: navigation at the side, tables that become cards on a phone, light and dark. */
import { PAGE_COLOURS } from '../../gateway/platform/http/pages/page-style.ts'

/** The path of the style sheet. */
export const CONSOLE_STYLE_PATH = '/assets/console.css'

/** In a column narrower than this, tables become cards; `of` selects those with many columns. */
const cardsIn = (width: string, of: string) => `@container (width < ${width}) {
  table${of}, table${of} :is(tbody, td) { display: block; }
  table${of} thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  table${of} tr { display: flex; flex-wrap: wrap; align-items: center; gap: 0.125rem 0.75rem; padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  table${of} td, table${of} td.number { flex: 1 0 100%; max-width: 100%; padding: 0; border: 0; text-align: left; white-space: normal; }
  table${of} td.lead, table${of} td.number.lead { flex: 0 1 auto; order: -1; font-size: 1.0625rem; font-weight: 600; }
  table${of} td .clamped { display: inline; font-weight: 400; }
  table${of} td .token { max-width: 100%; }
  table${of} td:empty { display: none; }
  table${of} td::before { content: attr(data-column) ": "; color: var(--quiet); }
  table${of} td.action::before, table${of} td.lead::before { content: none; }
  table${of} .in-card { display: inline; }
}
`

/** Begins with the colours. */
export const CONSOLE_STYLE = `${PAGE_COLOURS}
:root { --chart-settled: #0b5a73; --chart-signed: #3f93ad; --chart-unsigned: #a8701a; --chart-rejected: #b42318; }
@media (prefers-color-scheme: dark) {
  :root { --chart-settled: #7cc7de; --chart-signed: #3f8ba4; --chart-unsigned: #d9a441; --chart-rejected: #fda29b; }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 0.375rem; }
h1 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -0.015em; margin: 0 0 0.75rem; text-wrap: balance; }
h2 { font-size: 1.1875rem; line-height: 1.3; margin: 2rem 0 0.75rem; }
p { margin: 0 0 1rem; text-wrap: pretty; }
code { font: 0.875em ui-monospace, "SF Mono", Consolas, monospace; }
time { white-space: nowrap; }
.quiet { color: var(--quiet); font-size: 0.9375rem; }
.skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 1rem; background: var(--paper); z-index: 4; }
.skip:focus { top: 0.5rem; }
.top { position: sticky; top: 0; z-index: 2; display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 0 1.25rem; min-height: 3.5rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 0.5rem; margin: 0; color: var(--accent); font-weight: 700; font-size: 1.0625rem; letter-spacing: -0.01em; }
.brand svg { width: 1.5rem; height: 1.5rem; flex: none; }
.badge { margin: 0 0 1rem; padding: 0.375rem 0.625rem; border: 1px solid var(--accent); border-radius: 0.5rem; background: var(--soft); font-size: 0.8125rem; line-height: 1.35; }
nav#navigation { display: none; }
nav#navigation:target { display: block; position: fixed; inset: 0; z-index: 3; overflow-y: auto; padding: 0 1.25rem 2rem; background: var(--paper); }
nav#navigation .close { position: sticky; top: 0.375rem; width: max-content; margin: 0.375rem 0 1rem auto; background: var(--paper); }
nav#navigation ul { list-style: none; margin: 0 0 1rem; padding: 0; }
nav#navigation .group { margin: 0 0 0.25rem; padding: 0 0.75rem; color: var(--quiet); font-size: 0.8125rem; font-weight: 600; }
nav#navigation li a { display: flex; align-items: center; min-height: 2.75rem; padding: 0 0.75rem; border-radius: 0.5rem; color: var(--ink); text-decoration: none; }
nav#navigation li a:hover { background: var(--soft); text-decoration: underline; }
nav#navigation li a[aria-current] { background: var(--soft); color: var(--accent); font-weight: 700; }
.search { position: relative; display: flex; gap: 0.5rem; min-width: 0; padding: 0.75rem 1.25rem 0; }
.search input::placeholder { color: var(--quiet); opacity: 1; }
.search input { flex: 1; min-width: 0; min-height: 2.75rem; padding: 0.375rem 0.625rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--paper); color: var(--ink); font: inherit; text-overflow: ellipsis; }
.account { position: relative; margin-left: auto; min-width: 0; font-size: 0.9375rem; }
.account summary { display: flex; align-items: center; padding: 0 0.5rem; white-space: nowrap; overflow: hidden; text-overflow: ellipsis; }
.account summary::after { content: "▾"; margin-left: 0.375rem; }
.account div { position: absolute; right: 0; z-index: 2; width: max-content; max-width: 18rem; padding: 1rem; background: var(--paper); border: 1px solid var(--line); border-radius: 0.75rem; box-shadow: 0 0.25rem 1rem rgb(0 0 0 / 15%); }
.account p { display: flex; flex-direction: column; font-size: 0.875rem; line-height: 1.4; color: var(--quiet); }
main { container-type: inline-size; min-width: 0; padding: 1.5rem 1.25rem 4rem; }
.single main { max-width: 40rem; margin: 0 auto; }
button, .button { display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.25rem 1rem; border-radius: 0.5rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { filter: brightness(1.08); }
button.second, .button.second { background: transparent; color: var(--accent); }
button.second:hover, .button.second:hover { background: var(--soft); filter: none; }
.actions { display: flex; flex-wrap: wrap; gap: 0.75rem; margin: 1.5rem 0; }
.choices { display: grid; gap: 0.75rem; margin: 0 0 1.5rem; }
.choices button { flex-direction: column; align-items: flex-start; padding: 0.625rem 1rem; text-align: left; border-color: var(--line); background: var(--soft); color: var(--ink); }
.choices button span { color: var(--quiet); font-weight: 400; font-size: 0.9375rem; }
.choices button:hover { border-color: var(--accent); filter: none; }
.notice { margin: 0 0 1.5rem; padding: 0.875rem 1.125rem; border: 1px solid var(--accent); border-radius: 0.75rem; background: var(--soft); }
.notice > :last-child { margin-bottom: 0; }
dl { margin: 0 0 1.5rem; padding: 0.25rem 1rem; background: var(--soft); border: 1px solid var(--line); border-radius: 0.75rem; }
dl div { display: grid; grid-template-columns: minmax(7rem, 30%) 1fr; gap: 0 0.75rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
dl div:last-child { border-bottom: 0; }
dd dl { margin: 0; padding: 0 0 0 0.75rem; background: none; border: 0; border-left: 2px solid var(--line); border-radius: 0; }
dd dd dl div { display: block; }
dd ul { margin: 0; padding: 0 0 0 1.125rem; }
dt { color: var(--quiet); }
dd { margin: 0; font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: 0.5rem 0.75rem 0.5rem 0; border-bottom: 1px solid var(--line); }
table.wide { font-size: 0.875rem; }
table.wide :is(th, td) { padding-right: 0.625rem; }
th { color: var(--quiet); font-weight: 600; font-size: 0.875rem; }
tbody td { vertical-align: middle; }
td.number, th.number { text-align: right; white-space: nowrap; }
table { overflow-wrap: break-word; }
td time { white-space: normal; }
td .copyable code { white-space: nowrap; }
.clamped { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 3; overflow: hidden; min-width: 8rem; font-size: 0.875rem; line-height: 1.4; }
td p { margin: 0; }
td button { white-space: nowrap; }
td .buttons { flex-wrap: nowrap; }
.token { display: inline-block; max-width: 100%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom; }
td .token { max-width: 9rem; }
.token a { display: block; overflow: hidden; text-overflow: ellipsis; }
td:has(.meaning) { min-width: 16rem; }
table.wide td:has(.meaning) { min-width: 14rem; }
.id { display: inline-flex; align-items: center; white-space: nowrap; }
.id a { display: inline-flex; align-items: center; min-height: 1.5rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.empty { padding: 1.5rem 1rem; border: 1px dashed var(--line); border-radius: 0.75rem; color: var(--quiet); text-align: center; }
.filters { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; margin: 0 0 1.5rem; }
.field { flex: 1 1 11rem; max-width: 20rem; }
.field label { display: block; margin: 0 0 0.25rem; font-size: 0.875rem; font-weight: 600; }
.field.buttons { display: flex; flex-wrap: wrap; align-items: flex-end; align-self: flex-start; flex: 1 0 auto; gap: 0.5rem; max-width: none; padding-top: 1.625rem; }
.field input, .field select, .field textarea { width: 100%; min-height: 2.75rem; padding: 0.375rem 0.625rem; border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--paper); color: var(--ink); font: inherit; }
.field [aria-invalid=true] { border: 2px solid var(--wrong); }
.form { max-width: 32rem; }
.form .field { max-width: none; margin: 0 0 1rem; }
main form > .error { margin-bottom: 1rem; }
fieldset { margin: 0 0 1rem; padding: 0; border: 0; }
legend { padding: 0; margin: 0 0 0.25rem; font-size: 0.875rem; font-weight: 600; }
.choice { display: flex; align-items: center; gap: 0.625rem; min-height: 2.75rem; }
.types { flex: 1 1 100%; columns: 18rem; }
.types > * { break-inside: avoid; }
.types legend { column-span: all; }
.in-card { display: none; }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; accent-color: var(--accent); }
.buttons { display: flex; flex-wrap: wrap; gap: 0.5rem; }
.link { padding: 0.75rem; border: 1px dashed var(--edge); border-radius: 0.5rem; font: 0.9375rem/1.4 ui-monospace, "SF Mono", Consolas, monospace; user-select: all; }
.error { margin: 0.25rem 0 0; color: var(--wrong); font-size: 0.875rem; font-weight: 600; }
.hint { margin: 0.25rem 0 0; color: var(--quiet); font-size: 0.8125rem; line-height: 1.35; }
pre { margin: 0; padding: 1rem; overflow-x: auto; background: var(--soft); border: 1px solid var(--line); border-radius: 0.75rem; font: 0.875rem/1.5 ui-monospace, "SF Mono", Consolas, monospace; }
.field.wide { flex: 2 1 22rem; max-width: 40rem; }
.actions form { margin: 0; }
.row { display: flex; flex-wrap: wrap; gap: 0.5rem; margin: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.75rem; list-style: none; margin: 0 0 1.5rem; padding: 0; }
.tile a { display: flex; flex-direction: column; gap: 0.25rem; height: 100%; padding: 1rem; background: var(--soft); border: 1px solid var(--line); border-radius: 0.75rem; color: var(--ink); text-decoration: none; }
.tile a:hover { border-color: var(--accent); }
.tile strong { font-size: 1.625rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.steps li { padding: 0.25rem 0; }
.steps .done { color: var(--quiet); }
.steps .row, .steps .copyable { margin: 0.5rem 0; }
.steps .copyable { align-items: flex-start; }
button.switch[aria-pressed=true] { border-color: var(--wrong); background: var(--wrong-ground); color: var(--wrong); font-weight: 700; }
.copyable { display: inline-flex; flex-wrap: wrap; align-items: center; gap: 0.375rem 0.75rem; max-width: 100%; }
div.copyable { display: flex; }
.copyable pre { flex: 1 1 20rem; min-width: 0; }
.copyable code { overflow-wrap: anywhere; }
.copy { display: none; }
.scripted .copy { display: inline-flex; min-height: 2.75rem; min-width: 2.75rem; padding: 0 0.75rem; font-size: 0.875rem; }
.scripted .id .copy { margin: -0.75rem 0; padding: 0; border: 0; color: var(--quiet); }
.id .copy { position: relative; }
.id .copy svg { width: 1rem; height: 1rem; }
.id .copied svg { fill: currentColor; }
.scripted .actions .copy { min-height: 2.75rem; padding: 0.25rem 1rem; font-size: inherit; }
.delivery { margin: 0 0 1.5rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-radius: 0.75rem; }
.delivery h3 { margin: 0; font-size: 1.0625rem; overflow-wrap: anywhere; }
.delivery h4 { margin: 0.75rem 0 0.25rem; font-size: 0.875rem; }
.status { display: inline-block; padding: 0 0.5rem; border: 1px solid var(--line); border-radius: 0.5rem; background: var(--soft); font-size: 0.9375rem; }
.status.failed { border-color: var(--wrong); background: var(--wrong-ground); color: var(--wrong); }
.status.done { border-color: var(--accent); color: var(--accent); }
.chart { display: block; width: 100%; height: auto; margin: 0 0 1rem; color: var(--quiet); font-size: 12px; }
.chart.narrow { display: none; }
.legend { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; list-style: none; margin: 0 0 0.5rem; padding: 0; font-size: 0.9375rem; }
.swatch { display: inline-block; width: 0.875rem; height: 0.875rem; border-radius: 0.1875rem; vertical-align: -0.0625rem; }
.swatch.settled { background: var(--chart-settled); }
.swatch.signed { background: var(--chart-signed); }
.swatch.unsigned { background: var(--chart-unsigned); }
.swatch.rejected { background: var(--chart-rejected); }
summary { min-height: 2.75rem; padding: 0.5rem 0; color: var(--accent); cursor: pointer; }
.timeline { list-style: none; margin: 0; padding: 0 0 0 1rem; border-left: 2px solid var(--line); }
.timeline li { display: grid; grid-template-columns: 11rem 1fr; gap: 0 1rem; padding: 0.5rem 0; }
.timeline time { color: var(--quiet); font-size: 0.9375rem; font-variant-numeric: tabular-nums; }
.timeline p { margin: 0; }
.zone { display: block; font-size: 0.75rem; font-weight: 400; }
.meaning { display: block; color: var(--quiet); font-size: 0.875rem; }
.timeline .meaning { display: inline; }
.timeline .meaning::before { content: " – "; }
.progress { margin: 0 0 1.5rem; }
.progress label { display: block; margin: 0 0 0.375rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.progress progress { display: block; width: 100%; height: 0.75rem; border: 1px solid var(--edge); border-radius: 0.5rem; overflow: hidden; appearance: none; background: var(--soft); }
.progress progress::-webkit-progress-bar { background: var(--soft); }
.progress progress::-webkit-progress-value { background: var(--accent); }
.progress progress::-moz-progress-bar { background: var(--accent); }
.progress p { margin: 0.375rem 0 0; }
.progress p:empty { display: none; }
@media (max-width: 47.99rem) {
  .chart.wide { display: none; }
  .chart.narrow { display: block; }
  .timeline li { grid-template-columns: 1fr; }
  dl div { grid-template-columns: 1fr; }
}
${cardsIn('48rem', '')}${cardsIn('58rem', '.wide')}@media (min-width: 48rem) {
  @supports selector(::details-content) {
    .foldable > summary { display: none; }
    .foldable::details-content { content-visibility: visible; display: block; }
  }
}
@media (min-width: 64rem) {
  .frame { display: grid; grid-template-columns: 14rem minmax(0, 1fr); grid-template-rows: auto 1fr; }
  .frame > .search { padding: 1.25rem 2rem 0; max-width: 45rem; }
  .top .button { display: none; }
  nav#navigation, nav#navigation:target { grid-row: 1 / span 2; display: block; position: sticky; inset: 3.5rem auto auto 0; z-index: 1; height: calc(100dvh - 3.5rem); overflow-y: auto; padding: 1rem 1.25rem; background: var(--ground); border-right: 1px solid var(--line); }
  nav#navigation .close { display: none; }
  nav#navigation ul { margin-bottom: 0.5rem; }
  nav#navigation #group-developers:has(~ ul [aria-current]) { scroll-initial-target: nearest; }
  nav#navigation li a { min-height: 1.625rem; font-size: 0.9375rem; }
  main { padding: 2rem 2rem 4rem; max-width: 92rem; }
}
@media print { .top, nav#navigation, .search, .skip { display: none; } .frame { display: block; } }
`
