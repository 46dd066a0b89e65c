/** Writes amounts, days and other values as a page shows them to people, in the language of the page. */
import type { ShownLine } from '../signature-summary.ts'
import type { SigningTexts } from './texts/sca-page-texts.ts'

const NO_BREAK_SPACE = '\u00a0'

/** The value of a line, in words and signs that the reader knows. */
export function valueText(texts: SigningTexts, { kind, value }: Pick<ShownLine, 'kind' | 'value'>): string {
  switch (kind) {
    case 'amount':
    case 'money':
      return amountText(texts, value)
    case 'day':
      return dayText(texts, value)
    case 'time':
      return timeText(texts, value)
    case 'access':
      return texts.accessToAccounts
    case 'account':
    case 'text':
      return value
  }
}

/** `12500.00 NOK` becomes `12 500,00 NOK`, the thousands apart so that nobody miscounts zeros. */
function amountText({ numbers }: SigningTexts, value: string): string {
  const [number = '', currency = ''] = value.split(' ')
  const [whole = '', fraction] = number.split('.')
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, numbers.group)
  return `${grouped}${fraction === undefined ? '' : `${numbers.point}${fraction}`}${NO_BREAK_SPACE}${currency}`
}

/** `21 November 2026`: a month in letters cannot be taken for a day. */
function dayText({ language }: SigningTexts, value: string): string {
  return Temporal.PlainDate.from(value).toLocaleString(localeOf(language), { dateStyle: 'long' })
}

/** To the second, because minutes are all there is; by the clock on the wall of whoever signs. */
function timeText({ language }: SigningTexts, value: string): string {
  const time = Temporal.ZonedDateTime.from(value).toPlainDateTime()
  return time.toLocaleString(localeOf(language), { dateStyle: 'long', timeStyle: 'medium' })
}

function localeOf(language: SigningTexts['language']): string {
  return language === 'en' ? 'en-GB' : language
}
