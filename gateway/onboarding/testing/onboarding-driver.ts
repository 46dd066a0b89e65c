/** Plays a partner that brings companies of the sample registry in, and the company's people, by the verbs that pages call. */
import type { Onboarding as OnboardingShown } from '../../../contract/onboarding.ts'
import type { HavnClient } from '../../../sdk/client.ts'
import type { Person } from '../../identity/person.ts'
import { type SectionWritten, writtenAsRegistered } from '../../simulation/answers-from-registry.ts'
import type { WholeGateway } from '../../testing/gateway/test-gateway.ts'
import { readAnswers } from '../answers/onboarding-answers-store.ts'
import { type SectionSaved, saveSection } from '../answers/save-section.ts'
import { submitOnboarding } from '../answers/submit-onboarding.ts'
import { decideOnboarding } from '../decide-onboarding.ts'
import type { OnboardingKey } from '../onboarding.ts'
import { findOnboarding } from '../onboarding-store.ts'
import { openOnboarding } from '../open-onboarding.ts'
import type { Signer } from '../signatures/onboarding-signer.ts'
import { listSigners } from '../signatures/onboarding-signer-store.ts'
import { takeSignature } from '../signatures/record-signature.ts'

/** A company of the sample registry whose owner signs alone. */
export const BAKERY = { country: 'NO', organizationNumber: '987654406' } as const
/** One of the sample registry for which any two of its board sign. */
export const HOTEL = { country: 'NO', organizationNumber: '987654414' } as const
/** One with a politically exposed owner. */
export const SHIPPING = { country: 'NO', organizationNumber: '987654430' } as const

type Asked = { readonly country: string; readonly organizationNumber: string | number; readonly redirectUrl?: string }

/** What a partner and a company's people do. */
export function openOnboarder(gateway: WholeGateway, client: HavnClient = gateway.client) {
  const { context } = gateway
  const revision = async (key: OnboardingKey) => (await findOnboarding(context.database, key))?.revision ?? -1
  const onboarder = {
    /** Starts an onboarding; the key is read from the url. */
    start: async (asked: Asked = BAKERY): Promise<OnboardingKey & { readonly url: string }> => {
      const { id, url } = await client.startOnboarding({ body: asked })
      const [, , partnerId = ''] = new URL(url).pathname.split('/')
      return { partnerId, id, url }
    },
    /** What the partner sees. */
    status: (key: OnboardingKey): Promise<OnboardingShown> => client.getOnboardingStatus({ params: { id: key.id } }),
    /** Saves one section as its page does. */
    save: async (key: OnboardingKey, typed: SectionWritten): Promise<SectionSaved> =>
      saveSection(context, key, { ...typed, revision: await revision(key) }),
    /** Opens it and writes everything as it is registered; the summary is not confirmed. */
    fill: async (key: OnboardingKey): Promise<void> => {
      await openOnboarding(context, key)
      const { registered } = await readAnswers(context, key)
      for (const section of writtenAsRegistered(registered)) {
        const saved = await onboarder.save(key, section)
        if (saved.outcome !== 'saved') {
          throw new Error(`The section ${section.section} was not saved: ${JSON.stringify(saved)}`)
        }
      }
    },
    confirm: async (key: OnboardingKey) => submitOnboarding(context, key, { revision: await revision(key) }),
    signers: (key: OnboardingKey): Promise<readonly Signer[]> => listSigners(context, key),
    /** Fills in and confirms. */
    submit: async (key: OnboardingKey): Promise<readonly Signer[]> => {
      await onboarder.fill(key)
      await onboarder.confirm(key)
      return await onboarder.signers(key)
    },
    /** A signer signs as the person that the company named; nothing is decided yet. */
    sign: (signer: Signer): Promise<boolean> =>
      takeSignature(context, signer, { did: 'sign', identified: personOf(signer), evidence: 'signed word' }),
    refuse: (signer: Signer): Promise<boolean> => takeSignature(context, signer, { did: 'refuse' }),
    /** The whole way, as far as it goes. */
    complete: async (key: OnboardingKey): Promise<OnboardingShown> => {
      await openOnboarding(context, key)
      if ((await findOnboarding(context.database, key))?.status === 'AwaitingCustomerAction') {
        for (const signer of await onboarder.submit(key)) {
          await onboarder.sign(signer)
        }
        await decideOnboarding(context, key)
      }
      return await onboarder.status(key)
    },
  }
  return onboarder
}

/** The person whom a signer is named as, as an identity provider tells of it. */
export function personOf({ name, birthDate }: Pick<Signer, 'name' | 'birthDate'>): Person {
  const words = name.split(' ')
  const named = { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '' }
  return { name: named, birthDate, nationalId: null, country: 'NO', levelOfAssurance: 'test' }
}
