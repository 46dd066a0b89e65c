/** Lists the banks of the directory with their health, and our certificates towards them. */
import { html } from 'ghtml'
import { type BankCallFigures, readRecentBankCallFigures } from '../../gateway/banks/calls/list-bank-calls.ts'
import { listCertificateStatuses } from '../../gateway/banks/certificates/certificate-warnings.ts'
import { type ListedDirectoryEntry, listDirectoryEntries } from '../../gateway/banks/directory/bank-health.ts'
import type { Context } from '../../gateway/context.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { type Columns, dataTable, numberColumn } from '../markup/data-table.ts'
import { formatPercentage } from '../markup/format-money.ts'
import { formatMilliseconds, wallTimeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { BANKS_PATH, healthMarkup } from './bank-page.ts'

export async function banksPage(context: Context): Promise<ConsolePage> {
  const entries = await listDirectoryEntries(context.database, context.clock)
  const { byBank } = await readRecentBankCallFigures(context)
  const columns: Columns = [
    { label: 'banks.name', isLead: true },
    'banks.bic',
    'banks.country',
    'banks.profile',
    { label: 'banks.state', isLead: true },
    'banks.failingSince',
    ...(['banks.calls', 'banks.answered', 'banks.p95'] as const).map(numberColumn),
  ]
  const rows = entries.map((entry) => [...cellsOf(entry), ...callCellsOf(byBank.get(entry.row.bic))])
  const body = html`!${dataTable(columns, rows, consoleText('banks.none'))}
<h2>${consoleText('banks.certificates')}</h2>
!${certificatesOf(context)}`
  return { kind: 'page', title: consoleText('banks.title'), body }
}

function cellsOf(entry: ListedDirectoryEntry): readonly string[] {
  const { bic, name, country_code, profile, failing_since, orders_failing_since } = entry.row
  const since = failing_since ?? orders_failing_since
  return [
    html`<a href="${BANKS_PATH}/${bic}">${name}</a>`,
    html`${bic}`,
    html`${country_code}`,
    html`${profile}`,
    healthMarkup(entry),
    since === null ? '' : wallTimeMarkup(since),
  ]
}

/** Empty for a bank that was not called. */
function callCellsOf(figures: BankCallFigures | undefined): readonly string[] {
  if (figures === undefined) {
    return ['', '', '']
  }
  const { calls, answered, p95Milliseconds } = figures
  return [
    html`${calls}`,
    html`${formatPercentage(answered, calls)}`,
    p95Milliseconds === null ? '' : html`${formatMilliseconds(p95Milliseconds)}`,
  ]
}

function certificatesOf({ certificates, clock }: Context): string {
  const columns: Columns = ['banks.certificate', 'banks.organisation', 'banks.roles', 'banks.expires', 'banks.warning']
  const rows = listCertificateStatuses(certificates, clock.real()).map((shown) => [
    html`${shown.certificate}`,
    html`${shown.organizationIdentifier ?? ''}`,
    html`${shown.roles.join(' ')}`,
    wallTimeMarkup(Temporal.Instant.from(shown.expiresAt)),
    shown.warning === undefined ? '' : html`<strong class="error">${shown.warning}</strong>`,
  ])
  return dataTable(columns, rows, consoleText('banks.noCertificates'))
}
