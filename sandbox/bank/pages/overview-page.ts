/** The front page and the account page, with an overview of the bank's data. */

import { html } from 'ghtml'
import { businessDay } from '../bank-calendar.ts'
import type { Context } from '../context.ts'
import type { Account, BankProfile } from '../fixture.ts'
import { accountOf, bankByBic, requireBankByBic } from '../fixture-lookup.ts'
import { type AccountBalance, allBalances, type Entry, entriesBetween, HISTORY_DAYS } from '../ledger/account-store.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { isBulk } from '../payments/bulk-transaction.ts'
import type { Payment } from '../payments/payment.ts'
import { paymentsOf } from '../payments/payment-store.ts'
import { statusText } from '../xs2a/transaction-status.ts'
import { bankUrl } from '../xs2a/xs2a-links.ts'
import { accountText, amountText, dateText, instantText, page, table } from './layout.ts'
import { SIGNED_TITLE } from './sca-page.ts'

const PAYMENTS_SHOWN = 50
const ENTRIES_SHOWN = 200

/** `status` is that of a user who returns from a signature: programs of the sandbox may name this page as theirs. */
export async function frontPage(context: Context, status?: string): Promise<string> {
  const { fixture, clock } = context
  const payments = await paymentsOf(context, {}, PAYMENTS_SHOWN)
  const balances = await allBalances(context)
  const timeZone = fixture.banks[0]?.timeZone ?? 'UTC'
  const content = html`!${returnNote(status)}<h1>Sandbox banks</h1>
<p>These banks exist on this machine only. They have the Berlin Group’s XS2A API like real banks, each in its own dialect, with accounts, SCA pages and settlement over time. All persons are fictitious.</p>
<p class="quiet">Their clock says ${instantText(clock.now(), timeZone)}.</p>
<p>At some of them, users sign in an app on a phone: <a href="/app">the simulated app</a>.</p>
<h2 id="banks">Banks</h2>!${bankTable(context)}
<h2 id="accounts">Accounts</h2>!${fixture.banks.map((bank) => accountsOfBank(context, bank, balances)).join('')}
<h2 id="payments">Payments</h2>!${payments.length === 0 ? '<p>None yet.</p>' : paymentTable(context, payments)}
<h2 id="people">Users</h2>!${userTable(context)}`
  return page({ title: 'Overview', bankName: 'Sandbox banks', content, isWide: true })
}

/** First of all on the page, for a user who has just signed. */
function returnNote(status: string | undefined): string {
  if (status === undefined) {
    return ''
  }
  return status === 'success'
    ? html`<p class="note good" role="status"><strong>${SIGNED_TITLE}.</strong></p>`
    : html`<p class="note stop" role="status"><strong>Not signed: go back to your program.</strong></p>`
}

/** The page of one account; undefined when there is none. */
export async function accountPage(context: Context, bic: string, bban: string): Promise<string | undefined> {
  const bank = bankByBic(context.fixture, bic)
  const account = accountOf(context.fixture, bic, bban)
  if (bank === undefined || account === undefined) {
    return undefined
  }
  const today = businessDay(bank, context.clock.now())
  const period = { from: today.subtract({ days: HISTORY_DAYS }), to: today.add({ days: 1 }), after: null }
  const entries = await entriesBetween(context, account, period, ENTRIES_SHOWN)
  const payments = await paymentsOf(context, { bank: bic, debtor: bban }, PAYMENTS_SHOWN)
  const balances = await allBalances(context)
  const balance = balances.find((row) => row.bank === bic && row.bban === bban)
  const content = html`<p><a href="/">All accounts</a></p>
<h1>${account.name} <span class="code">${accountText(bank, bban)}</span></h1>
<p class="quiet">${account.ownerName}</p>
<p class="amount">${amountText({ minor: balance?.balance_minor ?? 0n, currency: account.currency })}</p>
<h2>Booked</h2>!${entries.length === 0 ? '<p>Nothing yet.</p>' : entryTable(entries)}
<h2>Payments from this account</h2>!${payments.length === 0 ? '<p>None yet.</p>' : paymentTable(context, payments)}`
  return page({ title: account.name, bankName: bank.name, content, isWide: true })
}

