/** Orders payrolls below HTTP, as a process does that works with a context of its own. */
import { requireBank } from '../../banks/directory/require-bank.ts'
import { companyFinder } from '../../companies/company-finder.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { accountFinder } from '../../consents/find-account.ts'
import { consentOf } from '../../consents/find-consent.ts'
import type { Context } from '../../context.ts'
import { acceptanceKeeper } from '../../payments/payroll-order/keep-payouts.ts'
import type { PayrollInitiation } from '../../payrolls/payroll-initiation.ts'
import type { NordicBank } from '../banks/nordic-banks.ts'
import type { WholeGateway } from '../gateway/test-gateway.ts'
import type { Payer } from '../payments/payment-driver.ts'
import { demoPartnerId } from '../webhooks/enqueue-status-change.ts'

/** The user of a company at a bank, as a request of the demo partner brings them. */
export async function payrollCaller(gateway: WholeGateway, payer: Payer, bank: NordicBank): Promise<ConsentCaller> {
  const partnerId = await demoPartnerId(gateway)
  const { consentId, psu } = await payer.consentOf(bank)
  const consent = await consentOf(gateway.context, { partnerId, consentId })
  if (consent === undefined) {
    throw new Error('The consent is not there')
  }
  const partner = { partnerId, clientId: 'demo-partner', partnerName: 'Demo', callbackOrigins: [] }
  return { ...partner, consent, psu: { ...psu, headers: {} } }
}

/** What ordering works with, without a key. */
export async function payrollTools(context: Context, { bic }: NordicBank): Promise<PayrollInitiation> {
  return {
    bank: await requireBank(context.banks, bic),
    findCompany: companyFinder(context),
    findAccount: accountFinder(context),
    keepAcceptance: acceptanceKeeper(context),
    idempotent: null,
  }
}
