/** The style sheet of the documentation pages: two columns, light and dark, print. */
export const DOCS_STYLE = `
:root {
  --ink: #16242f; --paper: #ffffff; --ground: #f4f8fa; --line: #d5e0e6; --quiet: #4a5d6a; --accent: #0b5a73; --focus: #b45309;
  --key: #0b5a73; --text: #1c6b2f; --literal: #9a3412; --remark: #546673; --word: #6d28a8;
  --get: #0b5a73; --post: #1c6b2f; --delete: #a11c1c; --patch: #8a4b08;
  color-scheme: light dark;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e6edf1; --paper: #111c24; --ground: #18262f; --line: #2e4250; --quiet: #a9bac6; --accent: #7cc7de; --focus: #fbbf24;
    --key: #7cc7de; --text: #9fd8a4; --literal: #f3b08a; --remark: #9db0bd; --word: #d0b3f5;
    --get: #7cc7de; --post: #9fd8a4; --delete: #f4a3a3; --patch: #f0c184;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; overflow-wrap: break-word; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 0.25rem; }
p, ul, ol, dl, pre { margin: 0 0 1rem; }
code, pre { font-family: ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, "Noto Sans Mono", monospace; font-size: 0.875em; }
code { overflow-wrap: anywhere; }
pre { padding: 0.875rem 1rem; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; white-space: pre-wrap; font-size: 0.8125rem; line-height: 1.55; tab-size: 2; }
pre code { font-size: inherit; }
pre .key { color: var(--key); } pre .text { color: var(--text); } pre .literal { color: var(--literal); } pre .remark { color: var(--remark); } pre .word { color: var(--word); }
.skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 1rem; background: var(--paper); z-index: 2; }
.skip:focus { top: 0.5rem; }
.top { position: sticky; top: 0; z-index: 1; display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: 0 1.25rem; min-height: 3.5rem; background: var(--paper); border-bottom: 1px solid var(--line); }
.brand { display: flex; align-items: center; gap: 0.5rem; margin: 0; color: var(--accent); font-weight: 700; font-size: 1.0625rem; letter-spacing: -0.01em; }
.brand svg { width: 1.5rem; height: 1.5rem; flex: none; }
summary { cursor: pointer; }
.button { display: flex; align-items: center; min-height: 2.75rem; padding: 0 1rem; border: 1px solid var(--line); border-radius: 0.5rem; font-weight: 600; text-decoration: none; }
nav { display: none; }
nav:target { display: block; position: fixed; inset: 0; z-index: 3; overflow-y: auto; padding: 0 1.25rem 3rem; background: var(--paper); }
nav .close { position: sticky; top: 0.375rem; width: max-content; margin: 0.375rem 0 0 auto; background: var(--paper); }
nav p { margin: 1.25rem 0 0.25rem; font-size: 0.8125rem; font-weight: 700; color: var(--quiet); }
nav p a { color: inherit; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav :is(p, li) a { display: flex; align-items: baseline; gap: 0.5rem; padding: 0.6rem 0; text-decoration: none; }
nav li a { color: var(--ink); font-size: 0.9375rem; line-height: 1.4; }
nav :is(p, li) a:hover { color: var(--accent); text-decoration: underline; }
.verb { flex: none; width: 3.25rem; font: 600 0.6875rem/1.4 ui-monospace, Menlo, Consolas, monospace; }
.get { color: var(--get); } .post { color: var(--post); } .delete { color: var(--delete); } .patch { color: var(--patch); }
main { min-width: 0; padding: 1.5rem 1.25rem 5rem; }
h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.015em; text-wrap: balance; margin: 0; }
h1 { font-size: 2rem; }
h2 { font-size: 1.5rem; margin-bottom: 0.75rem; }
h3 { font-size: 1.1875rem; margin: 0 0 0.5rem; }
h4 { font-size: 0.9375rem; letter-spacing: 0; margin: 1.75rem 0 0.5rem; padding-bottom: 0.35rem; border-bottom: 1px solid var(--line); }
h2 a, h3 a { color: inherit; text-decoration: none; }
h2 a:hover, h3 a:hover { text-decoration: underline; }
.lead { font-size: 1.125rem; color: var(--quiet); max-width: 40rem; margin-top: 0.75rem; text-wrap: pretty; }
.guide, .group { padding-top: 2.5rem; margin-top: 2.5rem; border-top: 1px solid var(--line); }
.guide > h3 { margin-top: 1.75rem; }
.guide li { margin-bottom: 0.5rem; }
.guide p, .guide li, .about p { text-wrap: pretty; }
.operation { padding-top: 2.5rem; }
.operation + .operation { margin-top: 2.5rem; border-top: 1px solid var(--line); }
.operation:target h3 a, .guide:target h2 a, .group:target > h2 a { text-decoration: underline; text-decoration-color: var(--accent); text-decoration-thickness: 3px; }
.call { display: flex; align-items: baseline; gap: 0.6rem; padding: 0.5rem 0.75rem; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; }
.method { font: 700 0.8125rem/1.6 ui-monospace, Menlo, Consolas, monospace; }
.fields, .fields ul { list-style: none; padding: 0; margin: 0; }
.fields > li { padding: 0.65rem 0; border-bottom: 1px solid var(--line); }
.fields > li:last-child { border-bottom: 0; }
.fields .fields, .variant .fields { margin: 0.35rem 0 0; padding-left: 0.9rem; border-left: 2px solid var(--line); }
.fields p { margin: 0; font-size: 0.9375rem; line-height: 1.5; }
.fields .field { font-size: 1rem; }
.name { font-weight: 600; color: var(--ink); }
.type, .optional { color: var(--quiet); font-size: 0.875rem; }
.optional::before { content: "· "; }
.fields .limits { color: var(--quiet); font-size: 0.875rem; }
.fields .needs, .needs { font-size: 0.9375rem; margin: 0.5rem 0 0; }
.variant { margin: 0.6rem 0 0.25rem; padding: 0.6rem 0.9rem 0.25rem; background: var(--ground); border: 1px solid var(--line); border-radius: 0.5rem; }
.variant .field { font-weight: 600; }
.status { font: 600 0.8125rem/1 ui-monospace, Menlo, Consolas, monospace; padding: 0.15rem 0.4rem; border: 1px solid var(--line); border-radius: 0.3rem; background: var(--ground); }
dl div { padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
dl div:last-child { border-bottom: 0; }
dt { font-weight: 600; }
dd { margin: 0; font-size: 0.9375rem; }
.errors dt { font-weight: 400; }
.examples { margin-top: 1.5rem; min-width: 0; }
.example { margin: 0 0 0.5rem; color: var(--quiet); font-size: 0.875rem; }
pre + .example, details + .example { margin-top: 1.5rem; }
.examples summary { min-height: 2rem; font-size: 0.875rem; font-weight: 600; padding: 0.25rem 0; }
.examples pre { margin-bottom: 0.75rem; }
.table { overflow-x: auto; margin: 0 0 1rem; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { text-align: left; vertical-align: top; padding: 0.6rem 0.75rem 0.6rem 0; border-bottom: 1px solid var(--line); }
td ul { list-style: none; margin: 0; padding: 0; }
td li, .guide td li { margin: 0; }
.document > h2 { padding-top: 2.5rem; margin-top: 2.5rem; border-top: 1px solid var(--line); }
.document > h3 { margin: 2rem 0 0.75rem; }
.document h1 a { color: inherit; text-decoration: none; }
.document > h1 { margin-bottom: 1rem; }
.document > :is(p, ul, ol, pre) { max-width: 46rem; }
.document li { margin-bottom: 0.5rem; }
.rows code { overflow-wrap: break-word; }
@media (max-width: 63.99rem) {
  .rows, .rows tbody, .rows tr, .rows td { display: block; }
  .rows thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .rows tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  .rows td { padding: 0.1rem 0; border: 0; overflow-wrap: anywhere; }
  .rows td:empty { display: none; }
  .rows td::before { content: attr(data-column) ": "; color: var(--quiet); }
}
@media (min-width: 40rem) {
  dl div { display: grid; grid-template-columns: minmax(12rem, 16rem) 1fr; gap: 0 1rem; }
  .guide > :is(p, ul, ol, dl, pre, .table), .group > p { max-width: 44rem; }
  main { padding: 2.5rem 2.5rem 6rem; }
}
@media (min-width: 64rem) {
  .top { position: static; padding: 0; min-height: 0; border: 0; background: none; }
  .brand { position: fixed; z-index: 2; left: 0; top: 0; width: calc(17rem - 1px); padding: 1.1rem 1.5rem 0.75rem; background: var(--ground); }
  .button { display: none; }
  .frame { display: grid; grid-template-columns: 17rem minmax(0, 1fr); }
  nav, nav:target { display: block; position: sticky; inset: 0 auto auto 0; z-index: 1; height: 100dvh; overflow-y: auto; padding: 3.25rem 1.25rem 2rem 1.5rem; background: var(--ground); border-right: 1px solid var(--line); }
  nav :is(p, li) a { padding: 0.25rem 0; }
  html { scroll-padding-top: 1rem; }
  main { padding: 3rem; max-width: 88rem; }
}
@media (min-width: 75rem) {
  .operation { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 26rem); gap: 0 2.5rem; }
  .examples { position: sticky; top: 1rem; align-self: start; max-height: calc(100dvh - 2rem); overflow-y: auto; margin-top: 0; }
  .about dl div { grid-template-columns: minmax(0, 11rem) 1fr; }
}
@media print {
  .top, nav, .skip { display: none; }
  .frame, .operation { display: block; }
  .examples { position: static; max-height: none; overflow: visible; margin-top: 1.5rem; }
  details::details-content { content-visibility: visible; display: block; }
  pre, .fields > li, dl div, tr { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  a { color: inherit; text-decoration: none; }
}
`
