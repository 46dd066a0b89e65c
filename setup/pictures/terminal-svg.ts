/** Renders a terminal as an animated SVG: lines appear one after the other; readers who prefer less motion see all at once. */

import { html } from 'ghtml'

/** What is typed, or a comment on what a person does, and what was printed then. */
export type TerminalStep = { readonly typed: string; readonly printed: readonly string[] }

type Colours = {
  readonly background: string
  readonly frame: string
  readonly text: string
  readonly typed: string
  readonly comment: string
}

/** Of the two schemes of a reader's page. */
export const TERMINAL_COLOURS = {
  light: { background: '#ffffff', frame: '#d0d7de', text: '#1f2328', typed: '#0550ae', comment: '#59636e' },
  dark: { background: '#0d1117', frame: '#3d444d', text: '#e6edf3', typed: '#79c0ff', comment: '#9198a1' },
} as const satisfies Readonly<Record<string, Colours>>

const WIDTH = 840
const MARGIN = 20
const LINE_HEIGHT = 19
const CHARACTERS_MAX = 100
const SECONDS_AFTER_TYPED = 0.9
const SECONDS_AFTER_PRINTED = 0.25

export function terminalSvg(steps: readonly TerminalStep[], colours: Colours): string {
  let seconds = 0
  const lines = steps.flatMap(({ typed, printed }) => {
    const kind = typed.startsWith('#') ? 'comment' : 'typed'
    const shown = [{ text: typed.startsWith('#') ? typed : `$ ${typed}`, kind, at: seconds }]
    seconds += SECONDS_AFTER_TYPED
    for (const text of printed) {
      shown.push({ text, kind: 'text', at: seconds })
      seconds += SECONDS_AFTER_PRINTED
    }
    return shown
  })
  const height = 2 * MARGIN + lines.length * LINE_HEIGHT
  const texts = lines.map(({ text, kind, at }, index) => {
    const y = MARGIN + (index + 0.75) * LINE_HEIGHT
    const shown = text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX - 1)}…` : text
    return html`<text x="${MARGIN}" y="${y}" class="${kind}" style="animation-delay:${at.toFixed(2)}s">${shown}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}">
<style>
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; white-space: pre; animation: appear 0.1s both; fill: ${colours.text} }
.typed { fill: ${colours.typed}; font-weight: 600 }
.comment { fill: ${colours.comment} }
@keyframes appear { from { opacity: 0 } to { opacity: 1 } }
@media (prefers-reduced-motion: reduce) { text { animation: none } }
</style>
<rect x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8" fill="${colours.background}" stroke="${colours.frame}"/>
${texts.join('\n')}
</svg>
`
}
