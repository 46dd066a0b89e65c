/** Opens an onboarding: looks the company up in the company registry, which may reject it at once. */

import { truncateCompanyName } from '../companies/company.ts'
import type { Context } from '../context.ts'
import { inTransaction } from '../platform/database/in-transaction.ts'
import { lookUpCompany } from '../registries/company-registry.ts'
import { organisationFormSupport } from '../registries/organisation-forms.ts'
import type { RegisteredCompany } from '../registries/registered-company.ts'
import { expireIfOverdue } from './expire-onboarding.ts'
import { changeOnboardingStatus } from './record-onboarding.ts'
import { expiryAfter, type Onboarding, type OnboardingKey, type OnboardingReason } from './store/onboarding.ts'
import { NO_ANSWERS } from './store/onboarding-answers.ts'
import { saveAnswers } from './store/onboarding-answers-store.ts'
import { extendOnboarding, requireOnboarding } from './store/onboarding-store.ts'

export type OpenResult =
  | { readonly outcome: 'opened'; readonly onboarding: Onboarding }
  /** The registry did not answer: nothing was changed, and the link may be opened again later. */
  | { readonly outcome: 'registry-unavailable' }

/** Opens the onboarding, extends it when it is open already, or expires it when its deadline has passed. Throws when there is none. */
export async function openOnboarding(context: Context, key: OnboardingKey): Promise<OpenResult> {
  const onboarding = await expireIfOverdue(context, await requireOnboarding(context.database, key))
  if (onboarding.status === 'Created') {
    const check = await checkRegistry(context, onboarding)
    if (check === undefined) {
      return { outcome: 'registry-unavailable' }
    }
    await open(context, onboarding, check)
  } else {
    await extendOnboarding(context.database, key, context.clock.now())
  }
  return { outcome: 'opened', onboarding: await requireOnboarding(context.database, key) }
}

/** A concurrent call finds the onboarding already opened and changes nothing. */
async function open(
  context: Context,
  onboarding: Onboarding,
  { registered, rejectionReason }: RegistryCheck,
): Promise<void> {
  const at = context.clock.now()
  await inTransaction(context, async (context) => {
    const opened = { status: 'AwaitingCustomerAction', statusReason: null, at } as const
    if (!(await changeOnboardingStatus(context, onboarding, opened, { expiresAt: expiryAfter(at) }))) {
      return
    }
    const awaiting = { ...onboarding, status: opened.status }
    const answers = { ...NO_ANSWERS, registered }
    const organisationName = registered === null ? null : truncateCompanyName(registered.name)
    await saveAnswers(context, awaiting, { answers, at, tasksDone: [], organisationName })
    if (rejectionReason !== undefined) {
      await changeOnboardingStatus(context, awaiting, { status: 'Rejected', statusReason: rejectionReason, at })
    }
  })
}

/** What the company registry says of a company now. */
export type RegistryCheck = {
  /** Null when the registry does not have the company, or there is no registry. */
  readonly registered: RegisteredCompany | null
  /** The reason to reject the company by registry data alone. */
  readonly rejectionReason: OnboardingReason | undefined
}

/**
 * Undefined when the registry does not answer: old data decide nothing. Call outside of transactions: a registry may
 * take seconds to answer.
 */
export async function checkRegistry(
  context: Context,
  { id, countryCode, organisationNumber }: Pick<Onboarding, 'id' | 'countryCode' | 'organisationNumber'>,
): Promise<RegistryCheck | undefined> {
  const answer = await lookUpCompany(context, countryCode, organisationNumber)
  if (answer.outcome === 'unavailable') {
    context.log.warn({ onboardingId: id, reason: answer.reason }, 'a company registry did not answer')
    return undefined
  }
  const registered = answer.outcome === 'found' ? answer.company : null
  const rejectionReason = answer.outcome === 'no-registry' ? undefined : registryRejectionReason(registered)
  return { registered, rejectionReason }
}

/** The reason to reject the company by registry data alone; undefined when there is none. */
export function registryRejectionReason(registered: RegisteredCompany | null): OnboardingReason | undefined {
  if (registered === null || !registered.isActive) {
    return 'CompanyNotFound'
  }
  if (registered.isBankrupt || registered.isInLiquidation) {
    return 'RiskEvaluation'
  }
  const { support } = organisationFormSupport(registered.countryCode, registered.organisationForm)
  return support === 'unsupported' ? 'UnsupportedCompanyType' : undefined
}
