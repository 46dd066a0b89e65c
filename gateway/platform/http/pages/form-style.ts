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
