/** Takes a payroll from a partner, keeps it, and hands it to the debtor's bank in the way in which that takes payrolls. */
import type { PayrollAsked } from '../../contract/payrolls/payroll-request.ts'
import type { PayrollInitiated } from '../../contract/payrolls/payroll-response.ts'
import { requireAccountOnConsent } from '../accounts/require-account.ts'
import type { Bank } from '../banks/directory/bank.ts'
import { requirePaying } from '../companies/require-company.ts'
import type { ConsentAccount } from '../consents/accounts/consent-account.ts'
import type { ConsentCaller } from '../consents/consent.ts'
import type { FindAccount } from '../consents/find-account.ts'
import type { Context } from '../context.ts'
import { Invalid, refuse } from '../platform/http/errors/api-error.ts'
import { initiateAsBulk } from './initiate-as-bulk.ts'
import { initiateAsFile } from './initiate-as-file.ts'
import { initiateAsSingles } from './initiate-as-singles.ts'
import { currencyOf } from './keep-payroll.ts'
import { type Way, wayAt } from './payroll.ts'
import type { PayrollInitiation } from './payroll-initiation.ts'

/** Throws 503 with the payroll's id when it is not known whether the bank took it. */
export async function initiatePayroll(
  context: Context,
  caller: ConsentCaller,
  ordered: PayrollAsked,
  initiation: PayrollInitiation,
): Promise<PayrollInitiated> {
  const way = requireWay(initiation.bank)
  await requirePaying(initiation.findCompany, caller.consent)
  const account = await requireAccountOf(initiation.findAccount, caller, ordered)
  const how = { ...initiation, way, account }
  switch (way) {
    case 'bulk':
      return await initiateAsBulk(context, caller, ordered, how)
    case 'baskets':
    case 'chain':
      return await initiateAsSingles(context, caller, ordered, how)
    case 'file':
      return await initiateAsFile(context, caller, ordered, how)
  }
}

function requireWay(bank: Bank): Way {
  const way = wayAt(bank)
  if (way === undefined) {
    throw refuse('UNSUPPORTED_PRODUCT_BY_BANK', `${bank.name} takes no payrolls here`)
  }
  return way
}

/** A payroll names no currency of its own. */
async function requireAccountOf(
  findAccount: FindAccount,
  caller: ConsentCaller,
  { from, transactions }: PayrollAsked,
): Promise<ConsentAccount> {
  try {
    const asked = { bban: from.account.bban, currency: currencyOf(transactions) }
    return await requireAccountOnConsent(findAccount, caller, asked)
  } catch (error) {
    if (error instanceof Invalid) {
      const path = '.transactions[0].amount.currency'
      throw new Invalid(error.problems.map((problem) => ({ ...problem, path })))
    }
    throw error
  }
}
