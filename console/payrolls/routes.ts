/** Shows payrolls, and lets their users act on them; the list is one of records. */
import { readPayrollVersions } from '../../gateway/orders/views/order-versions.ts'
import type { ConsoleContext } from '../console-context.ts'
import { type ConsoleRoute, get, post } from '../console-route.ts'
import { shareRendering } from '../live/live-stream.ts'
import { limitVersions } from '../live/live-versions.ts'
import { cancelPayrollInPath } from './cancel-payroll.ts'
import { livePayroll, payrollPage } from './payroll-page.ts'
import { PAYROLLS_PATH } from './payroll-summary.ts'
import { exportTransactions } from './payroll-transactions.ts'

/** Payrolls change with each of their transactions. */
const CHANGES_NOTICED_EVERY_MILLISECONDS = 10_000

export function payrollRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const read = get('payroll.read')
  const one = `${PAYROLLS_PATH}/:payrollId`
  const reader = limitVersions(
    (subjects) => readPayrollVersions(context.database, subjects),
    CHANGES_NOTICED_EVERY_MILLISECONDS,
  )
  const live = { reader, share: shareRendering() }
  return [
    read(one, (request) => payrollPage(context, request)),
    get('payroll.read', { isLive: true })(`${one}/live`, (request) => livePayroll(context, live, request)),
    post('payroll.act')(
      `${one}/cancel`,
      async (request) => await payrollPage(context, request, await cancelPayrollInPath(context, request)),
    ),
    read(`${one}/transactions.csv`, (request) => exportTransactions(context, request)),
  ]
}
