/** Lists payments, and shows each with what can be done about it. */
import { readPaymentVersions } from '../../gateway/orders/views/order-versions.ts'
import type { ConsoleContext } from '../console-context.ts'
import type { ConsoleRequest, ConsoleRoute } from '../console-route.ts'
import { exportList, listPage } from '../lists/list-page.ts'
import type { VersionReader } from '../live/live-versions.ts'
import type { ActionOutcome } from '../markup/notice.ts'
import { bankCallsPage } from './bank-calls-page.ts'
import { cancelPaymentInPath } from './cancel-payment.ts'
import { PAYMENTS_PATH, paymentList } from './payment-list.ts'
import { livePayment, paymentPage } from './payment-page.ts'
import { resendEvents } from './resend-events.ts'
import { simulatePayment } from './simulate-payment.ts'

const ONE = `${PAYMENTS_PATH}/:paymentId`

export function paymentRoutes(context: ConsoleContext): readonly ConsoleRoute[] {
  const reader: VersionReader = (subjects) => readPaymentVersions(context.database, subjects)
  const list = paymentList(context)
  const read = { method: 'GET', permission: 'payments.read' } as const
  const act = { method: 'POST', permission: 'payments.act' } as const
  const page = ({ viewer, params: { paymentId = '' } }: ConsoleRequest, outcome?: ActionOutcome) =>
    paymentPage(context, viewer, paymentId, outcome)
  return [
    { ...read, path: PAYMENTS_PATH, handle: (request) => listPage(context, list, request) },
    { ...read, path: `${PAYMENTS_PATH}.csv`, handle: (request) => exportList(list, request) },
    { ...read, path: ONE, handle: (request) => page(request) },
    {
      ...read,
      path: `${ONE}/live`,
      isLive: true,
      handle: ({ viewer, params: { paymentId: id = '' } }) => livePayment(context, { reader, viewer, id }),
    },
    { ...read, path: `${ONE}/calls`, handle: (request) => bankCallsPage(context, request) },
    {
      ...act,
      path: `${ONE}/cancel`,
      handle: (request) => cancelPaymentInPath(context, request, (outcome) => page(request, outcome)),
    },
    {
      ...act,
      path: `${ONE}/resend-events`,
      handle: async (request) => await page(request, await resendEvents(context, request)),
    },
    ...(context.config.mode === 'sandbox'
      ? [
          {
            method: 'POST',
            path: `${ONE}/simulate`,
            permission: 'sandbox',
            handle: (request: ConsoleRequest) => simulatePayment(context, request),
          } as const,
        ]
      : []),
  ]
}
