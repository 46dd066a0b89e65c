/** Creates, authorises, reads and deletes consents at a bank. */
import { UnreadableAnswerError } from '../../connector/bank-error.ts'
import { isConsentGone } from '../../connector/bank-error-classification.ts'
import type { BankCaller, ConsentProduct } from '../../connector/connector.ts'
import { createAuthorisations } from './authorisations/authorisations.ts'
import { consentAuthorisationEnd } from './authorisations/translate-authorisations.ts'
import { dialectOf } from './dialect.ts'
import { consentBody, consentStates } from './translate-consent.ts'
import type { BankClient } from './transport/bank-client.ts'
import { creationHeaders, userHeaders } from './transport/request-headers.ts'
import { path, sendAndParse, sendChecked } from './transport/send-request.ts'
import { dateOf, parseConsent, parseConsentCreated } from './wire.ts'

export function consentProduct(line: BankClient): ConsentProduct {
  const ask = (caller: BankCaller, consentId: string) => {
    const where = path('consents', consentId)
    const question = { operation: 'getConsent', purpose: 'consent', method: 'GET', path: where } as const
    return sendAndParse(line, caller, question, parseConsent)
  }
  return {
    create: async (caller, terms) => {
      const question = {
        operation: 'createConsent',
        purpose: 'consent',
        method: 'POST',
        path: '/consents',
        requestId: terms.requestId,
        headers: { ...userHeaders(caller), ...creationHeaders(caller, line.home) },
        body: consentBody(terms, dialectOf(caller.bank.profile)),
      } as const
      const created = await sendAndParse(line, caller, question, parseConsentCreated)
      const validUntil = dateOf(created.validUntil, caller.bank.profile.timeZone) ?? terms.validUntil
      return { bankConsentId: created.consentId, validUntil }
    },
    read: async (caller, consentId) => {
      const { consentStatus: bankStatus, validUntil } = await ask(caller, consentId)
      const state = consentStates.get(bankStatus)
      if (state === undefined) {
        throw new UnreadableAnswerError('unavailable', 'The bank returned a consent status that is not in the standard')
      }
      return { state, validUntil: dateOf(validUntil, caller.bank.profile.timeZone), bankStatus }
    },
    authorisations: createAuthorisations(line, {
      name: 'Consent',
      signs: 'consent',
      where: (_caller, consentId) => path('consents', consentId),
      readTarget: async (caller, consentId) =>
        consentAuthorisationEnd(await ask(caller, consentId), dialectOf(caller.bank.profile)),
    }),
    revoke: async (caller, consentId) => {
      const where = path('consents', consentId)
      const question = { operation: 'deleteConsent', purpose: 'consent', method: 'DELETE', path: where } as const
      await sendChecked(line.fetch, caller, question).catch((error: unknown) => {
        if (!isConsentGone(error)) {
          throw error
        }
      })
    },
  }
}
