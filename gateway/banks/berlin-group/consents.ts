/** Consents at a bank: asked for, begun, read and ended. */
import { BankRefusal } from '../bank-refusal.ts'
import type { BankCaller, BankFetch, ConsentProduct } from '../connector.ts'
import { ask, identityHeaders, path, send } from './ask.ts'
import { readAuthorisationState, startAuthorisation } from './authorisations.ts'
import { dialectOf } from './dialect.ts'
import { consentBody, consentEndedWith, consentState, dateOf } from './translate.ts'
import { type Consent, readConsent, readConsentCreated } from './wire.ts'

/** What a bank says of a consent that is not there any more. */
const GONE: ReadonlySet<string> = new Set(['consent-invalid', 'unknown-resource', 'expired-resource'])

/** The consent product over one way of fetching. */
export function consentProduct(fetch: BankFetch): ConsentProduct {
  return {
    create: (caller, terms) => createConsent(fetch, caller, terms),
    read: (caller, consentId) => readConsentState(fetch, caller, consentId),
    startAuthorisation: (caller, consentId, back) =>
      startAuthorisation(fetch, caller, { operation: 'startConsentAuthorisation', of: consentPath(consentId), back }),
    readAuthorisation: (caller, consentId, authorisationId) =>
      readAuthorisationState(fetch, caller, {
        operation: 'getConsentAuthorisation',
        of: consentPath(consentId),
        authorisationId,
        readTarget: async () =>
          consentEndedWith(await askConsent(fetch, caller, consentId), dialectOf(caller.bank.profile)),
      }),
    revoke: (caller, consentId) => revokeConsent(fetch, caller, consentId),
  }
}

async function createConsent(
  fetch: BankFetch,
  caller: BankCaller,
  terms: Parameters<ConsentProduct['create']>[1],
): ReturnType<ConsentProduct['create']> {
  const created = await ask(
    fetch,
    caller,
    {
      operation: 'createConsent',
      purpose: 'consent',
      method: 'POST',
      path: '/consents',
      requestId: terms.requestId,
      headers: {
        ...identityHeaders(caller),
        'tpp-explicit-authorisation-preferred': 'true',
      },
      body: consentBody(terms, dialectOf(caller.bank.profile)),
    },
    readConsentCreated,
  )
  return { bankConsentId: created.consentId, validUntil: dateOf(created.validUntil) ?? terms.validUntil }
}

async function readConsentState(
  fetch: BankFetch,
  caller: BankCaller,
  consentId: string,
): ReturnType<ConsentProduct['read']> {
  const state = consentState(await askConsent(fetch, caller, consentId))
  if (state === undefined) {
    throw new BankRefusal('unavailable', 'The bank gives the consent a status that is not in the standard')
  }
  return state
}

async function askConsent(fetch: BankFetch, caller: BankCaller, consentId: string): Promise<Consent> {
  const question = { operation: 'getConsent', purpose: 'consent', method: 'GET', path: consentPath(consentId) } as const
  return await ask(fetch, caller, question, readConsent)
}

async function revokeConsent(fetch: BankFetch, caller: BankCaller, consentId: string): Promise<void> {
  const question = {
    operation: 'deleteConsent',
    purpose: 'consent',
    method: 'DELETE',
    path: consentPath(consentId),
  } as const
  await send(fetch, caller, question).catch((error: unknown) => {
    if (!(error instanceof BankRefusal && GONE.has(error.kind))) {
      throw error
    }
  })
}

function consentPath(consentId: string): string {
  return path('consents', consentId)
}
