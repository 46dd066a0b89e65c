/** Lists the banks of the directory with their health, and our certificates towards them. */
import { html } from 'ghtml'
import { type BankCallFigures, readRecentBankCallFigures } from '../../gateway/banks/calls/list-bank-calls.ts'
import { listCertificateStatuses } from '../../gateway/banks/certificates/certificate-warnings.ts'
import { type ListedDirectoryEntry, listDirectoryEntries } from '../../gateway/banks/directory/bank-health.ts'
import type { Context } from '../../gateway/context.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { type Columns, dataTable, leadColumn, numberColumn } from '../markup/data-table.ts'
import { formatPercentage } from '../markup/format-money.ts'
import { formatMilliseconds, wallTimeMarkup } from '../markup/format-time.ts'
import { consoleText } from '../texts/console-texts.ts'
import { BANKS_PATH, healthMarkup } from './bank-page.ts'

export async function banksPage(context: Context): Promise<ConsolePage> {
  const entries = await listDirectoryEntries(context.database, context.clock)
  const { byBank } = await readRecentBankCallFigures(context)
  /** Empty for a bank that was not called. */
  const ofCalls = (figure: (figures: BankCallFigures) => string) =>
    numberColumn(({ row }: ListedDirectoryEntry) => {
      const figures = byBank.get(row.bic)
      return figures === undefined ? '' : html`${figure(figures)}`
    })
  const columns: Columns<ListedDirectoryEntry> = {
    'banks.name': leadColumn(({ row }) => html`<a href="${BANKS_PATH}/${row.bic}">${row.name}</a>`),
    'banks.bic': ({ row }) => html`${row.bic}`,
    'banks.country': ({ row }) => html`${row.country_code}`,
    'banks.profile': ({ row }) => html`${row.profile}`,
    'banks.state': leadColumn(healthMarkup),
    'banks.failingSince': ({ row }) => {
      const since = row.failing_since ?? row.orders_failing_since
      return since === null ? '' : wallTimeMarkup(since)
    },
    'banks.calls': ofCalls(({ calls }) => String(calls)),
    'banks.answered': ofCalls(({ answered, calls }) => formatPercentage(answered, calls)),
    'banks.p95': ofCalls(({ p95Milliseconds }) =>
      p95Milliseconds === null ? '' : formatMilliseconds(p95Milliseconds),
    ),
  }
  const body = html`!${dataTable(entries, columns, consoleText('banks.none'))}
<h2>${consoleText('banks.certificates')}</h2>
!${certificatesOf(context)}`
  return { kind: 'page', title: consoleText('banks.title'), body }
}

function certificatesOf({ certificates, clock }: Context): string {
  return dataTable(
    listCertificateStatuses(certificates, clock.real()),
    {
      'banks.certificate': ({ certificate }) => html`${certificate}`,
      'banks.organisation': ({ organizationIdentifier }) => html`${organizationIdentifier ?? ''}`,
      'banks.roles': ({ roles }) => html`${roles.join(' ')}`,
      'banks.expires': ({ expiresAt }) => wallTimeMarkup(Temporal.Instant.from(expiresAt)),
      'banks.warning': ({ warning }) => (warning === undefined ? '' : html`<strong class="error">${warning}</strong>`),
    },
    consoleText('banks.noCertificates'),
  )
}
