/** Creates, authorises, reads and deletes consents at a bank. */
import { UnreadableAnswerError } from '../../connector/bank-error.ts'
import { isConsentGone } from '../../connector/bank-error-classification.ts'
import type { BankCaller, ConsentProduct } from '../../connector/connector.ts'
import { createAuthorisations } from './authorisations/authorisations.ts'
import { consentAuthorisationEnd } from './authorisations/translate-authorisations.ts'
import { dialectOf } from './dialect.ts'
import { consentBody, consentState } from './translate-consent.ts'
import type { BankClient } from './transport/bank-client.ts'
import { creationHeaders, psuIdentityHeaders } from './transport/request-headers.ts'
import { path, sendAndParse, sendChecked } from './transport/send-request.ts'
import { type Consent, dateOf, parseConsent, parseConsentCreated } from './wire.ts'

export function consentProduct(line: BankClient): ConsentProduct {
  return {
    create: (caller, terms) => createConsent(line, caller, terms),
    read: (caller, consentId) => readConsentState(line, caller, consentId),
    authorisations: createAuthorisations(line, {
      name: 'Consent',
      scope: (consentId) => `AIS:${consentId}`,
      collection: (_caller, consentId) => `${consentPath(consentId)}/authorisations`,
      readTarget: async (caller, consentId) =>
        consentAuthorisationEnd(await askConsent(line, caller, consentId), dialectOf(caller.bank.profile)),
    }),
    revoke: (caller, consentId) => revokeConsent(line, caller, consentId),
  }
}

async function createConsent(
  line: BankClient,
  caller: BankCaller,
  terms: Parameters<ConsentProduct['create']>[1],
): ReturnType<ConsentProduct['create']> {
  const created = await sendAndParse(
    line,
    caller,
    {
      operation: 'createConsent',
      purpose: 'consent',
      method: 'POST',
      path: '/consents',
      requestId: terms.requestId,
      headers: { ...psuIdentityHeaders(caller), ...creationHeaders(caller, line.home) },
      body: consentBody(terms, dialectOf(caller.bank.profile)),
    },
    parseConsentCreated,
  )
  return { bankConsentId: created.consentId, validUntil: dateOf(created.validUntil) ?? terms.validUntil }
}

async function readConsentState(
  line: BankClient,
  caller: BankCaller,
  consentId: string,
): ReturnType<ConsentProduct['read']> {
  const state = consentState(await askConsent(line, caller, consentId))
  if (state === undefined) {
    throw new UnreadableAnswerError('unavailable', 'The bank returned a consent status that is not in the standard')
  }
  return state
}

async function askConsent(line: BankClient, caller: BankCaller, consentId: string): Promise<Consent> {
  const question = { operation: 'getConsent', purpose: 'consent', method: 'GET', path: consentPath(consentId) } as const
  return await sendAndParse(line, caller, question, parseConsent)
}

async function revokeConsent(line: BankClient, caller: BankCaller, consentId: string): Promise<void> {
  const question = {
    operation: 'deleteConsent',
    purpose: 'consent',
    method: 'DELETE',
    path: consentPath(consentId),
  } as const
  await sendChecked(line.fetch, caller, question).catch((error: unknown) => {
    if (!isConsentGone(error)) {
      throw error
    }
  })
}

function consentPath(consentId: string): string {
  return path('consents', consentId)
}
