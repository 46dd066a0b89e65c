/** Formats amounts, days and other values in the language of the page. */
import { formatAccountNumber } from '../../countries/account-number.ts'
import { formatOrganisationNumber } from '../../countries/served-countries.ts'
import type { PageTexts } from '../../page-texts/page-texts.ts'
import { groupDigits } from '../../platform/money.ts'
import type { SummaryItem, SummaryLine } from '../signature-summary.ts'

const NO_BREAK_SPACE = '\u00a0'

/** The formatted value of a line. */
export function formatSummaryValue(texts: PageTexts, { kind, label, value }: SummaryLine): string {
  switch (kind) {
    case 'amount':
    case 'money':
      return amountText(texts, value)
    case 'day':
      return dayText(texts, value)
    case 'time':
      return timeText(texts, value)
    case 'access':
      return texts.text('authorisation.accessToAccounts')
    case 'account':
      return value
    case 'text':
      return label === 'rate' || label === 'payouts' ? withLocalNumbers(texts, value) : value
  }
}

/** With account and organisation numbers as they are printed in the country of the bank. */
export function withFormattedNumbers(item: SummaryItem, countryCode: string): SummaryItem {
  const isPaidAbroad = item.some(({ label }) => label === 'through-account')
  return item.map((line) => ({ ...line, value: withFormattedNumber(line, countryCode, isPaidAbroad) }))
}

function withFormattedNumber({ label, kind, value }: SummaryLine, countryCode: string, isPaidAbroad: boolean): string {
  if (label === 'company') {
    return value.replace(/\(([^()]+)\)$/, (_, number: string) => `(${unbroken(countryCode, number)})`)
  }
  const isForeign = isPaidAbroad && label === 'to-account'
  return kind === 'account' ? formatAccountNumber(isForeign ? '' : countryCode, value) : value
}

/** On one line: half a number is another one. */
function unbroken(countryCode: string, organisationNumber: string): string {
  return formatOrganisationNumber(countryCode, organisationNumber).replaceAll(' ', NO_BREAK_SPACE)
}

/** `12500.00 NOK` becomes `12 500,00 NOK`: grouped thousands prevent misread zeros. */
function amountText(texts: PageTexts, value: string): string {
  const [number = '', currency = ''] = value.split(' ')
  return `${numberText(texts, number)}${NO_BREAK_SPACE}${currency}`
}

function numberText({ text }: PageTexts, number: string): string {
  const [whole = '', fraction] = number.split('.')
  const grouped = groupDigits(whole, text('numbers.group'))
  return fraction === undefined ? grouped : `${grouped}${text('numbers.decimal')}${fraction}`
}

/** `1 USD = 6.8415 DKK` becomes `1 USD = 6,8415 DKK`: in Danish, the point is that of the thousands. */
function withLocalNumbers(texts: PageTexts, value: string): string {
  return value.replaceAll(/\d+(?:\.\d+)?/g, (number) => numberText(texts, number))
}

/** `21 November 2026`: a spelled-out month cannot be mistaken for a day. */
function dayText({ language }: PageTexts, value: string): string {
  return Temporal.PlainDate.from(value).toLocaleString(localeOf(language), { dateStyle: 'long' })
}

/** To the second, because a deadline may be minutes away; in the signing user's local time. */
function timeText({ language }: PageTexts, value: string): string {
  const time = Temporal.ZonedDateTime.from(value).toPlainDateTime()
  return time.toLocaleString(localeOf(language), { dateStyle: 'long', timeStyle: 'medium' })
}

function localeOf(language: PageTexts['language']): string {
  return language === 'en' ? 'en-GB' : language
}
