/** Builds valid domestic payments and consents with overrides, so that a test shows only what matters to it. */
import type { ConsentRequest } from '../../../contract/consents.ts'
import { invoice } from '../../../contract/examples/demo-fixture.ts'
import type { DomesticPayment } from '../../../contract/payments/domestic-payment.ts'
import type { Clock } from '../../platform/clock.ts'
import { visitBank } from '../browser/bank-user.ts'
import type { TestGateway } from '../gateway/test-gateway.ts'

/** The demo user's session. */
export const PSU = { ipAddress: '127.0.0.1', userAgent: 'Mozilla/5.0 (test)' }
/** Return URL; nothing listens there. */
export const CALLBACK = 'http://127.0.0.1:9/back'
export const KARI = '01815012345'
export const OLA = '02825054321'
/** The demo company's main account. */
export const MAIN_ACCOUNT = '80501100017'

let count = 0

/** A payment due today with a unique endToEndId. */
export function domesticPayment(
  gateway: { readonly context: { readonly clock: Pick<Clock, 'today'> } },
  changes: Partial<DomesticPayment> = {},
): DomesticPayment {
  count += 1
  return {
    ...invoice,
    metadata: { endToEndId: `INV-${process.pid}-${count}` },
    dueDate: gateway.context.clock.today('Europe/Oslo').toString(),
    ...changes,
  }
}

/** Creates a consent that its user has accepted. */
export async function acceptedConsent(
  { client }: Pick<TestGateway, 'client'>,
  userId: string = KARI,
  changes: Partial<ConsentRequest> = {},
): Promise<{ consentId: string; psu: typeof PSU }> {
  const started = await client.createConsent({
    psu: PSU,
    body: { bic: 'FJORNO22', organizationNumber: '987654325', userId, callbackUrl: CALLBACK, ...changes },
  })
  if (started.sca.type !== 'redirect') {
    throw new Error('The consent is not signed by redirect')
  }
  await visitBank(started.sca.url, { userId })
  return { consentId: started.id, psu: PSU }
}
