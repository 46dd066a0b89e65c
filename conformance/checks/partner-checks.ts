/** Checks that a second partner sees nothing of the first one. */
import type { Check } from '../check.ts'
import { errorProblems, require, requireNone } from '../expectations.ts'
import { acceptedConsent } from '../subjects/consents.ts'
import { otherToken } from '../subjects/tokens.ts'

const REFERENCE = 'Error catalogue: NotFound, INVALID_CONSENT'

export const PARTNER_CHECKS: readonly Check[] = [
  {
    id: 'authentication-consent-of-another-partner',
    title: 'A consent of another partner is unknown',
    rule: 'The response is 400 INVALID_CONSENT, as for a consent that does not exist, and lists do not have it.',
    reference: REFERENCE,
    run: async (context) => {
      const headers = { authorization: `Bearer ${await otherToken(context)}` }
      const consentId = await acceptedConsent(context)
      const expected = { status: 400, codes: ['INVALID_CONSENT'] }
      requireNone(errorProblems(await context.call('listAccounts', { consentId, headers }), expected))
      const listed = await context.succeed('listConsents', { headers })
      require(!listed.some(({ id }) => id === consentId), 'The list of consents has one of another partner')
    },
  },
]
