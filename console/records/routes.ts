/** Lists of consents, approvals, cancellations, payrolls, onboardings and exchanges, and the pages of most of them. */
import type { Context } from '../../gateway/context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { exportList, listPage } from '../lists/list-page.ts'
import { approvalPage } from './approval-page.ts'
import { CANCELLATIONS_PATH, cancellationPage } from './cancellation-page.ts'
import { CONSENTS_PATH, consentPage, revokeConsentInPath } from './consent-page.ts'
import { EXCHANGES_PATH, exchangePage } from './exchange-page.ts'
import { EXPIRING_CONSENTS_PATH, expiringConsentList } from './expiring-consents-page.ts'
import { RECORD_LISTS, recordList } from './record-lists.ts'

export function recordRoutes(context: Context): readonly ConsoleRoute[] {
  const lists = RECORD_LISTS.flatMap((each): readonly ConsoleRoute[] => {
    const list = recordList(context, each)
    const read = { method: 'GET', permission: each.permission } as const
    return [
      { ...read, path: list.path, handle: (request) => listPage(context, list, request) },
      { ...read, path: `${list.path}.csv`, handle: (request) => exportList(list, request) },
    ]
  })
  const read = { method: 'GET', permission: 'payments.read' } as const
  return [
    ...lists,
    {
      ...read,
      path: EXPIRING_CONSENTS_PATH,
      handle: (request) => listPage(context, expiringConsentList(context, request), request),
    },
    { ...read, path: `${CONSENTS_PATH}/:consentId`, handle: (request) => consentPage(context, request) },
    {
      method: 'POST',
      path: `${CONSENTS_PATH}/:consentId/revoke`,
      permission: 'payments.act',
      handle: (request) => revokeConsentInPath(context, request),
    },
    { ...read, path: '/console/approvals/:approvalId', handle: (request) => approvalPage(context, request) },
    {
      ...read,
      path: `${CANCELLATIONS_PATH}/:cancellationId`,
      handle: (request) => cancellationPage(context, request),
    },
    { ...read, path: `${EXCHANGES_PATH}/:dealId`, handle: (request) => exchangePage(context, request) },
  ]
}
