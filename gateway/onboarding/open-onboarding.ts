/** Opens an onboarding to the company's people: the registry is asked once, and may end it there and then. */

import { fittingCompanyName } from '../companies/company.ts'
import { atomically } from '../platform/database/in-transaction.ts'
import { lookUpCompany, type RegistryAnswer } from '../registries/look-up-company.ts'
import { organisationFormSupport } from '../registries/organisation-forms.ts'
import type { RegisteredCompany } from '../registries/registered-company.ts'
import type { RegistryContext } from '../registries/registry-context.ts'
import { NO_ANSWERS } from './answers/onboarding-answers.ts'
import { saveAnswers } from './answers/onboarding-answers-store.ts'
import { expiryAfter, type Onboarding, type OnboardingKey, type OnboardingReason } from './onboarding.ts'
import { findOnboarding, moveOnboarding, touchOnboarding } from './onboarding-store.ts'
import { noteMove } from './record-onboarding-transition.ts'

/** What came of opening. */
export type Opened =
  | { readonly outcome: 'opened'; readonly onboarding: Onboarding }
  /** The registry does not answer: nothing has happened, and the link may be opened again later. */
  | { readonly outcome: 'registry-unavailable' }

/** Opens it, or touches it when it is open. Throws when there is none. */
export async function openOnboarding(context: RegistryContext, key: OnboardingKey): Promise<Opened> {
  const onboarding = await requireOnboarding(context, key)
  if (onboarding.status === 'Created') {
    const answer = await lookUpCompany(context, onboarding.countryCode, onboarding.organisationNumber)
    if (answer.outcome === 'unavailable') {
      context.log.warn({ onboardingId: key.id, reason: answer.reason }, 'a company registry did not answer')
      return { outcome: 'registry-unavailable' }
    }
    await open(context, onboarding, answer)
  } else {
    const at = context.clock.now()
    await touchOnboarding(context.database, key, { at, expiresAt: expiryAfter(at) })
  }
  return { outcome: 'opened', onboarding: await requireOnboarding(context, key) }
}

async function requireOnboarding({ database }: Pick<RegistryContext, 'database'>, key: OnboardingKey) {
  const onboarding = await findOnboarding(database, key)
  if (onboarding === undefined) {
    throw new Error(`There is no onboarding ${key.id}`)
  }
  return onboarding
}

/** Whoever opens it at the same time finds it opened. */
async function open(
  context: RegistryContext,
  onboarding: Onboarding,
  answer: Exclude<RegistryAnswer, { readonly outcome: 'unavailable' }>,
): Promise<void> {
  const { clock, seal } = context
  const at = clock.now()
  const expiresAt = expiryAfter(at)
  const registered = answer.outcome === 'found' ? answer.company : null
  await atomically(context.database, async (database) => {
    const opened = { status: 'AwaitingCustomerAction', statusReason: null, at } as const
    if (!(await moveOnboarding(database, onboarding, opened, { expiresAt, dueAt: expiresAt }))) {
      return
    }
    await noteMove({ database, clock }, onboarding, opened)
    const awaiting = { ...onboarding, status: opened.status }
    const answers = { ...NO_ANSWERS, registered }
    const organisationName = registered === null ? null : fittingCompanyName(registered.name)
    await saveAnswers({ database, seal }, awaiting, { answers, at, expiresAt, tasksDone: [], organisationName })
    const against = answer.outcome === 'no-registry' ? undefined : reasonAgainst(registered)
    if (against !== undefined) {
      const rejected = { status: 'Rejected', statusReason: against, at } as const
      await moveOnboarding(database, awaiting, rejected)
      await noteMove({ database, clock }, awaiting, rejected)
    }
  })
}

/** Why nothing more is asked of its people, by the registry alone; undefined when they may go on. */
export function reasonAgainst(registered: RegisteredCompany | null): OnboardingReason | undefined {
  if (registered === null || !registered.isActive) {
    return 'CompanyNotFound'
  }
  if (registered.isBankrupt || registered.isInLiquidation) {
    return 'RiskEvaluation'
  }
  const { support } = organisationFormSupport(registered.countryCode, registered.organisationForm)
  return support === 'unsupported' ? 'UnsupportedCompanyType' : undefined
}
