/** Lists the examples of every operation by the operation's id. */
import type { ExamplesById } from '../operations.ts'
import { accountExamples } from './accounts.ts'
import { cancellationExamples } from './cancellations.ts'
import { consentExamples } from './consents.ts'
import { countryExamples } from './countries.ts'
import { crossBorderExamples } from './cross-border.ts'
import { exchangeExamples } from './fx.ts'
import { onboardingExamples } from './onboarding.ts'
import { paymentExamples } from './payments.ts'
import { payrollExamples } from './payrolls.ts'
import { requestLogExamples } from './request-log.ts'
import { sandboxExamples } from './sandbox.ts'
import { tokenExamples } from './token.ts'
import { webhookExamples } from './webhooks.ts'

export const examplesByOperation: ExamplesById = {
  ...accountExamples,
  ...cancellationExamples,
  ...consentExamples,
  ...countryExamples,
  ...crossBorderExamples,
  ...exchangeExamples,
  ...onboardingExamples,
  ...paymentExamples,
  ...payrollExamples,
  ...requestLogExamples,
  ...sandboxExamples,
  ...tokenExamples,
  ...webhookExamples,
}
