/** Prints what is inside a schema as a list of members, nested as they are. */
import { html } from 'ghtml'
import type { Field, Inside } from './describe-schema.ts'
import { prose } from './inline-code.ts'

/** The members of a body, a query, or the headers. */
export function fieldList({ fields, variants, needs }: Inside): string {
  return [
    fields.length === 0 ? '' : `<ul class="fields">${fields.map(fieldItem).join('')}</ul>`,
    needs.length === 0 ? '' : `<p class="needs">${prose(needsOf(needs))}</p>`,
    ...variants.map(variantPart),
  ].join('')
}

function fieldItem({ name, type, required, description, limits, codes, inside }: Field): string {
  const details = [...limits.map(prose), ...codes.map((code) => html`refused with <code>${code}</code>`)]
  return html`<li>
<p class="field"><code class="name">${name}</code> <span class="type">${type}</span>!${required ? '' : ' <span class="optional">optional</span>'}</p>
<p>!${prose(description)}</p>
!${details.length === 0 ? '' : `<p class="limits">${details.join(' · ')}</p>`}
!${fieldList(inside)}
</li>`
}

function variantPart({ name, description, inside }: Inside['variants'][number]): string {
  return html`<div class="variant">
<p class="field">!${prose(name)}</p>
<p>!${prose(description)}</p>
!${fieldList(inside)}
</div>`
}

function needsOf(needs: Inside['needs']): string {
  const sets = needs.map((names) => names.map((name) => `\`${name}\``).join(', '))
  return `Needs ${sets.join('; or ')}.`
}
