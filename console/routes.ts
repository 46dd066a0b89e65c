/** Lists every page and action of the console that requires a session. */
import { auditRoutes } from './audit/routes.ts'
import { bankRoutes } from './banks/routes.ts'
import type { ConsoleContext } from './console-context.ts'
import type { ConsoleRoute } from './console-route.ts'
import { credentialRoutes } from './credentials/routes.ts'
import { dealRoutes } from './deals/routes.ts'
import { figuresRoutes } from './figures/routes.ts'
import { firstStepsRoutes } from './home/first-steps/routes.ts'
import { homeRoutes } from './home/home-page.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { ledgerRoutes } from './ledger/routes.ts'
import { onboardingRoutes } from './onboardings/routes.ts'
import { partnerRoutes } from './partners/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { payrollRoutes } from './payrolls/routes.ts'
import { reconciliationRoutes } from './reconciliation/routes.ts'
import { expiringConsentRoutes } from './records/expiring-consents-page.ts'
import { recordRoutes } from './records/routes.ts'
import { requestRoutes } from './requests/routes.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { searchRoutes } from './search/routes.ts'
import { allSessionRoutes } from './sessions/all-sessions-page.ts'
import { sessionRoutes } from './sessions/session-pages.ts'
import { ownPasskeyRoutes } from './sign-in/passkey/own-passkeys.ts'
import { taskRoutes } from './tasks/routes.ts'
import { userRoutes } from './users/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { workerRoutes } from './workers/routes.ts'

export function consoleRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  return [
    ...homeRoutes(context),
    ...firstStepsRoutes(context),
    ...figuresRoutes(context),
    ...paymentRoutes(context),
    ...payrollRoutes(context),
    ...onboardingRoutes(context),
    ...recordRoutes(context),
    ...expiringConsentRoutes(context),
    ...searchRoutes(context),
    ...taskRoutes(context),
    ...credentialRoutes(context),
    ...webhookRoutes(context),
    ...inboxRoutes(context),
    ...requestRoutes(context),
    ...sandboxRoutes(context),
    ...partnerRoutes(context),
    ...bankRoutes(context),
    ...dealRoutes(context),
    ...ledgerRoutes(context),
    ...reconciliationRoutes(context),
    ...workerRoutes(context),
    ...auditRoutes(context),
    ...userRoutes(context),
    ...ownPasskeyRoutes(context),
    ...sessionRoutes(context),
    ...allSessionRoutes(context),
  ]
}
