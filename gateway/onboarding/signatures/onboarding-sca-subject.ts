/** Takes signers of onboardings through signing: each identifies at a provider, must be the one who was asked, and has signed. */
import { requirePartner } from '../../auth/list-partners.ts'
import { BankRefusal } from '../../banks/connector/bank-error.ts'
import type { Context } from '../../context.ts'
import type { Identification } from '../../identity/identity-provider.ts'
import type { IdentityProviders } from '../../identity/identity-providers.ts'
import { IdentityRefusal } from '../../identity/identity-refusal.ts'
import { isExpected } from '../../identity/person.ts'
import { newId } from '../../platform/ids.ts'
import type { CompanyRegistries } from '../../registries/company-registry.ts'
import type { RegistryContext } from '../../registries/registry-context.ts'
import type { BegunStep, Signing, SigningKind, SigningOutcome } from '../../signing/signing.ts'
import { asRegistered } from '../answers/onboarding-answers.ts'
import { decideOnboarding } from '../decide-onboarding.ts'
import type { Onboarding } from '../onboarding.ts'
import { findOnboarding } from '../onboarding-store.ts'
import { countryLanguage } from '../sessions/country-language.ts'
import type { Signature } from './onboarding-signature.ts'
import { findSignature, forgetProof, keepSignature } from './onboarding-signature-store.ts'
import type { Signer } from './onboarding-signer.ts'
import { findSigner } from './onboarding-signer-store.ts'
import { takeSignature } from './record-signature.ts'

/** Who is asked about persons, and who about companies. */
type WaysOut = { readonly identity: IdentityProviders; readonly registries: CompanyRegistries }
type OfSigning = Pick<Signing, 'partnerId' | 'subjectId'>

/** How onboardings take part in signing. What is asked of a bank elsewhere is read from what its provider has said. */
export function onboardingSigning({ identity, registries }: WaysOut): SigningKind {
  return {
    begin: async (context, signing, _step, { back }) => {
      const { onboarding } = await load(context, signing)
      const { countryCode, documentHash } = onboarding
      const provider = requireProvider(identity, signing.identityProvider)
      const language = countryLanguage(countryCode)
      const asked = { back: back.success, countryCode, documentHash, text: textOf(onboarding), language }
      const { url, secret } = await asBank(() => provider.begin(asked))
      return { authorisationId: newId(), way: { type: 'redirect', url }, returnSecret: secret }
    },
    complete: async (context, signing, step, { query, returnSecret }) => {
      const provider = requireProvider(identity, signing.identityProvider)
      const found = await asBank(() => believed(context, () => provider.finish({ query, secret: returnSecret ?? '' })))
      if (found.outcome === 'foreign') {
        return false
      }
      const { signer } = await load(context, signing)
      const key = { partnerId: signing.partnerId, id: step.authorisationId, signerId: signer.id }
      await keepSignature(context, { ...key, ...endOf(signer, found), provider: provider.id, at: context.clock.now() })
      return true
    },
    read: async (context, signing, step) => {
      const signature = await findSignature(context, keyOf(signing, step))
      const scaStatus = signature?.state === 'refused' ? signature.refusal : (signature?.state ?? 'asked')
      return { state: signature?.state ?? 'open', scaStatus, text: null, qr: null, unconfirmed: false }
    },
    readForgotten: async () => ({ state: 'cancelled', scaStatus: 'given up', text: null }),
    ended: async (context, signing, outcome) => await takeOutcome({ ...context, registries }, signing, outcome),
    summarise: async (context, signing) => {
      const { onboarding } = await load(context, signing)
      const partner = await requirePartner(context, signing.partnerId)
      return { partnerName: partner.name, companyName: onboarding.organisationName ?? onboarding.organisationNumber }
    },
  }
}

