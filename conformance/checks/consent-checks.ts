/** Checks consents: creation, the user's decision, what is shown, revocation, and consents that ended. */
import { type Check, type CheckContext, documentedIn, NotApplicable } from '../check.ts'
import { errorProblems, problemsOfEach, require, requireError, requireNone } from '../expectations.ts'
import { acceptedConsent, consentRequest, createAcceptedConsent, type Payer, payers } from '../subjects/consents.ts'
import { requireSandbox } from '../subjects/payments.ts'

/** A payer whose consent no other check needs: banks may end a consent when its user gives another one. */
async function sparePayer(context: CheckContext): Promise<Payer> {
  requireSandbox(context)
  const all = [...(await payers(context)).values()]
  const spare = all.at(-1)
  if (spare === undefined || all.length < 2) {
    throw new NotApplicable('It ends a consent, and the partner has companies in one country only')
  }
  return spare
}

/** Starts a consent, and lets the sandbox's user decide. */
async function decided(context: CheckContext, decision: 'reject' | 'leave', expected: string) {
  const payer = await sparePayer(context)
  const { id } = await context.succeed('createConsent', { body: consentRequest(context, payer) })
  const { callback } = await context.succeed('decideSandboxConsent', { params: { consentId: id, decision }, body: {} })
  const { status } = await context.succeed('getConsent', { consentId: id })
  const returned = callback === null ? 'nowhere' : (new URL(callback).searchParams.get('status') ?? 'no status')
  require(status === expected, `The consent is ${status}, expected ${expected}`)
  require(returned === expected.toLowerCase(), `The user returned with ${returned}`)
  const answer = await context.call('listAccounts', { consentId: id })
  requireError(answer, 400, 'INVALID_CONSENT')
}

export const CONSENT_CHECKS: readonly Check[] = documentedIn('Guide: consents', [
  {
    id: 'consents-shown',
    title: 'A consent is shown with its bank and company',
    rule: 'GET returns the consent of the header; its status is ACCEPTED, and the list of consents has it.',
    run: async (context) => {
      const consentId = await acceptedConsent(context)
      const consent = await context.succeed('getConsent', { consentId })
      const listed = await context.succeed('listConsents', {
        query: { organizationNumber: consent.organizationNumber },
      })
      require(consent.id === consentId && consent.status === 'ACCEPTED', `GET returns ${consent.id} ${consent.status}`)
      require(listed.some(({ id }) => id === consentId), 'The list lacks the consent')
      const others = listed.filter(({ organizationNumber }) => organizationNumber !== consent.organizationNumber)
      require(others.length === 0, `The list has ${others.length} consents of other companies`)
    },
  },
  {
    id: 'consents-rejected',
    title: 'A consent that the user rejects is REJECTED',
    rule: 'The user returns with status=rejected, and the consent cannot be used.',
    run: (context) => decided(context, 'reject', 'REJECTED'),
  },
  {
    id: 'consents-left',
    title: 'A consent that the user leaves is CANCELLED',
    rule: 'The user returns with status=cancelled, and the consent cannot be used.',
    run: (context) => decided(context, 'leave', 'CANCELLED'),
  },
  {
    id: 'consents-revoked',
    title: 'A revoked consent is no longer valid',
    rule: 'DELETE returns 204 without a body; afterwards the status is REVOKED by PARTNER, and calls are 400 INVALID_CONSENT.',
    run: async (context) => {
      const consentId = await createAcceptedConsent(context, await sparePayer(context))
      await context.succeed('revokeConsent', { consentId })
      const { status, statusReason } = await context.succeed('getConsent', { consentId })
      require(status === 'REVOKED' && statusReason === 'PARTNER', `It is ${status} by ${String(statusReason)}`)
      const answer = await context.call('listAccounts', { consentId })
      requireError(answer, 400, 'INVALID_CONSENT')
    },
  },
  {
    id: 'consents-ended-at-bank',
    title: 'A consent that its user ended at the bank is REVOKED',
    rule: 'It is detected at the next use, which is 400 INVALID_CONSENT.',
    run: async (context) => {
      const consentId = await createAcceptedConsent(context, await sparePayer(context))
      await context.succeed('endSandboxConsent', { params: { consentId }, body: { how: 'revoked-by-user' } })
      const answer = await context.call('listAccounts', { consentId })
      requireError(answer, 400, 'INVALID_CONSENT')
      const { status } = await context.succeed('getConsent', { consentId })
      require(status === 'REVOKED', `It is ${status}`)
    },
  },
  {
    id: 'consents-callback',
    title: 'Callback URLs that are not safe are rejected',
    rule: 'javascript:, data: and file: URLs, and those with credentials, are 422 at .callbackUrl.',
    reference: 'API reference: createConsent',
    run: async (context) => {
      const payer = await sparePayer(context)
      const unsafe = ['javascript:alert(1)', 'data:text/html,x', 'file:///etc', 'https://a:b@erp.example/']
      const problems = await problemsOfEach(unsafe, async (callbackUrl) => {
        const answer = await context.call('createConsent', { body: { ...consentRequest(context, payer), callbackUrl } })
        return errorProblems(answer, 422, 'InvalidRequest', '.callbackUrl')
      })
      requireNone(problems)
    },
  },
])
