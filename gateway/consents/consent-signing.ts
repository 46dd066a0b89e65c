/** Takes consents through signing: begins and reads their authorisation, and takes the outcome. */

import type { ConsentStatus } from '../../contract/consents.ts'
import { requirePartner } from '../auth/list-partners.ts'
import { BankRefusal, type BankRefusalKind } from '../banks/bank-refusal.ts'
import type { BankCaller, BankConsentState, ConsentProduct } from '../banks/connector.ts'
import { requireBank } from '../banks/require-bank.ts'
import type { Context } from '../context.ts'
import { companyOf } from '../onboarding/require-company.ts'
import type { ForgottenState, Signing, SigningKind, SigningOutcome } from '../signing/signing.ts'
import { acceptConsent } from './accept-consent.ts'
import { bankCallerOf, type Consent } from './consent.ts'
import { findConsent, moveConsent } from './consent-store.ts'

/** Whether somebody left or the time passed is not told apart: `CANCELLED` carries no reason. */
const changeByOutcome = {
  rejected: { status: 'REJECTED', statusReason: 'USER' },
  cancelled: { status: 'CANCELLED' },
} as const

/** How consents take part in signing; a consent that is not kept yet is given. */
export function consentSigning(unkept?: Consent): SigningKind {
  const load = async (context: Context, { partnerId, consentId }: Pick<Signing, 'partnerId' | 'consentId'>) =>
    unkept?.id === consentId ? unkept : await requireKept(context, partnerId, consentId)
  return {
    begin: async (context, signing, _step, back) => {
      const consent = await load(context, signing)
      const { consents, caller } = await atBank(context, consent, signing.psu)
      return await consents.startAuthorisation(caller, consent.bankConsentId, back)
    },
    read: async (context, signing, { authorisationId }) => {
      const consent = await load(context, signing)
      const { consents, caller } = await atBank(context, consent, null)
      return await consents.readAuthorisation(caller, consent.bankConsentId, authorisationId)
    },
    readForgotten: async (context, signing) => {
      const consent = await load(context, signing)
      const { consents, caller } = await atBank(context, consent, null)
      return await readConsent(consents, caller, consent.bankConsentId)
    },
    ended: async (context, signing, outcome) => takeOutcome(context, await load(context, signing), outcome),
    summarise: async (context, signing) => {
      const consent = await load(context, signing)
      const partner = await requirePartner(context, signing.partnerId)
      const company = await companyOf(context, consent)
      return { title: 'Give access to accounts', partnerName: partner.name, companyName: company?.name ?? '' }
    },
  }
}

const CONSENT_GONE: ReadonlySet<BankRefusalKind> = new Set(['consent-invalid', 'unknown-resource', 'expired-resource'])

/** A consent that waits, or is gone, was not accepted in its time. */
async function readConsent(
  consents: ConsentProduct,
  caller: BankCaller,
  bankConsentId: string,
): Promise<ForgottenState> {
  try {
    const { state, bankStatus } = await consents.read(caller, bankConsentId)
    return { state: stateByConsent[state], scaStatus: `forgotten, consent ${bankStatus}`, text: null }
  } catch (error) {
    if (error instanceof BankRefusal && CONSENT_GONE.has(error.kind)) {
      return { state: 'cancelled', scaStatus: 'forgotten with the consent', text: error.message }
    }
    throw error
  }
}

const stateByConsent: Readonly<Record<BankConsentState['state'], ForgottenState['state']>> = {
  pending: 'cancelled',
  valid: 'signed',
  rejected: 'refused',
  revoked: 'cancelled',
  expired: 'cancelled',
}

async function takeOutcome(context: Context, consent: Consent, outcome: SigningOutcome): Promise<SigningOutcome> {
  if (outcome === 'success') {
    await acceptConsent(context, consent)
  } else {
    const change = { ...changeByOutcome[outcome], at: context.clock.now() }
    await moveConsent(context.database.query, consent, change)
  }
  const kept = await findConsent(context, consent)
  return kept === undefined ? outcome : outcomeByStatus[kept.status]
}

/** A consent that has been in force was accepted, whatever became of it since. */
const outcomeByStatus: Readonly<Record<ConsentStatus, SigningOutcome>> = {
  AUTHORIZATION_REQUIRED: 'cancelled',
  ACCEPTED: 'success',
  REJECTED: 'rejected',
  CANCELLED: 'cancelled',
  EXPIRED: 'success',
  REVOKED: 'success',
}

async function requireKept(context: Context, partnerId: string, id: string): Promise<Consent> {
  const consent = await findConsent(context, { partnerId, id })
  if (consent === undefined) {
    throw new Error(`The consent ${id} of a signing is not there`)
  }
  return consent
}

async function atBank(context: Context, consent: Consent, psu: Parameters<typeof bankCallerOf>[2]) {
  const bank = await requireBank(context.banks, consent.bic)
  const consents: ConsentProduct = context.banks.connectorOf(bank).consents
  return { consents, caller: bankCallerOf(bank, consent, psu) }
}
