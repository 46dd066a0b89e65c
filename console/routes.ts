/** Lists every page and action of the console that requires a session. */
import { auditList } from './audit/audit-list.ts'
import { BANKS_PATH, bankPage } from './banks/bank-page.ts'
import { banksPage } from './banks/banks-page.ts'
import type { ConsoleContext } from './console-context.ts'
import { type ConsoleRoute, get, post } from './console-route.ts'
import { credentialRoutes } from './credentials/routes.ts'
import { dealRoutes } from './deals/routes.ts'
import { FIGURES_PATH, figuresPage } from './figures/figures-page.ts'
import { firstStepsRoutes } from './home/first-steps/routes.ts'
import { homeRoutes } from './home/home-page.ts'
import { inboxRoutes } from './inbox/routes.ts'
import { SEARCH_PATH } from './layout/layout.ts'
import { checkedLedger, LEDGER_PATH, ledgerPage } from './ledger/ledger-page.ts'
import { listRoutes } from './lists/list-page.ts'
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
    ...listRoutes(context, 'operations.read', auditList(context)),
    ...userRoutes(context),
    ...ownPasskeyRoutes(context),
    ...sessionRoutes(context),
    ...allSessionRoutes(context),
  ]
}

/** Pages that have no others below them, and the forms that they send. */
function singlePages(context: ConsoleContext): readonly ConsoleRoute[] {
  const read = get('operations.read')
  const check = post('operations.read')
  return [
    get('session')(SEARCH_PATH, (request) => searchPage(context, request)),
    get('payments.read')(FIGURES_PATH, (request) => figuresPage(context, request)),
    read(BANKS_PATH, () => banksPage(context)),
    read(`${BANKS_PATH}/:bic`, ({ params: { bic = '' } }) => bankPage(context, bic)),
    read(LEDGER_PATH, async (request) => ledgerPage(request)),
    check(`${LEDGER_PATH}/check`, async (request) => ledgerPage(request, await checkedLedger(context))),
    get('operations.act')(RECONCILIATION_PATH, async (request) => reconciliationPage(request)),
    // Each run takes one of the few reads without a user that banks grant a day.
    post('operations.act')(`${RECONCILIATION_PATH}/run`, (request) => reconcileOfForm(context, request)),
    read('/console/workers', () => workersPage(context)),
  ]
}
