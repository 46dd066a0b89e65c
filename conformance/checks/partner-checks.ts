/** Checks that a second partner sees nothing of the first one. */
import { type Check, documentedIn } from '../check.ts'
import { errorProblems, require, requireError, requireNone } from '../expectations.ts'
import { acceptedConsent } from '../subjects/consents.ts'
import { unsignedPayment } from '../subjects/payments.ts'
import { otherToken } from '../subjects/tokens.ts'

export const PARTNER_CHECKS: readonly Check[] = documentedIn('Error catalogue: NotFound, INVALID_CONSENT', [
  {
    id: 'authentication-consent-of-another-partner',
    title: 'A consent of another partner is unknown',
    rule: 'The response is 400 INVALID_CONSENT, as for a consent that does not exist, and lists do not have it.',
    run: async (context) => {
      const headers = { authorization: `Bearer ${await otherToken(context)}` }
      const consentId = await acceptedConsent(context)
      requireError(await context.call('listAccounts', { consentId, headers }), 400, 'INVALID_CONSENT')
      const listed = await context.succeed('listConsents', { headers })
      require(!listed.some(({ id }) => id === consentId), 'The list of consents has one of another partner')
    },
  },
  {
    id: 'authentication-payment-of-another-partner',
    title: 'A payment of another partner does not exist',
    rule: 'Reading it is 404 as for an unknown id, and neither the list of payments nor that of events has it.',
    run: async (context) => {
      const headers = { authorization: `Bearer ${await otherToken(context)}` }
      const { initiated, order } = await unsignedPayment(context)
      const params = { paymentId: initiated.paymentId }
      const { endToEndId } = order.metadata
      const { payments } = await context.succeed('listPayments', { query: { endToEndId }, headers })
      const events = await context.call('listWebhookEvents', { headers })
      requireNone([
        ...errorProblems(await context.call('getPayment', { params, headers }), 404, 'NotFound'),
        ...errorProblems(await context.call('getPaymentStatus', { params, headers }), 404, 'NotFound'),
        payments.length === 0 || 'The list of another partner has the payment',
        !events.text.includes(params.paymentId) || 'The events of another partner have the payment',
      ])
    },
  },
])
