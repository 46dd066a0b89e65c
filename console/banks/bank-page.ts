/** Shows a bank of the directory: its recent calls, its settings, and its profile. */
import { html } from 'ghtml'
import { readBankCallFigures } from '../../gateway/banks/calls/list-bank-calls.ts'
import type { BankCallFigures } from '../../gateway/banks/calls/logged-bank-call.ts'
import { isPausedAt } from '../../gateway/banks/directory/bank-health.ts'
import {
  type ListedDirectoryEntry,
  listDirectoryEntries,
} from '../../gateway/banks/directory/list-directory-entries.ts'
import type { Context } from '../../gateway/context.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { factList } from '../markup/data-table.ts'
import { formatPercentage } from '../markup/format-money.ts'
import { formatMilliseconds, timeMarkup } from '../markup/format-time.ts'
import { statusMarkup } from '../markup/status.ts'
import { consoleText } from '../texts/console-texts.ts'
import { profileMarkup } from './profile-markup.ts'

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
!${await profileOf(context, bic)}`
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
  return factList([
    [consoleText('bank.callCount'), html`${calls}`],
    [consoleText('bank.success'), html`${formatPercentage(answered, calls)}`],
    [consoleText('bank.p50'), duration(p50Milliseconds)],
    [consoleText('bank.p95'), duration(p95Milliseconds)],
  ])
}

function settingsOf({ row }: ListedDirectoryEntry): string {
  return factList([
    [consoleText('banks.bic'), copyableCode(row.bic, consoleText('banks.bic'))],
    [consoleText('banks.country'), html`${row.country_code}`],
    [consoleText('bank.connector'), html`${row.connector}`],
    [consoleText('bank.address'), html`<code>${row.address}</code>`],
    [consoleText('bank.linkHosts'), row.link_hosts.map((host) => html`<code>${host}</code>`).join(', ')],
    [consoleText('banks.profile'), html`${row.profile}`],
    [consoleText('bank.certificate'), html`${row.certificate ?? consoleText('bank.defaultCertificate')}`],
  ])
}

async function profileOf(context: Context, bic: string): Promise<string> {
  const bank = await context.banks.find(bic)
  return bank === undefined ? html`<p>${consoleText('bank.notServed')}</p>` : profileMarkup(bank)
}
