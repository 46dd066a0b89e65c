/** Initiates payrolls without HTTP, with a given context, as another process would. */
import { requireBank } from '../../banks/directory/bank-directory.ts'
import type { ConsentCaller } from '../../consents/consent.ts'
import { consentOf } from '../../consents/consent-lookup.ts'
import type { Context } from '../../context.ts'
import type { PayrollInitiation } from '../../orders/submit/store-payroll.ts'
import type { NordicBank } from '../banks/nordic-banks.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'
import type { PaymentDriver } from '../payments/payment-driver.ts'
import { demoPartnerId } from '../webhooks/enqueue-status-change.ts'

/** The consent caller of a request of the demo partner. */
export async function payrollCaller(
  gateway: TestGateway,
  payer: PaymentDriver,
  bank: NordicBank,
): Promise<ConsentCaller> {
  const partnerId = await demoPartnerId(gateway)
  const { consentId, psu } = await payer.consentOf(bank)
  const consent = await consentOf(gateway.context, { partnerId, consentId })
  if (consent === undefined) {
    throw new Error('The consent is not there')
  }
  const partner = { partnerId, clientId: 'demo-partner', partnerName: 'Demo', callbackOrigins: [] }
  return { ...partner, consent, psu: { ...psu, headers: {} } }
}

/** The initiation context, without idempotency key. */
export async function payrollInitiationContext(context: Context, { bic }: NordicBank): Promise<PayrollInitiation> {
  return { bank: await requireBank(context.banks, bic), idempotent: null }
}
