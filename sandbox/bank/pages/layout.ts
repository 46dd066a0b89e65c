/** The layout of every page: head, bank name, content, footer; no scripts and no external resources. */
import { html } from 'ghtml'
import { formatAmount, groupDigits, type Money } from '../../../gateway/platform/money.ts'
import type { BankProfile, User } from '../fixture.ts'
import { inGroupsOfFour } from '../national/check-digits.ts'
import { rulesOf } from '../national/rules-by-country.ts'

export type PageParts = {
  readonly title: string
  /** The bank of the page; the front page has none. */
  readonly bankName: string
  readonly content: string
  readonly isWide?: boolean
}

/** Renders a complete page; `content` is escaped HTML. */
export function page({ title, bankName, content, isWide }: PageParts): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${bankName}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="${isWide === true ? 'wide' : ''}"><div>
<svg viewBox="0 0 32 32" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linejoin="round"><path d="M2 20 10 7l5 8 4-6 11 11"/><path d="M2 25c3 0 3 2 6 2s3-2 6-2 3 2 6 2 3-2 6-2 2 1 4 1"/></svg>
<a class="name" href="/">${bankName}</a><span class="mark">Sandbox<span class="more"> – no real money</span></span>
</div></header>
<main id="content" class="${isWide === true ? 'wide' : ''}">
!${content}
</main>
</body>
</html>`
}

/** National ids as they are printed: `018150 12345` in Norway, `19908115-0100` in Sweden; others as they are. */
function printedUserId(id: string): string {
  return id.replace(/^(\d{6}|\d{8})(\d{4,5})$/, (_id, day: string, serial: string) =>
    [day, serial].join(serial.length === 5 ? ' ' : '-'),
  )
}

/** The error of the previous submission of a form. */
export function errorNote(validationError: string | null): string {
  return validationError === null ? '' : html`<p class="note stop" role="alert">${validationError}</p>`
}

/** The users of a form, the first of them chosen; the third party has named one of them, or none. */
export function userChoices(users: readonly User[], named: string | null): string {
  const choices = users.map(
    (
      user,
      index,
    ) => html`<label class="choice"><input type="radio" name="userId" value="${user.id}" ${index === 0 ? 'checked' : ''}>
<span><strong>${user.name}</strong><span class="quiet">${printedUserId(user.id)}${user.id === named ? ' – named by the app' : ''}</span></span></label>`,
  )
  return html`<fieldset><legend>Who are you?</legend>
!${choices.join('')}
</fieldset>`
}

export function messagePage(bankName: string, title: string, text: string): string {
  return page({ title, bankName, content: html`<h1>${title}</h1><p>${text}</p>` })
}

/** The titles of columns that are right-aligned. */
const NUMBERS = ['Amount', 'Balance']

/** The cells are escaped HTML. */
export function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
  const classOf = (title: string) => (NUMBERS.includes(title) ? 'number' : '')
  const heads = titles.map((title) => html`<th scope="col" class="${classOf(title)}">${title}</th>`)
  const lines = rows.map((row) => {
    const cells = titles.map(
      (title, index) => html`<td class="${classOf(title)}" data-title="${title}">!${row[index] ?? ''}</td>`,
    )
    return html`<tr>!${cells.join('')}</tr>`
  })
  return html`<div class="table"><table><thead><tr>!${heads.join('')}</tr></thead><tbody>!${lines.join('')}</tbody></table></div>`
}

const NO_BREAK_SPACE = '\u00a0'
const MINUS = '\u2212'

/** `12 500,00 NOK`. */
export function amountText(money: Money): string {
  const [whole = '', fraction] = formatAmount(money).replace('-', MINUS).split('.')
  const grouped = groupDigits(whole, NO_BREAK_SPACE)
  return `${grouped}${fraction === undefined ? '' : `,${fraction}`}${NO_BREAK_SPACE}${money.currency}`
}

/** `8050.11.00017`, or the format of the bank's country; an IBAN in groups of four. */
export function accountText(bank: BankProfile, number: string): string {
  return /^[A-Z]/.test(number) ? inGroupsOfFour(number) : rulesOf(bank).printAccount(number)
}

/** `21.11.2026`. */
export function dateText(date: Temporal.PlainDate): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${two(date.day)}.${two(date.month)}.${date.year}`
}

/** `21.11.2026 14:03`, in the bank's time zone. */
export function instantText(at: Temporal.Instant, timeZone: string): string {
  const local = at.toZonedDateTimeISO(timeZone)
  return `${dateText(local.toPlainDate())} ${local.toPlainTime().toString({ smallestUnit: 'minute' })}`
}
