/** Shows the profile of a bank in words: what it offers and requires, without the syntax of its file. */
import { html } from 'ghtml'
import type { Bank } from '../../gateway/banks/connector/bank.ts'
import type { RailTerms } from '../../gateway/banks/connector/bank-profile.ts'
import { countryRules } from '../../gateway/countries/served-countries.ts'
import { textsByKey } from '../../gateway/page-texts/text-catalogue.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { factList } from '../markup/data-table.ts'
import { detailMarkup } from '../markup/explained-codes.ts'
import { formatCount, orderedAmount } from '../markup/format-money.ts'
import { isUnset, valueText } from '../markup/value-text.ts'
import { CONSOLE_CATALOGUE, consoleText } from '../texts/console-texts.ts'

const TEXTS = textsByKey(CONSOLE_CATALOGUE)

/** The settings of the connector come last, under the names of the file in words. */
export function profileMarkup({ profile, countryCode }: Pick<Bank, 'profile' | 'countryCode'>): string {
  return factsMarkup(profile, countryRules(countryCode)?.currency ?? '')
}

function factsMarkup(settings: object, currency: string): string {
  return factList(Object.entries(settings).map(([name, value]) => [labelOf(name), valueMarkup(name, value, currency)]))
}

/** `unsignedStatuses` of a dialect is `Unsigned statuses`. */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/(?<=[a-z])(?=[A-Z][a-z])/g, ' ')
    .replaceAll(/ [A-Z](?=[a-z])/g, (found) => found.toLowerCase())
  return textOf(`bankProfile.names.${name}`) ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

function textOf(key: string): string | undefined {
  const text = TEXTS.get(key)
  return typeof text === 'string' ? text : undefined
}

/** Amounts without a currency are in that of the country. */
function valueMarkup(name: string, value: unknown, currency: string): string {
  if (isUnset(value)) {
    return html`<span class="quiet">${valueText(value)}</span>`
  }
  if (typeof value === 'number') {
    return html`${formatCount(value)}`
  }
  if (typeof value === 'string') {
    return name === 'amountMax' ? html`${orderedAmount({ amount: value, currency })}` : textMarkup(name, value)
  }
  if (typeof value !== 'object') {
    return html`${valueText(value)}`
  }
  if (Array.isArray(value)) {
    return listMarkup(value.map((item) => valueMarkup(name, item, currency)))
  }
  if (name === 'amountMax') {
    return listMarkup(
      Object.entries(value).map(([of, amount]) => html`${orderedAmount({ amount: String(amount), currency: of })}`),
    )
  }
  return name === 'cutOff' ? cutOffMarkup(value as RailTerms['cutOff']) : factsMarkup(value, currency)
}

function textMarkup(name: string, value: string): string {
  const text = textOf(`bankProfile.values.${name}.${value}`)
  return text === undefined ? detailMarkup(name, value, breakableText(value)) : html`${text}`
}

function cutOffMarkup({ localTime, bankDaysBefore }: RailTerms['cutOff']): string {
  return bankDaysBefore === 0
    ? html`${localTime}`
    : html`${consoleText('bank.cutOffBefore', { time: localTime, count: bankDaysBefore })}`
}

function listMarkup(items: readonly string[]): string {
  return html`<ul>!${items.map((item) => html`<li>!${item}</li>`).join('')}</ul>`
}
