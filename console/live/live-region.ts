/** Renders the part of a page that lives, for htmx: a browser without scripts shows what was true when it loaded. */
import { html } from 'ghtml'

/** The script that a page with a live part names. */
export const LIVE_SCRIPT_PATH = '/assets/console-live.js'
/** The part of the package that is served, in this order: htmx itself, and its extension for server-sent events. */
export const LIVE_SCRIPT_FILES = ['htmx.org/dist/htmx.min.js', 'htmx.org/dist/ext/hx-sse.min.js'].map(
  (name) => new URL(import.meta.resolve(name)),
)

/** `path` streams the part, which replaces this one where it differs, so that focus and scrolling stay. */
export function liveRegion(path: string, part: string): string {
  return html`<div hx-sse:connect="${path}" hx-swap="innerMorph" aria-live="polite">
!${part}
</div>`
}
