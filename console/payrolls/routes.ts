/** Shows payrolls, and lets their users act on them; the list is one of records. */
import { readPayrollVersions } from '../../gateway/orders/views/order-versions.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRoute } from '../console-route.ts'
import { shareRendering } from '../live/live-stream.ts'
import { limitVersions } from '../live/live-versions.ts'
import { cancelPayrollInPath } from './cancel-payroll.ts'
import { livePayroll, payrollPage } from './payroll-page.ts'
import { PAYROLLS_PATH } from './payroll-summary.ts'
import { exportTransactions } from './payroll-transactions.ts'

/** Payrolls change with each of their transactions. */
const CHANGES_NOTICED_EVERY_MILLISECONDS = 10_000

export function payrollRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const read = { method: 'GET', permission: 'payroll.read' } as const
  const one = `${PAYROLLS_PATH}/:payrollId`
  const reader = limitVersions(
    (subjects) => readPayrollVersions(context.database, subjects),
    CHANGES_NOTICED_EVERY_MILLISECONDS,
  )
  const live = { reader, share: shareRendering() }
  return [
    { ...read, path: one, handle: (request) => payrollPage(context, request) },
    { ...read, path: `${one}/live`, isLive: true, handle: (request) => livePayroll(context, live, request) },
    {
      method: 'POST',
      permission: 'payroll.act',
      path: `${one}/cancel`,
      handle: async (request) => await payrollPage(context, request, await cancelPayrollInPath(context, request)),
    },
    { ...read, path: `${one}/transactions.csv`, handle: (request) => exportTransactions(context, request) },
  ]
}
