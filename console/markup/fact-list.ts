/** Renders the facts of one thing: names and values. */
import { html } from 'ghtml'

/** Values are markup; facts without a value are left out. */
export function factList(facts: readonly (readonly [name: string, value: string | undefined])[]): string {
  const shown = facts.filter(([, value]) => value !== undefined && value !== '')
  return html`<dl>!${shown.map(([name, value = '']) => html`<div><dt>${name}</dt><dd>!${value}</dd></div>`).join('\n')}</dl>`
}
