/** Renders the fields of a schema as a nested list. */
import { html } from 'ghtml'
import type { FieldDescription, SchemaDescription } from './describe-schema.ts'

/** The fields of a body, a query or the headers. */
export function fieldList({ fields, variants, needs }: SchemaDescription): string {
  return [
    fields.length === 0 ? '' : `<ul class="fields">${fields.map(fieldItem).join('')}</ul>`,
    needs.length === 0 ? '' : `<p class="needs">${renderInlineCode(needsOf(needs))}</p>`,
    ...variants.map(variantPart),
  ].join('')
}

function fieldItem({ name, type, required, description, limits, codes, inside }: FieldDescription): string {
  const details = [...limits.map(renderInlineCode), ...codes.map((code) => html`error <code>${code}</code>`)]
  return html`<li>
<p class="field"><code class="name">${name}</code> <span class="type">${type}</span>!${required ? '' : ' <span class="optional">optional</span>'}</p>
<p>!${renderInlineCode(description)}</p>
!${details.length === 0 ? '' : `<p class="limits">${details.join(' · ')}</p>`}
!${fieldList(inside)}
</li>`
}

function variantPart({ name, description, inside }: SchemaDescription['variants'][number]): string {
  return html`<div class="variant">
<p class="field">!${renderInlineCode(name)}</p>
<p>!${renderInlineCode(description)}</p>
!${fieldList(inside)}
</div>`
}

function needsOf(needs: SchemaDescription['needs']): string {
  const sets = needs.map((names) => names.map((name) => `\`${name}\``).join(', '))
  return `Requires ${sets.join('; or ')}.`
}

/** The text as HTML. */
export function renderInlineCode(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? html`${part}` : html`<code>${part}</code>`))
    .join('')
}
