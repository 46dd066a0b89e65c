/** Lists how the sandbox is made to produce each type of event, and why it cannot produce the others. */
import type { EventType } from '../../../../contract/webhooks/event-types.ts'
import { consentTriggers, entryTriggers } from './consent-triggers.ts'
import { exchangeTriggers } from './exchange-triggers.ts'
import { onboardingTriggers } from './onboarding-triggers.ts'
import { approvalTriggers, paymentTriggers } from './payment-triggers.ts'
import { payrollTransactionTriggers, payrollTriggers } from './payroll-triggers.ts'
import type { Trigger } from './trigger-stage.ts'

export const triggers: Readonly<Record<EventType, Trigger>> = {
  ...paymentTriggers,
  ...payrollTriggers,
  ...payrollTransactionTriggers,
  ...approvalTriggers,
  ...consentTriggers,
  ...onboardingTriggers,
  ...exchangeTriggers,
  ...entryTriggers,
}