function bankTable({ fixture, addresses }: Context): string {
  const rows = fixture.banks.map((bank) => [
    html`<a href="#${bank.bic}">${bank.name}</a>`,
    html`${bank.country}`,
    html`<span class="code">${bank.bic}</span>`,
    html`<span class="code">!${html`${bankUrl(addresses, bank)}`.replace(/\/(?=[^/]*$)/, '/<wbr>')}</span>`,
  ])
  return table(['Bank', 'Country', 'BIC', 'XS2A'], rows)
}

function accountsOfBank({ fixture }: Context, bank: BankProfile, balances: readonly AccountBalance[]): string {
  const rows = balances.flatMap(({ bank: bic, bban, balance_minor: minor, currency }) => {
    const account = bic === bank.bic ? accountOf(fixture, bic, bban) : undefined
    return account === undefined ? [] : [accountRow(bank, account, amountText({ minor, currency }))]
  })
  return html`<h3 id="${bank.bic}">${bank.name}</h3>!${table(['Owner', 'Account', 'Number', 'Balance'], rows)}`
}

function accountRow(bank: BankProfile, account: Account, balance: string): readonly string[] {
  const address = `/accounts/${account.bic}/${account.bban}`
  return [
    html`${account.ownerName}`,
    html`<span><a href="${address}">${account.name}</a>${account.demand === null ? '' : ` (${rulesOf(bank).words.reference} only)`}</span>`,
    html`<span class="code">${accountText(bank, account.bban)}</span>`,
    html`${balance}`,
  ]
}

function paymentTable({ fixture }: Context, payments: readonly Payment[]): string {
  const rows = payments.map((payment) => paymentRow(requireBankByBic(fixture, payment.bank), payment))
  return table(['Received', 'To', 'Date', 'Status', 'Amount'], rows)
}

function paymentRow(bank: BankProfile, payment: Payment): readonly string[] {
  return [
    html`${instantText(payment.created_at, bank.timeZone)}`,
    isBulk(payment)
      ? html`${payment.creditor_name}`
      : html`<span>${payment.creditor_name}<br><span class="code">${accountText(bank, payment.creditor)}</span></span>`,
    html`${dateText(payment.execution_on)}`,
    html`<span><span class="status">${payment.status}</span> <span class="quiet">${statusText(payment.status)}</span></span>`,
    html`${amountText({ minor: payment.amount_minor, currency: payment.currency })}`,
  ]
}

function entryTable(entries: readonly Entry[]): string {
  const rows = entries.map((entry) => [
    html`${dateText(entry.booked_on)}`,
    html`${entry.counterparty}`,
    html`${entry.reference ?? entry.message ?? ''}`,
    html`${amountText({ minor: entry.amount_minor, currency: entry.currency })}`,
    html`${amountText({ minor: entry.balance_after_minor, currency: entry.currency })}`,
  ])
  return table(['Booked', 'Who', 'Text', 'Amount', 'Balance'], rows)
}

function userTable({ fixture }: Context): string {
  const rows = fixture.users.map((user) => {
    const rights = fixture.access
      .filter((row) => row.userId === user.id)
      .map(({ owner, may }) => `${ownerName(fixture, owner)} (${may.includes('pay') ? 'sees and pays' : 'sees'})`)
    return [html`${user.name}`, html`<span class="code">${user.id}</span>`, html`${rights.join(', ')}`]
  })
  return table(['Name', 'User id', 'Acts for'], rows)
}

function ownerName({ companies }: Context['fixture'], owner: string): string {
  return companies.find((company) => company.organisationNumber === owner)?.name ?? owner
}
