/** The triggers of events about onboardings: companies of the sandbox's registry, whose users act by themselves. */
import type { EventTypeOf } from '../../../../contract/webhooks/event-types.ts'
import { HavnConflictError } from '../../../../sdk/index.ts'
import { CommandError } from '../../command-error.ts'
import type { Subject, Trigger, TriggerStage } from './trigger-stage.ts'

/** Always reviewed by operators, because an owner is politically exposed. */
const REVIEWED_COMPANY = '987654430'
/** Bankrupt. */
const REJECTED_COMPANY = '987654457'
/** Each can be onboarded once. */
const ACCEPTED_COMPANIES = ['987654406', '987654562', '987654414', '987654422', '987654600', '987654538', '987654619']

export const onboardingTriggers: Readonly<Record<EventTypeOf<'ONBOARDING_STATUS'>, Trigger>> = {
  ONBOARDING_STATUS_AWAITING_CUSTOMER_ACTION: {
    how: 'starts an onboarding, and the company fills in its form',
    run: (stage) => onboard(stage, REVIEWED_COMPANY, ['fill']),
  },
  ONBOARDING_STATUS_MANUAL_HANDLING: {
    how: 'onboards a company that operators must review',
    run: (stage) => onboard(stage, REVIEWED_COMPANY, ['fill', 'sign']),
  },
  ONBOARDING_STATUS_ACCEPTED: {
    how: 'onboards the next company of the sandbox that is accepted; there are seven',
    run: onboardNext,
  },
  ONBOARDING_STATUS_REJECTED: {
    how: 'starts the onboarding of a company that is bankrupt',
    run: (stage) => onboard(stage, REJECTED_COMPANY, ['fill']),
  },
  ONBOARDING_STATUS_CANCELLED: {
    how: 'starts an onboarding, which the company cancels',
    run: (stage) => onboard(stage, REVIEWED_COMPANY, ['fill', 'stop']),
  },
  ONBOARDING_STATUS_EXPIRED: {
    how: 'starts an onboarding, and moves the clock by 25 hours',
    longMove: '25 hours',
    run: async (stage) => {
      const subject = await onboard(stage, REVIEWED_COMPANY, [])
      await stage.pass({ advance: 'PT25H' })
      return subject
    },
  },
}

async function onboard(
  { havn, note }: TriggerStage,
  organizationNumber: string,
  steps: readonly ('fill' | 'sign' | 'stop')[],
): Promise<Subject> {
  const { id: onboardingId } = await havn.startOnboarding({ body: { country: 'NO', organizationNumber } })
  note(`Started onboarding ${onboardingId} of company ${organizationNumber}`)
  for (const step of steps) {
    const { status } = await havn.stepSandboxOnboarding({ params: { onboardingId, step }, body: {} })
    note(`${step}: the onboarding is ${status}`)
  }
  return { onboardingId }
}

async function onboardNext(stage: TriggerStage): Promise<Subject> {
  for (const organizationNumber of ACCEPTED_COMPANIES) {
    try {
      return await onboard(stage, organizationNumber, ['fill', 'sign'])
    } catch (error) {
      if (!(error instanceof HavnConflictError && error.failure === 'COMPANY_ALREADY_EXISTS')) {
        throw error
      }
    }
  }
  throw new CommandError('unsuccessful', 'Every company of the sandbox that can be accepted was onboarded before', {
    next: 'npm run reset, which empties the sandbox',
  })
}
