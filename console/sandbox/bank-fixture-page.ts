/** Shows the companies, users and accounts of a bank of the sandbox, to copy, and the amounts that script an outcome. */
import { html } from 'ghtml'
import type { SandboxFixture } from '../../gateway/simulation/sandbox-control.ts'
import type { ConsoleContext } from '../console-context.ts'
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
  // Without the sandbox bank there is nothing to copy.
  const fixture = (await context.simulation?.bank?.readFixture()) ?? { banks: [], outcomes: [] }
  const found = fixture.banks.find((one) => one.bic === bic)
  const choices = banks.map((bank) => ({ value: bank.bic, label: `${bank.name} (${bank.bic})` }))
  const state = { query: new URLSearchParams({ bic }), errors: filters.errors }
  const body = html`<p>${consoleText('fixture.explain')} <a href="/docs/sandbox">${consoleText('sandbox.guide')}</a></p>
!${filterForm(BANK_FIXTURE_PATH, state, [{ name: 'bic', label: consoleText('sandbox.bank'), choices }])}
<p>${consoleText('fixture.bic')}: !${copyableCode(bic, consoleText('fixture.bic'))}</p>
<h2>${consoleText('fixture.users')}</h2>
<p>${consoleText('fixture.usersExplain')}</p>
!${dataTable(found?.users ?? [], USER_COLUMNS, consoleText('fixture.none'))}
<h2>${consoleText('fixture.accounts')}</h2>
!${dataTable(found?.accounts ?? [], ACCOUNT_COLUMNS, consoleText('fixture.none'))}
<h2>${consoleText('fixture.outcomes')}</h2>
<p>${consoleText('fixture.outcomesExplain')}</p>
!${dataTable(fixture.outcomes, OUTCOME_COLUMNS, consoleText('fixture.none'))}`
  const status = filters.errors.size === 0 ? 200 : 422
  return { kind: 'page', status, title: consoleText('fixture.title'), body }
}

type FixtureBank = SandboxFixture['banks'][number]

const USER_COLUMNS: Columns<FixtureBank['users'][number]> = {
  'fixture.userId': ({ id, name }) => copyableCode(id, name),
  'fixture.name': ({ name }) => html`${name}`,
  'fixture.company': ({ companies }) => html`${companies.join(', ')}`,
  'fixture.may': ({ mayPay }) => html`${consoleText(mayPay ? 'fixture.pay' : 'fixture.read')}`,
  'fixture.does': ({ does }) => html`${does ?? consoleText('fixture.decides')}`,
}

const ACCOUNT_COLUMNS: Columns<FixtureBank['accounts'][number]> = {
  'fixture.account': ({ bban }) => copyableCode(bban, consoleText('fixture.account')),
  'fixture.iban': ({ iban }) => (iban === null ? '' : copyableCode(iban, consoleText('fixture.iban'))),
  'fixture.owner': ({ owner }) => html`${owner}`,
  'fixture.name': ({ name }) => html`${name}`,
  'fixture.currency': ({ currency }) => html`${currency}`,
  'fixture.remarks': ({ remarks }) => html`${remarks}`,
}

const OUTCOME_COLUMNS: Columns<SandboxFixture['outcomes'][number]> = {
  'fixture.amount': ({ amount, name }) => copyableCode(amount, name),
  'fixture.outcome': ({ name }) => html`${name}`,
  'fixture.tells': ({ tells }) => html`${tells}`,
}
