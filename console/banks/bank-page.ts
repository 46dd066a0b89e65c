/** Shows a bank of the directory: its recent calls, its settings, and its profile. */
import { html } from 'ghtml'
import { type BankCallFigures, readBankCallFigures } from '../../gateway/banks/calls/list-bank-calls.ts'
import type { Bank } from '../../gateway/banks/connector/bank.ts'
import type { RailTerms } from '../../gateway/banks/connector/bank-profile.ts'
import {
  isPausedAt,
  type ListedDirectoryEntry,
  listDirectoryEntries,
} from '../../gateway/banks/directory/bank-health.ts'
import type { Context } from '../../gateway/context.ts'
import { countryRules } from '../../gateway/countries/served-countries.ts'
import { textsByKey } from '../../gateway/page-texts/text-catalogue.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { breakableText } from '../markup/breakable-text.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { detailMarkup } from '../markup/explained-codes.ts'
import { formatCount, formatPercentage, orderedAmount } from '../markup/format-money.ts'
import { formatMilliseconds, timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { isUnset, valueText } from '../markup/value-text.ts'
import { CONSOLE_CATALOGUE, consoleText } from '../texts/console-texts.ts'

export const BANKS_PATH = '/console/banks'

export async function bankPage(context: Context, bic: string): Promise<ConsolePage> {
  const entry = (await listDirectoryEntries(context.database, context.clock)).find(({ row }) => row.bic === bic)
  if (entry === undefined) {
    throw apiError('not-found', 'There is no bank with this BIC')
  }
  const body = html`!${healthOf(entry, context.clock.real())}
<h2>${consoleText('bank.calls')}</h2>
!${figuresOf(await readBankCallFigures(context, bic))}
<h2>${consoleText('bank.settings')}</h2>
!${settingsOf(entry)}
<h2>${consoleText('bank.profile')}</h2>
!${profileOf(await context.banks.find(bic))}`
  return { kind: 'page', title: entry.row.name, body }
}

export function healthMarkup({ row, status }: ListedDirectoryEntry): string {
  return statusMarkup(row.enabled ? status : consoleText('banks.disabled'))
}

/** In sentences: what works, what failed and since when, what is paused for how long, and what goes on meanwhile. */
function healthOf(entry: ListedDirectoryEntry, now: Temporal.Instant): string {
  const { failures, failing_since, paused_until, order_failures, orders_failing_since, enabled } = entry.row
  const failing = (text: string, at: Temporal.Instant | null) =>
    at === null ? '' : html`<p>${text} !${timeMarkup(at)}.</p>`
  const isPaused = isPausedAt(entry.row, now)
  const state = enabled ? (['Operational', 'Degraded', 'Down'] as const).find((one) => one === entry.status) : undefined
  return html`<p>!${healthMarkup(entry)} ${consoleText(`bank.states.${state ?? 'disabled'}`)}</p>
!${failing(consoleText('bank.callsFail', { count: failures }), failing_since)}
!${failing(consoleText('bank.ordersFail', { count: order_failures }), orders_failing_since)}
<p>!${isPaused && paused_until !== null ? html`${consoleText('bank.paused')} !${timeMarkup(paused_until)}. ${consoleText('bank.pausedMeans')}` : html`${consoleText('bank.notPaused')}`}</p>`
}

/** Latencies are those of answers, errors of the bank included. */
function figuresOf({ calls, answered, p50Milliseconds, p95Milliseconds }: BankCallFigures): string {
  if (calls === 0) {
    return html`<p class="empty">${consoleText('bank.noCalls')}</p>`
  }
  const duration = (milliseconds: number | null) =>
    milliseconds === null ? undefined : html`${formatMilliseconds(milliseconds)}`
  return factList({
    'bank.callCount': html`${calls}`,
    'bank.success': html`${formatPercentage(answered, calls)}`,
    'bank.p50': duration(p50Milliseconds),
    'bank.p95': duration(p95Milliseconds),
  })
}

function settingsOf({ row }: ListedDirectoryEntry): string {
  return factList({
    'banks.bic': copyableCode(row.bic, consoleText('banks.bic')),
    'banks.country': html`${row.country_code}`,
    'bank.connector': html`${row.connector}`,
    'bank.address': html`<code>${row.address}</code>`,
    'bank.linkHosts': row.link_hosts.map((host) => html`<code>${host}</code>`).join(', '),
    'banks.profile': html`${row.profile}`,
    'bank.certificate': html`${row.certificate ?? consoleText('bank.defaultCertificate')}`,
  })
}

/** The settings of the connector come last, under the names of the file in words. */
function profileOf(bank: Bank | undefined): string {
  return bank === undefined
    ? html`<p>${consoleText('bank.notServed')}</p>`
    : factsMarkup(bank.profile, countryRules(bank.countryCode)?.currency ?? '')
}

const TEXTS = textsByKey(CONSOLE_CATALOGUE)

function factsMarkup(settings: object, currency: string): string {
  const facts = Object.entries(settings).map(
    ([name, value]) => [labelOf(name), valueMarkup(name, value, currency)] as const,
  )
  return factList({}, facts)
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
  if (name !== 'cutOff') {
    return factsMarkup(value, currency)
  }
  const { localTime: time, bankDaysBefore: count } = value as RailTerms['cutOff']
  return html`${count === 0 ? time : consoleText('bank.cutOffBefore', { time, count })}`
}

function textMarkup(name: string, value: string): string {
  const text = textOf(`bankProfile.values.${name}.${value}`)
  return text === undefined ? detailMarkup(name, value, breakableText(value)) : html`${text}`
}

function listMarkup(items: readonly string[]): string {
  return html`<ul>!${items.map((item) => html`<li>!${item}</li>`).join('')}</ul>`
}
