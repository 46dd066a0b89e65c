/** Shows one payment: what was ordered, its state, and everything that happened to it. */
import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { findPaymentOf } from '../../gateway/orders/find-orders.ts'
import { PAYMENT_ROWS } from '../../gateway/orders/views/order-rows.ts'
import { isPermitted } from '../access/console-role.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { Viewer } from '../access/viewer.ts'
import type { ConsoleAnswer, ConsolePage } from '../layout/console-page.ts'
import { LIVE_SCRIPT_PATH, liveRegion } from '../live/live-region.ts'
import type { VersionReader } from '../live/live-versions.ts'
import { factList } from '../markup/data-table.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { timelineMarkup } from '../markup/timeline.ts'
import { consoleText } from '../texts/console-texts.ts'
import { cancellationForm } from './cancel-payment.ts'
import { orderFacts, receiverFacts, statusFacts } from './order-facts.ts'
import { readTimeline } from './payment-timeline.ts'
import { resendForm } from './resend-events.ts'
import { simulationForm } from './simulate-payment.ts'

/** Throws `not-found` for an unknown id and for a payment of a foreign partner, which look the same. */
export async function paymentPage(
  context: Context,
  viewer: Viewer,
  id: string,
  outcome?: ActionOutcome,
): Promise<ConsolePage> {
  const { title, body } = await readPaymentPage(context, viewer, id)
  return {
    kind: 'page',
    status: outcome?.status ?? 200,
    title,
    body: `${noticeMarkup(outcome)}${liveRegion(`/console/payments/${id}/live`, body)}`,
    scripts: [LIVE_SCRIPT_PATH],
  }
}

/** The page again whenever something has happened to the payment. Throws `not-found` as the page does. */
export async function livePayment(
  context: Context,
  { reader, viewer, id }: { readonly reader: VersionReader; readonly viewer: Viewer; readonly id: string },
): Promise<ConsoleAnswer> {
  const key = await requireVisible(context, viewer, PAYMENT_ROWS, id)
  const subject = `${key.partnerId} ${key.id}`
  return {
    kind: 'live',
    part: { reader, subject, render: async () => (await readPaymentPage(context, viewer, id)).body },
  }
}

async function readPaymentPage(
  context: Context,
  viewer: Viewer,
  id: string,
): Promise<{ readonly title: string; readonly body: string }> {
  const key = await requireVisible(context, viewer, PAYMENT_ROWS, id)
  const payment = await findPaymentOf(context, key.partnerId, key.id)
  const bank = await context.banks.find(payment.bic)
  const timeline = await readTimeline(context, payment, {
    operations: viewer.session.partnerId === null,
    deliveries: isPermitted(viewer.session.roles, 'developer.read'),
  })
  const actions = isPermitted(viewer.session.roles, 'payments.act')
    ? html`<h2>${consoleText('payment.actions')}</h2>
!${await cancellationForm(context, payment, viewer)}
!${resendForm(payment, viewer)}`
    : ''
  const body = html`!${factList({ ...receiverFacts(payment), ...statusFacts(payment) })}
!${actions}
!${simulationForm(payment, viewer)}
<h2>${consoleText('payment.order')}</h2>
!${factList(orderFacts(payment, { partnerName: key.partnerName, bankName: bank?.name ?? payment.bic, viewer }))}
<h2>${consoleText('payment.timeline')}</h2>
!${timelineMarkup(timeline)}`
  const title = consoleText('payment.title', { endToEndId: payment.endToEndId })
  return { title, body }
}
