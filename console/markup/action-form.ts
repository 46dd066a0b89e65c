/** Renders forms of actions, and carries the actions out: what is rejected is shown in the form, with what was entered. */
import { html } from 'ghtml'
import { ApiError } from '../../gateway/platform/http/errors/api-error.ts'
import type { Form } from '../../gateway/platform/http/pages/form.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { newId } from '../../gateway/platform/ids.ts'
import type { ActionOutcome } from './notice.ts'
import { seenField } from './seen-state.ts'

/** One of the values to choose from. */
export type Choice = { readonly value: string; readonly label: string }

export function optionsOf(choices: readonly Choice[], chosen: string): string {
  return choices
    .map(({ value, label }) => html`<option value="${value}"!${value === chosen ? ' selected' : ''}>${label}</option>`)
    .join('')
}

export type ActionField = {
  readonly name: string
  readonly label: string
  readonly hint?: string
  /** A text of one line unless given. */
  readonly type?: 'textarea' | 'date' | 'checkbox'
  /** The values to choose from. */
  readonly choices?: readonly Choice[]
  readonly value?: string
  readonly isOptional?: true
  /** Why what was entered is rejected. */
  readonly error?: string | undefined
}

type ActionForm = {
  readonly path: string
  readonly button: string
  readonly fields: readonly ActionField[]
  /** The token of the session's cookie. */
  readonly token: string
  /** What the user sees, which the action compares with what is true by then. */
  readonly seen?: string
  /** Whether the fields stand in a row with the button, as filters do, and not below each other. */
  readonly isRow?: true
  /** Whether it is not what the user most likely came for. */
  readonly isSecondary?: true
}

/** A form that is one button. */
type ButtonForm = {
  readonly path: string
  readonly label: string
  /** Of the session's cookie. */
  readonly token: string
  /** Hidden fields. */
  readonly fields?: Readonly<Record<string, string>>
  /** What is read aloud in place of the label, where several buttons have the same one. */
  readonly description?: string
  /** Whether it is what the user most likely came for. */
  readonly isPrimary?: true
  /** Whether it stands by itself below a text, and not in a cell or next to other buttons. */
  readonly isBlock?: true
}

export function hiddenFields(fields: readonly (readonly [name: string, value: string])[]): string {
  return fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`).join('')
}

/** Distinguishes a click on a page that was loaded again from the second of two clicks on one page, which does nothing more. */
export function renderedField(): string {
  return hiddenFields([['rendered', newId()]])
}

export function buttonForm({ path, label, token, fields = {}, description, isPrimary, isBlock }: ButtonForm): string {
  const spoken = description === undefined ? '' : html`aria-label="${description}"`
  return html`<form class="${isBlock ? 'actions' : ''}" method="post" action="${path}">!${tokenField(token)}!${renderedField()}!${hiddenFields(Object.entries(fields))}<button class="${isPrimary ? '' : 'second'}" !${spoken}>${label}</button></form>`
}

/** `entered` fills the fields again after a rejection. */
export function actionForm(form: ActionForm, entered?: Form): string {
  const { path, button: label, fields, token, seen, isRow, isSecondary } = form
  const prefix = path.split('/').at(-1) ?? ''
  const button = html`<button class="${isSecondary ? 'second' : ''}">${label}</button>`
  return html`<form class="${isRow ? 'filters' : 'form'}" method="post" action="${path}">
!${tokenField(token)}!${renderedField()}!${seen === undefined ? '' : seenField(seen)}
!${fields.map((field) => fieldOf(field, `${prefix}-${field.name}`, entered)).join('\n')}
!${isRow ? html`<div class="field buttons">!${button}</div>` : html`<p class="actions">!${button}</p>`}
</form>`
}

function fieldOf(field: ActionField, id: string, entered: Form | undefined): string {
  const { name, label, hint, type, isOptional, error } = field
  const value = entered === undefined ? (field.value ?? '') : entered.text(name)
  if (type === 'checkbox') {
    return html`<label class="choice"><input type="checkbox" name="${name}" value="yes" !${value === 'yes' ? 'checked' : ''}> ${label}</label>`
  }
  const [kind, below] = error === undefined ? ['hint', hint] : ['error', error]
  const described = below === undefined ? '' : html`aria-describedby="${id}-${kind}"`
  const invalid = error === undefined ? '' : 'aria-invalid="true"'
  const attributes = html`id="${id}" name="${name}" autocomplete="off" !${isOptional ? '' : 'required'} !${invalid} !${described}`
  return html`<div class="field"><label for="${id}">${label}</label>
!${controlOf(field, value, attributes)}
!${below === undefined ? '' : html`<p class="${kind}" id="${id}-${kind}">${below}</p>`}</div>`
}

function controlOf({ type, choices }: ActionField, value: string, attributes: string): string {
  if (choices !== undefined) {
    return html`<select !${attributes}>!${optionsOf(choices, value)}</select>`
  }
  return type === 'textarea'
    ? html`<textarea rows="3" !${attributes}>${value}</textarea>`
    : html`<input type="${type ?? 'text'}" value="${value}" !${attributes}>`
}

/** Returns why the action was rejected, also by an error of the subject's own; undefined when it was carried out. */
export async function executeAction(
  perform: () => Promise<unknown>,
  Rejection: abstract new (...values: never[]) => Error = ApiError,
): Promise<ActionOutcome | undefined> {
  try {
    await perform()
    return undefined
  } catch (error) {
    const status = error instanceof ApiError ? STATUSES[error.reasonCode] : CONFLICT
    if (status === undefined || !(error instanceof ApiError || error instanceof Rejection)) {
      throw error
    }
    return { status, message: error.message }
  }
}

/** What cannot be entered like this, and what the state does not permit; other errors have pages of their own. */
const CONFLICT = 409
const STATUSES: Readonly<Record<string, number | undefined>> = { 'bad-request': 422, conflict: CONFLICT }

/** One on each line, or separated by spaces or commas. */
export function textsOf(entered: string): readonly string[] {
  return entered.split(/[\s,]+/).filter((text) => text !== '')
}
