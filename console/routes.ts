/** Lists every page and action of the console that requires a session. */
import { auditRoutes } from './audit/routes.ts'
import { BANKS_PATH, bankPage } from './banks/bank-page.ts'
import { banksPage } from './banks/banks-page.ts'
import type { ConsoleContext } from './console-context.ts'
import type { ConsoleRoute } from './console-route.ts'
import { credentialRoutes } from './credentials/routes.ts'
import { dealRoutes } from './deals/routes.ts'
import { FIGURES_PATH, figuresPage } from './figures/figures-page.ts'
import { firstStepsRoutes } from './home/first-steps/routes.ts'
import { homeRoutes } from './home/home-page.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { SEARCH_PATH } from './layout/layout.ts'
import { checkedLedger, LEDGER_PATH, ledgerPage } from './ledger/ledger-page.ts'
import { onboardingRoutes } from './onboardings/routes.ts'
import { partnerRoutes } from './partners/routes.ts'
import { paymentRoutes } from './payments/routes.ts'
import { payrollRoutes } from './payrolls/routes.ts'
import { RECONCILIATION_PATH, reconcileOfForm, reconciliationPage } from './reconciliation/reconciliation-page.ts'
import { recordRoutes } from './records/routes.ts'
import { requestRoutes } from './requests/routes.ts'
import { sandboxRoutes } from './sandbox/routes.ts'
import { searchPage } from './search/search-page.ts'
import { allSessionRoutes } from './sessions/all-sessions-page.ts'
import { sessionRoutes } from './sessions/session-pages.ts'
import { ownPasskeyRoutes } from './sign-in/passkey/own-passkeys.ts'
import { taskRoutes } from './tasks/routes.ts'
import { userRoutes } from './users/routes.ts'
import { webhookRoutes } from './webhooks/routes.ts'
import { workersPage } from './workers/workers-page.ts'

export function consoleRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  return [
    ...homeRoutes(context),
    ...singlePages(context),
    ...firstStepsRoutes(context),
    ...paymentRoutes(context),
    ...payrollRoutes(context),
    ...onboardingRoutes(context),
    ...recordRoutes(context),
    ...taskRoutes(context),
    ...credentialRoutes(context),
    ...webhookRoutes(context),
    ...inboxRoutes(context),
    ...requestRoutes(context),
    ...sandboxRoutes(context),
    ...partnerRoutes(context),
    ...dealRoutes(context),
    ...auditRoutes(context),
    ...userRoutes(context),
    ...ownPasskeyRoutes(context),
    ...sessionRoutes(context),
    ...allSessionRoutes(context),
  ]
}

/** Pages that have no others below them, and the forms that they send. */
function singlePages(context: ConsoleContext): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'operations.read' } as const
  const reconciliation = { permission: 'operations.act', path: RECONCILIATION_PATH } as const
  return [
    { method: 'GET', permission: 'session', path: SEARCH_PATH, handle: (request) => searchPage(context, request) },
    { ...read, permission: 'payments.read', path: FIGURES_PATH, handle: (request) => figuresPage(context, request) },
    { ...read, path: BANKS_PATH, handle: () => banksPage(context) },
    { ...read, path: `${BANKS_PATH}/:bic`, handle: ({ params: { bic = '' } }) => bankPage(context, bic) },
    { ...read, path: LEDGER_PATH, handle: async (request) => ledgerPage(request) },
    {
      ...read,
      method: 'POST',
      path: `${LEDGER_PATH}/check`,
      handle: async (request) => ledgerPage(request, await checkedLedger(context)),
    },
    { ...reconciliation, method: 'GET', handle: async (request) => reconciliationPage(request) },
    {
      ...reconciliation,
      method: 'POST',
      path: `${RECONCILIATION_PATH}/run`,
      handle: (request) => reconcileOfForm(context, request),
    },
    { ...read, path: '/console/workers', handle: () => workersPage(context) },
  ]
}
