/** Lists of consents, approvals, cancellations, payrolls, onboardings and exchanges, and the pages of most of them. */
import type { Context } from '../../gateway/context.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
import { listPage, listRoutes } from '../lists/list-page.ts'
import { approvalPage } from './approval-page.ts'
import { CANCELLATIONS_PATH, cancellationPage } from './cancellation-page.ts'
import { CONSENTS_PATH, consentPage, revokeConsentInPath } from './consent-page.ts'
import { EXCHANGES_PATH, exchangePage } from './exchange-page.ts'
import { EXPIRING_CONSENTS_PATH, expiringConsentList } from './expiring-consents-page.ts'
import { RECORD_LISTS, recordList } from './record-lists.ts'

export function recordRoutes(context: Context): readonly ConsoleRoute[] {
  const read = get('payments.read')
  return [
    ...RECORD_LISTS.flatMap((list) => listRoutes(context, list.permission, recordList(context, list))),
    read(EXPIRING_CONSENTS_PATH, (request) => listPage(context, expiringConsentList(context, request), request)),
    read(`${CONSENTS_PATH}/:consentId`, (request) => consentPage(context, request)),
    post('payments.act')(`${CONSENTS_PATH}/:consentId/revoke`, (request) => revokeConsentInPath(context, request)),
    read('/console/approvals/:approvalId', (request) => approvalPage(context, request)),
    read(`${CANCELLATIONS_PATH}/:cancellationId`, (request) => cancellationPage(context, request)),
    read(`${EXCHANGES_PATH}/:dealId`, (request) => exchangePage(context, request)),
  ]
}
