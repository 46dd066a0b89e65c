/** Renders form fields with their label, help text and error, and the error summary above them. */
import { html } from 'ghtml'
import { ACTION_FIELD } from './form.ts'

/** An error of a field, in words for the user; `label` names the field where it is not visible. */
export type FieldError = { readonly field: string; readonly label: string; readonly message: string }

/** Properties of every field. */
type Labelled = {
  readonly name: string
  readonly label: string
  readonly hint?: string | undefined
  readonly validationErrors: readonly FieldError[]
}

/** A single-line text field. */
export type TextField = Labelled & {
  readonly value: string
  readonly type?: 'text' | 'email' | 'tel'
  /** The autocomplete token (HTML, 4.10.18.7); off by default. */
  readonly autocomplete?: string
  readonly inputMode?: 'text' | 'numeric' | 'decimal'
  /** For values that are short on any screen: dates, shares, postal codes. */
  readonly isShort?: boolean
}

/** A choice of one option. */
export type ChoiceField = Labelled & {
  readonly value: string
  readonly choices: readonly { readonly value: string; readonly label: string; readonly hint?: string }[]
}

export function textField(field: TextField): string {
  const { name, value, type = 'text', autocomplete = 'off', inputMode = 'text', isShort = false } = field
  const typed = type === 'text' ? html`type="text" inputmode="${inputMode}"` : html`type="${type}"`
  return html`<div class="field">
<label for="${idOf(name)}">${field.label}</label>
!${hintAndErrors(field)}
<input !${typed} id="${idOf(name)}" name="${name}" value="${value}" autocomplete="${autocomplete}" class="${isShort ? 'short' : ''}" !${describedBy(field)}>
</div>`
}

/** A select list, for choices that are too many for radio buttons. */
export function selectField(field: ChoiceField): string {
  const { name } = field
  const options = field.choices.map(
    ({ value, label }) => html`<option value="${value}" !${value === field.value ? 'selected' : ''}>${label}</option>`,
  )
  return html`<div class="field">
<label for="${idOf(name)}">${field.label}</label>
!${hintAndErrors(field)}
<select id="${idOf(name)}" name="${name}" autocomplete="off" !${describedBy(field)}>!${options.join('')}</select>
</div>`
}

/** Radio buttons; the label of the field is the question. */
export function radioField(field: ChoiceField): string {
  const { name, value: chosen } = field
  const choices = field.choices.map(({ value, label, hint }, index) => {
    const id = index === 0 ? idOf(name) : `${idOf(name)}-${index}`
    const remark = hint === undefined ? '' : html`<span class="quiet">${hint}</span>`
    return html`<label class="choice" for="${id}"><input type="radio" id="${id}" name="${name}" value="${value}" !${chosen === value ? 'checked' : ''}><span>${label}!${remark}</span></label>`
  })
  return html`<fieldset class="field" !${describedBy(field)}>
<legend>${field.label}</legend>
!${hintAndErrors(field)}
!${choices.join('')}
</fieldset>`
}

/** A checkbox; when checked, its value is `yes`. */
export function checkboxField(field: Labelled & { readonly isTicked: boolean }): string {
  const { name } = field
  return html`<div class="field">
!${hintAndErrors(field)}
<label class="choice" for="${idOf(name)}"><input type="checkbox" id="${idOf(name)}" name="${name}" value="yes" !${field.isTicked ? 'checked' : ''} !${describedBy(field)}><span>${field.label}</span></label>
</div>`
}

/** The error summary, above everything else and focused; each line links to its field. */
export function errorSummary(title: string, validationErrors: readonly FieldError[]): string {
  if (validationErrors.length === 0) {
    return ''
  }
  const items = validationErrors.map(
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

/** The default button, which Enter presses: otherwise it would be the first button of a row. */
export function enterButton(label: string): string {
  return html`<button type="submit" hidden>${label}</button>`
}

/** A button with another action than continuing; it submits all fields, so that no input is lost. */
export function actionButton(action: string, label: string, look: 'second' | 'plain' = 'second'): string {
  return html`<button type="submit" name="${ACTION_FIELD}" value="${action}" class="${look}">${label}</button>`
}

function hintAndErrors({ name, hint, validationErrors }: Labelled): string {
  const own = validationErrors.filter(({ field }) => field === name).map(({ message }) => message)
  const hintMarkup = hint === undefined ? '' : html`<p class="quiet" id="${idOf(name)}-hint">${hint}</p>`
  return own.length === 0
    ? hintMarkup
    : html`!${hintMarkup}<p class="problem" id="${idOf(name)}-problem">${own.join(' ')}</p>`
}

function describedBy({ name, hint, validationErrors }: Labelled): string {
  const isWrong = validationErrors.some(({ field }) => field === name)
  const ids = [...(hint === undefined ? [] : ['hint']), ...(isWrong ? ['problem'] : [])]
  const described = ids.length === 0 ? '' : html`aria-describedby="${ids.map((id) => `${idOf(name)}-${id}`).join(' ')}"`
  return isWrong ? `${described} aria-invalid="true"` : described
}

function idOf(name: string): string {
  return `field-${name.replaceAll('.', '-')}`
}
