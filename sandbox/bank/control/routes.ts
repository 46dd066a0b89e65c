/** Routes of the control API, which tests and the gateway's sandbox use to control the bank. */

import type { FastifyInstance } from 'fastify'
import { type Static, Type } from 'typebox'
import { closed } from '../../../gateway/platform/closed-schema.ts'
import { clockRoutes } from '../../business-clock.ts'
import { ControlError, guardControlScope, onPost } from '../../control-scope.ts'
import type { Sweep } from '../../due-rows.ts'
import { scriptedUser } from '../authorisations/scripted-user-lookup.ts'
import type { Context } from '../context.ts'
import type { BankFixture, BankProfile } from '../fixture.ts'
import { bankByBic } from '../fixture-lookup.ts'
import { describeAccount } from '../guide/guide-fixture-tables.ts'
import { rulesOf } from '../national/rules-by-country.ts'
import { endGrantsMatching, expireCodes, expireTokens } from '../oauth/oauth-store.ts'
import { outcomes } from '../outcomes/scripted-outcome-table.ts'
import { accountControl } from './account-control.ts'
import { authorisationControl } from './authorisation-control.ts'
import { bankControl } from './bank-control.ts'
import { browserControl } from './browser-control.ts'
import { bulkControl } from './bulk-control.ts'
import { consentControl } from './consent-control.ts'
import { entryControl } from './entry-control.ts'
import { paymentControl } from './payment-control.ts'

/** Registers the routes outside the pages' error handler: all responses are JSON. */
export function controlRoutes(context: Context, sweep: Sweep, scope: FastifyInstance): void {
  guardControlScope(scope, context.log)
  clockRoutes(context, sweep, scope)
  paymentControl(context, sweep, scope)
  bulkControl(context, sweep, scope)
  authorisationControl(context, scope)
  browserControl(context, scope)
  consentControl(context, scope)
  accountControl(context, sweep, scope)
  entryControl(context, sweep, scope)
  bankControl(context, sweep, scope)
  tokenControl(context, scope)
  fixtureControl(context, scope)
}

function fixtureControl({ fixture }: Context, scope: FastifyInstance): void {
  const scripts = outcomes.map(({ amount, name, tells }) => ({ amount: `${amount}.00`, name, tells }))
  scope.get('/fixture', () => ({
    banks: fixture.banks.map((bank) => describeBank(fixture, bank)),
    outcomes: scripts,
  }))
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

const TokenSelection = closed({
  bank: Type.String(),
  /** Absent: all of them, and authorisation codes that were not exchanged yet. */
  kind: Type.Optional(Type.Union([Type.Literal('access'), Type.Literal('refresh')])),
  userId: Type.Optional(Type.String()),
})
type TokenSelection = Static<typeof TokenSelection>

function tokenControl(context: Context, scope: FastifyInstance): void {
  onPost(scope, '/tokens/expire', TokenSelection, async (body) => {
    const { bank, kind = null, userId = null } = requireServer(context, body)
    const at = context.clock.real()
    const codes = kind === null ? await expireCodes(context, bank, at) : 0
    return { expired: codes + (await expireTokens(context, { bank, kind, userId }, at)) }
  })
  onPost(scope, '/tokens/revoke', TokenSelection, async (body) => {
    const { bank, userId = null } = requireServer(context, body)
    return { ended: await endGrantsMatching(context, { bank, userId }, context.clock.real()) }
  })
}

function requireServer({ fixture }: Context, meant: TokenSelection): TokenSelection {
  const { bank } = meant
  if ((bankByBic(fixture, bank)?.oauth ?? 'none') === 'none') {
    throw new ControlError(400, `${bank} is no bank with an authorisation server`)
  }
  return meant
}
