/** Writes the parts of forms: fields with label, hint and problem tied to them, and what is wrong above all of them. */
import { html } from 'ghtml'
import { BUTTON } from './form.ts'

/** What is wrong with a field, in words for whoever filled it in; `label` names the field where it is not in sight. */
export type FieldProblem = { readonly field: string; readonly label: string; readonly message: string }

/** What every field has. */
type Labelled = {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly problems: readonly FieldProblem[]
}

/** A line of text. */
export type TextField = Labelled & {
  readonly value: string
  readonly type?: 'text' | 'email' | 'tel'
  /** What the browser may fill in by itself (HTML, 4.10.18.7); nothing unless told. */
  readonly autocomplete?: string
  readonly inputMode?: 'text' | 'numeric' | 'decimal'
  /** For what is short whatever the screen: dates, shares, postal codes. */
  readonly isShort?: boolean
}

/** One of several. */
export type ChoiceField = Labelled & {
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly label: string; readonly hint?: string }[]
}

export function textField(field: TextField): string {
  const { name, value, type = 'text', autocomplete = 'off', inputMode = 'text', isShort = false } = field
  const typed = type === 'text' ? html`type="text" inputmode="${inputMode}"` : html`type="${type}"`
  return html`<div class="field">
<label for="${idOf(name)}">${field.label}</label>
!${remarks(field)}
<input !${typed} id="${idOf(name)}" name="${name}" value="${value}" autocomplete="${autocomplete}" class="${isShort ? 'short' : ''}" !${describedBy(field)}>
</div>`
}

/** A list that unfolds, for choices that are too many to stand on the page. */
export function selectField(field: ChoiceField): string {
  const { name } = field
  const options = field.choices.map(
    ({ value, label }) => html`<option value="${value}" !${value === field.value ? 'selected' : ''}>${label}</option>`,
  )
  return html`<div class="field">
<label for="${idOf(name)}">${field.label}</label>
!${remarks(field)}
<select id="${idOf(name)}" name="${name}" autocomplete="off" !${describedBy(field)}>!${options.join('')}</select>
</div>`
}

/** Choices that stand on the page; the label of the field is the question. */
export function choiceField(field: ChoiceField): string {
  const { name, value: chosen } = field
  const choices = field.choices.map(({ value, label, hint }, index) => {
    const id = index === 0 ? idOf(name) : `${idOf(name)}-${index}`
    const remark = hint === undefined ? '' : html`<span class="quiet">${hint}</span>`
    return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="${name}" value="${value}" !${chosen === value ? 'checked' : ''}><span>${label}!${remark}</span></label>`
  })
  return html`<fieldset class="field" !${describedBy(field)}>
<legend>${field.label}</legend>
!${remarks(field)}
!${choices.join('')}
</fieldset>`
}

/** A box to tick; ticked, its value is `yes`. */
export function tickField(field: Labelled & { readonly isTicked: boolean }): string {
  const { name } = field
  return html`<div class="field">
!${remarks(field)}
<label class="choice" for="${idOf(name)}"><input type="checkbox" id="${idOf(name)}" name="${name}" value="yes" !${field.isTicked ? 'checked' : ''} !${describedBy(field)}><span>${field.label}</span></label>
</div>`
}

/** Above everything else, with the focus, so that nobody has to look for what is wrong; each line leads to its field. */
export function problemSummary(title: string, problems: readonly FieldProblem[]): string {
  if (problems.length === 0) {
    return ''
  }
  const items = problems.map(
    ({ field, label, message }) => html`<li><a href="#${idOf(field)}">${headed(label, message)}</a></li>`,
  )
  return html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>${title}</h2>
<ul>!${items.join('')}</ul>
</div>`
}

function headed(label: string, message: string): string {
  return `${label}${label.endsWith('?') ? '' : ':'} ${message}`
}

/** What Enter presses in a field: the first button of a form, which would otherwise be that of a row. */
export function enterButton(label: string): string {
  return html`<button type="submit" hidden>${label}</button>`
}

/** A button that does something else than going on, and sends all fields along: nothing that was typed is lost. */
export function actionButton(action: string, label: string, look: 'second' | 'plain' = 'second'): string {
  return html`<button type="submit" name="${BUTTON}" value="${action}" class="${look}">${label}</button>`
}

function remarks({ name, hint, problems }: Labelled): string {
  const own = problems.filter(({ field }) => field === name).map(({ message }) => message)
  const hintMarkup = hint === undefined ? '' : html`<p class="quiet" id="${idOf(name)}-hint">${hint}</p>`
  return own.length === 0
    ? hintMarkup
    : html`!${hintMarkup}<p class="problem" id="${idOf(name)}-problem">${own.join(' ')}</p>`
}

function describedBy({ name, hint, problems }: Labelled): string {
  const isWrong = problems.some(({ field }) => field === name)
  const ids = [...(hint === undefined ? [] : ['hint']), ...(isWrong ? ['problem'] : [])]
  const described = ids.length === 0 ? '' : html`aria-describedby="${ids.map((id) => `${idOf(name)}-${id}`).join(' ')}"`
  return isWrong ? `${described} aria-invalid="true"` : described
}

function idOf(name: string): string {
  return `field-${name.replaceAll('.', '-')}`
}
