/** Lists payments, and shows each with what can be done about it. */
import { readPaymentVersions } from '../../gateway/orders/views/order-versions.ts'
import type { ConsoleContext } from '../console-context.ts'
import { type ConsoleRequest, type ConsoleRoute, get, post } from '../console-route.ts'
import { listRoutes } from '../lists/list-page.ts'
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
  const read = get('payments.read')
  const live = get('payments.read', { isLive: true })
  const act = post('payments.act')
  const page = ({ viewer, params: { paymentId = '' } }: ConsoleRequest, outcome?: ActionOutcome) =>
    paymentPage(context, viewer, paymentId, outcome)
  return [
    ...listRoutes(context, 'payments.read', paymentList(context)),
    read(ONE, (request) => page(request)),
    live(`${ONE}/live`, ({ viewer, params: { paymentId: id = '' } }) => livePayment(context, { reader, viewer, id })),
    read(`${ONE}/calls`, (request) => bankCallsPage(context, request)),
    act(`${ONE}/cancel`, (request) => cancelPaymentInPath(context, request, (outcome) => page(request, outcome))),
    act(`${ONE}/resend-events`, async (request) => await page(request, await resendEvents(context, request))),
    ...(context.config.mode === 'sandbox'
      ? [post('sandbox')(`${ONE}/simulate`, (request) => simulatePayment(context, request))]
      : []),
  ]
}
