/** Consents at a bank: asked for, begun, read and ended. */
import { BankRefusal } from '../../connector/bank-error.ts'
import type { BankCaller, ConsentProduct } from '../../connector/connector.ts'
import { authorisationsOf } from './authorisations/authorisations.ts'
import { consentEndedWith } from './authorisations/translate-authorisations.ts'
import { dialectOf } from './dialect.ts'
import { consentBody, consentState, dateOf } from './translate-status.ts'
import type { Line } from './transport/bank-client.ts'
import { ask, creationHeaders, identityHeaders, path, send } from './transport/send-request.ts'
import { type Consent, readConsent, readConsentCreated } from './wire.ts'

/** What a bank says of a consent that is not there any more. */
const GONE: ReadonlySet<string> = new Set(['consent-invalid', 'unknown-resource', 'expired-resource'])

/** The consent product over one line. */
export function consentProduct(line: Line): ConsentProduct {
  return {
    create: (caller, terms) => createConsent(line, caller, terms),
    read: (caller, consentId) => readConsentState(line, caller, consentId),
    authorisations: authorisationsOf(line, {
      name: 'Consent',
      scope: (consentId) => `AIS:${consentId}`,
      collection: (_caller, consentId) => `${consentPath(consentId)}/authorisations`,
      readTarget: async (caller, consentId) =>
        consentEndedWith(await askConsent(line, caller, consentId), dialectOf(caller.bank.profile)),
    }),
    revoke: (caller, consentId) => revokeConsent(line, caller, consentId),
  }
}

async function createConsent(
  line: Line,
  caller: BankCaller,
  terms: Parameters<ConsentProduct['create']>[1],
): ReturnType<ConsentProduct['create']> {
  const created = await ask(
    line.fetch,
    caller,
    {
      operation: 'createConsent',
      purpose: 'consent',
      method: 'POST',
      path: '/consents',
      requestId: terms.requestId,
      headers: { ...identityHeaders(caller), ...creationHeaders(caller, line.home) },
      body: consentBody(terms, dialectOf(caller.bank.profile)),
    },
    readConsentCreated,
  )
  return { bankConsentId: created.consentId, validUntil: dateOf(created.validUntil) ?? terms.validUntil }
}

async function readConsentState(line: Line, caller: BankCaller, consentId: string): ReturnType<ConsentProduct['read']> {
  const state = consentState(await askConsent(line, caller, consentId))
  if (state === undefined) {
    throw new BankRefusal('unavailable', 'The bank gives the consent a status that is not in the standard')
  }
  return state
}

async function askConsent(line: Line, caller: BankCaller, consentId: string): Promise<Consent> {
  const question = { operation: 'getConsent', purpose: 'consent', method: 'GET', path: consentPath(consentId) } as const
  return await ask(line.fetch, caller, question, readConsent)
}

async function revokeConsent(line: Line, caller: BankCaller, consentId: string): Promise<void> {
  const question = {
    operation: 'deleteConsent',
    purpose: 'consent',
    method: 'DELETE',
    path: consentPath(consentId),
  } as const
  await send(line.fetch, caller, question).catch((error: unknown) => {
    if (!(error instanceof BankRefusal && GONE.has(error.kind))) {
      throw error
    }
  })
}

function consentPath(consentId: string): string {
  return path('consents', consentId)
}
