/** Shows the companies, users and accounts of a bank of the sandbox, to copy, and the amounts that script an outcome. */
import { html } from 'ghtml'
import type { SandboxFixture } from '../../gateway/simulation/sandbox-control.ts'
import { requireSandboxBank } from '../../gateway/simulation/simulation.ts'
import { type ConsoleContext, requireSimulation } from '../console-context.ts'
import type { ConsolePage } from '../layout/console-page.ts'
import { filterForm } from '../lists/filter-form.ts'
import { filterReader } from '../lists/filter-reader.ts'
import { copyableCode } from '../markup/copy/copy-button.ts'
import { type Columns, dataTable } from '../markup/data-table.ts'
import { consoleText } from '../texts/console-texts.ts'

export const BANK_FIXTURE_PATH = '/console/sandbox/banks'

/** The bank of the filter, or the first one. */
export async function bankFixturePage(context: ConsoleContext, query: URLSearchParams): Promise<ConsolePage> {
  const banks = await context.banks.all()
  const filters = filterReader(query)
  const bics = banks.map(({ bic }) => bic)
  const bic = filters.choice('bic', bics, consoleText('fixture.noBank')) ?? bics[0] ?? ''
  const fixture = await readFixture(context)
  const found = fixture.banks.find((one) => one.bic === bic)
  const choices = banks.map((bank) => ({ value: bank.bic, label: `${bank.name} (${bank.bic})` }))
  const state = { query: new URLSearchParams({ bic }), errors: filters.errors }
  const body = html`<p>${consoleText('fixture.explain')} <a href="/docs/sandbox">${consoleText('sandbox.guide')}</a></p>
!${filterForm(BANK_FIXTURE_PATH, state, [{ name: 'bic', label: consoleText('sandbox.bank'), choices }])}
<p>${consoleText('fixture.bic')}: !${copyableCode(bic, consoleText('fixture.bic'))}</p>
<h2>${consoleText('fixture.users')}</h2>
<p>${consoleText('fixture.usersExplain')}</p>
!${userTable(found?.users ?? [])}
<h2>${consoleText('fixture.accounts')}</h2>
!${accountTable(found?.accounts ?? [])}
<h2>${consoleText('fixture.outcomes')}</h2>
<p>${consoleText('fixture.outcomesExplain')}</p>
!${outcomeTable(fixture.outcomes)}`
  const status = filters.errors.size === 0 ? 200 : 422
  return { kind: 'page', status, title: consoleText('fixture.title'), body }
}

/** Without the sandbox bank there is nothing to copy. */
async function readFixture(context: ConsoleContext): Promise<SandboxFixture> {
  return context.simulation?.bank == null
    ? { banks: [], outcomes: [] }
    : await requireSandboxBank(requireSimulation(context)).readFixture()
}

type FixtureBank = SandboxFixture['banks'][number]

function userTable(users: FixtureBank['users']): string {
  const columns: Columns = ['fixture.userId', 'fixture.name', 'fixture.company', 'fixture.may', 'fixture.does']
  const rows = users.map(({ id, name, companies, mayPay, does }) => [
    copyableCode(id, name),
    html`${name}`,
    html`${companies.join(', ')}`,
    html`${consoleText(mayPay ? 'fixture.pay' : 'fixture.read')}`,
    html`${does ?? consoleText('fixture.decides')}`,
  ])
  return dataTable(columns, rows, consoleText('fixture.none'))
}

function accountTable(accounts: FixtureBank['accounts']): string {
  const columns: Columns = [
    'fixture.account',
    'fixture.iban',
    'fixture.owner',
    'fixture.name',
    'fixture.currency',
    'fixture.remarks',
  ]
  const rows = accounts.map(({ bban, iban, owner, name, currency, remarks }) => [
    copyableCode(bban, consoleText('fixture.account')),
    iban === null ? '' : copyableCode(iban, consoleText('fixture.iban')),
    html`${owner}`,
    html`${name}`,
    html`${currency}`,
    html`${remarks}`,
  ])
  return dataTable(columns, rows, consoleText('fixture.none'))
}

function outcomeTable(outcomes: SandboxFixture['outcomes']): string {
  const rows = outcomes.map(({ amount, name, tells }) => [copyableCode(amount, name), html`${name}`, html`${tells}`])
  return dataTable(['fixture.amount', 'fixture.outcome', 'fixture.tells'], rows, consoleText('fixture.none'))
}
