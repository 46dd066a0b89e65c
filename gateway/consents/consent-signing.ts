/** Takes consents through signing: begins and reads their authorisation, and takes the outcome. */

import { requirePartner } from '../auth/list-partners.ts'
import type { ConsentProduct } from '../banks/connector.ts'
import type { Context } from '../context.ts'
import { refuse } from '../foundation/http/refusal.ts'
import { companyOf } from '../onboarding/require-company.ts'
import type { Signing, SigningKind, SigningOutcome } from '../signing/signing.ts'
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
    ended: async (context, signing, outcome) => takeOutcome(context, await load(context, signing), outcome),
    summarise: async (context, signing) => {
      const consent = await load(context, signing)
      const partner = await requirePartner(context, signing.partnerId)
      const company = await companyOf(context, consent)
      return { title: 'Give access to accounts', partnerName: partner.name, companyName: company?.name ?? '' }
    },
  }
}

async function takeOutcome(context: Context, consent: Consent, outcome: SigningOutcome): Promise<void> {
  if (outcome === 'success') {
    await acceptConsent(context, consent)
  } else {
    const change = { ...changeByOutcome[outcome], at: context.clock.now() }
    await moveConsent(context.database.query, consent, change)
  }
}

async function requireKept(context: Context, partnerId: string, id: string): Promise<Consent> {
  const consent = await findConsent(context, { partnerId, id })
  if (consent === undefined) {
    throw new Error(`The consent ${id} of a signing is not there`)
  }
  return consent
}

async function atBank(context: Context, consent: Consent, psu: Parameters<typeof bankCallerOf>[2]) {
  const bank = await context.banks.find(consent.bic)
  if (bank === undefined) {
    throw refuse('unavailable', `The bank ${consent.bic} is not served at this moment`)
  }
  const consents: ConsentProduct = context.banks.connectorOf(bank).consents
  return { consents, caller: bankCallerOf(bank, consent, psu) }
}