/** What cannot be believed is a refusal of the signature, and nothing to be tried again: its code is spent. */
async function believed(
  { log }: Pick<Context, 'log'>,
  finish: () => Promise<Identification>,
): Promise<Identification | { readonly outcome: 'not-proven' }> {
  try {
    return await finish()
  } catch (error) {
    if (error instanceof IdentityRefusal && error.kind === 'not-proven') {
      log.warn({ refusal: error.kind, error }, 'an identity provider proved nothing')
      return { outcome: 'not-proven' }
    }
    throw error
  }
}

type Word = Exclude<Identification, { readonly outcome: 'foreign' }> | { readonly outcome: 'not-proven' }
type End =
  | Pick<Extract<Signature, { state: 'refused' }>, 'state' | 'refusal'>
  | Pick<Extract<Signature, { state: 'signed' }>, 'state' | 'proof'>

/** Nothing is kept of somebody who was not asked to sign. */
function endOf(signer: Signer, word: Word): End {
  if (word.outcome !== 'identified') {
    return { state: 'refused', refusal: word.outcome === 'denied' ? 'declined' : 'not-proven' }
  }
  const { person, idToken } = word
  return isExpected(person, asRegistered(signer))
    ? { state: 'signed', proof: { person, idToken } }
    : { state: 'refused', refusal: 'other-person' }
}

/** Called again after a crash, it finds the signature taken, and decides what was not decided. */
async function takeOutcome(
  context: RegistryContext,
  signing: Signing,
  outcome: SigningOutcome,
): Promise<SigningOutcome> {
  const [step] = signing.steps
  const key = { partnerId: signing.partnerId, id: step?.authorisationId ?? '' }
  const signature = step?.authorisationId == null ? undefined : await findSignature(context, key)
  if (outcome !== 'success' || signature?.state !== 'signed') {
    await forgetUnlessNone(context, signature)
    return outcome === 'success' ? 'rejected' : outcome
  }
  const { onboarding, signer } = await load(context, signing)
  const isTaken =
    signature.proof === null
      ? signer.status === 'Signed'
      : await takeSignature(context, signer, {
          did: 'sign',
          identified: signature.proof.person,
          evidence: signature.proof.idToken,
        })
  if (isTaken) {
    await decideOnboarding(context, onboarding)
  }
  await forgetProof(context.database, signature)
  return isTaken ? 'success' : 'rejected'
}

async function forgetUnlessNone(
  { database }: Pick<Context, 'database'>,
  signature: Signature | undefined,
): Promise<void> {
  if (signature !== undefined) {
    await forgetProof(database, signature)
  }
}

/** The signing room speaks of banks: a provider's no is told in those words. */
async function asBank<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof IdentityRefusal) {
      throw new BankRefusal(error.kind === 'unavailable' ? 'unavailable' : 'misconfigured', error.message, [], error)
    }
    throw error
  }
}

function requireProvider(identity: IdentityProviders, id: string | null) {
  const provider = id === null ? null : identity.find(id)
  if (provider === null) {
    throw new BankRefusal('unavailable', `The identity provider ${id} is not set at this moment`)
  }
  return provider
}

async function load(
  { database, seal }: Pick<Context, 'database' | 'seal'>,
  { partnerId, subjectId }: OfSigning,
): Promise<{ readonly signer: Signer; readonly onboarding: Onboarding }> {
  const signer = await findSigner({ database, seal }, { partnerId, id: subjectId })
  const onboarding = signer && (await findOnboarding(database, { partnerId, id: signer.onboardingId }))
  if (signer === undefined || onboarding === undefined) {
    throw new Error(`The signer ${subjectId} of a signing is not there`)
  }
  return { signer, onboarding }
}

function keyOf({ partnerId }: Signing, { authorisationId }: BegunStep) {
  return { partnerId, id: authorisationId }
}

/** What the provider shows, where it can: the hash stands for everything that our own pages showed. */
function textOf({ documentHash, organisationName, organisationNumber }: Onboarding): string {
  return `${organisationName ?? ''} (${organisationNumber})\nSHA-256: ${documentHash ?? ''}`.trim()
}
