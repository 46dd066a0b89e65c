/** Test driver of onboardings: acts as partner and as company users, by the operations that the pages call. */
import type { Onboarding as OnboardingShown } from '../../../contract/onboarding.ts'
import type { HavnClient } from '../../../sdk/index.ts'
import type { Person } from '../../identity/person.ts'
import { answersFromRegistry, type SectionAnswersInput } from '../../simulation/answers-from-registry.ts'
import type { TestGateway } from '../../testing/gateway/test-gateway.ts'
import { type SaveSectionResult, saveSection } from '../answers/save-section.ts'
import { submitOnboarding } from '../answers/submit-onboarding.ts'
import { decideOnboarding } from '../decision/decide-onboarding.ts'
import { openOnboarding } from '../open-onboarding.ts'
import { recordSignature } from '../signatures/record-signature.ts'
import type { OnboardingKey } from '../store/onboarding.ts'
import { readAnswers } from '../store/onboarding-answers-store.ts'
import type { Signer } from '../store/onboarding-signer.ts'
import { listSigners } from '../store/onboarding-signer-store.ts'
import { findOnboarding } from '../store/onboarding-store.ts'

/** A company of the sample registry whose owner signs alone. */
export const BAKERY = { country: 'NO', organizationNumber: '987654406' } as const
/** A company for which any two board members sign. */
export const HOTEL = { country: 'NO', organizationNumber: '987654414' } as const
/** A company with a politically exposed owner. */
export const SHIPPING = { country: 'NO', organizationNumber: '987654430' } as const

type StartRequest = {
  readonly country: string
  readonly organizationNumber: string
  readonly redirectUrl?: string
}

/** The driver of a gateway under test. */
export function openOnboardingDriver(gateway: TestGateway, client: HavnClient = gateway.client) {
  const { context } = gateway
  const revision = async (key: OnboardingKey) => (await findOnboarding(context.database, key))?.revision ?? -1
  const onboarder = {
    /** Starts an onboarding; the key is read from the url. */
    start: async (request: StartRequest = BAKERY): Promise<OnboardingKey & { readonly url: string }> => {
      const { id, url } = await client.startOnboarding({ body: request })
      const [, , partnerId = ''] = new URL(url).pathname.split('/')
      return { partnerId, id, url }
    },
    /** The onboarding as the partner sees it. */
    status: (key: OnboardingKey): Promise<OnboardingShown> => client.getOnboardingStatus({ params: { id: key.id } }),
    /** Saves one section as its page does. */
    save: async (key: OnboardingKey, typed: SectionAnswersInput): Promise<SaveSectionResult> =>
      saveSection(context, key, { ...typed, revision: await revision(key) }),
    /** Opens the onboarding and saves all sections from registry data; does not confirm the summary. */
    fill: async (key: OnboardingKey): Promise<void> => {
      await openOnboarding(context, key)
      const { registered } = await readAnswers(context, key)
      for (const section of answersFromRegistry(registered)) {
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
    /** Signs as the named person; does not decide the onboarding. */
    sign: (signer: Signer): Promise<boolean> =>
      recordSignature(context, signer, { did: 'sign', identified: personOf(signer), evidence: 'signed word' }),
    refuse: (signer: Signer): Promise<boolean> => recordSignature(context, signer, { did: 'refuse' }),
    /** Runs the whole flow as far as possible. */
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

/** The named signer as an identity provider identifies them. */
export function personOf({ name, birthDate }: Pick<Signer, 'name' | 'birthDate'>): Person {
  const words = name.split(' ')
  const named = { given: words.slice(0, -1).join(' '), family: words.at(-1) ?? '' }
  return { name: named, birthDate, nationalId: null, country: 'NO', levelOfAssurance: 'test' }
}
