/** Control API for the fixture: which users and accounts each bank has, and the amounts that script an outcome. */
import type { FastifyInstance } from 'fastify'
import type { BankContext } from '../bank-context.ts'
import type { BankFixture, BankProfile } from '../fixture.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { describeAccount } from '../outcomes/guide-fixture-tables.ts'
import { outcomes } from '../outcomes/scripted-outcome-table.ts'
import { scriptedUser } from '../outcomes/scripted-user-lookup.ts'

export function fixtureControl({ fixture }: BankContext, scope: FastifyInstance): void {
  const banks = fixture.banks.map((bank) => describeBank(fixture, bank))
  const scripts = outcomes.map(({ amount, name, tells }) => ({ amount: `${amount}.00`, name, tells }))
  scope.get('/fixture', () => ({ banks, outcomes: scripts }))
}

/** The users who may see an account of a company, and the accounts. */
function describeBank(fixture: BankFixture, bank: BankProfile): object {
  const rights = fixture.access.filter(({ bic }) => bic === bank.bic)
  const users = fixture.users.flatMap(({ id, name }) => {
    const own = rights.filter(({ userId }) => userId === id)
    const companies = fixture.companies.filter(({ organisationNumber }) =>
      own.some(({ owner }) => owner === organisationNumber),
    )
    const mayPay = own.some(({ may }) => may.includes('pay'))
    const does = scriptedUser(id)?.tells ?? null
    return own.length === 0 ? [] : [{ id, name, companies: companies.map((company) => company.name), mayPay, does }]
  })
  const accounts = fixture.accounts
    .filter(({ bic }) => bic === bank.bic)
    .map((account) => ({
      bban: account.bban,
      iban: rulesOf(bank).ibanOf(account.bban),
      owner: account.ownerName,
      name: account.name,
      currency: account.currency,
      remarks: describeAccount(account),
    }))
  return { bic: bank.bic, users, accounts }
}
