/** Attempts deliveries of a subscription now, one or several or all that failed; several only after a confirmation. */

import { html } from 'ghtml'
import type { Context } from '../../gateway/context.ts'
import { tokenField } from '../../gateway/platform/http/pages/form-token.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { notifyDue } from '../../gateway/platform/jobs/due-row-notification.ts'
import {
  attemptDeliveriesNow,
  countRepeatableDeliveries,
  REPEATED_MAX,
} from '../../gateway/webhooks/deliveries/attempt-deliveries-now.ts'
import { getWebhookSubscription } from '../../gateway/webhooks/subscriptions/get-webhook-subscription.ts'
import { SUBSCRIPTION_ROWS } from '../../gateway/webhooks/webhook-rows.ts'
import { requireRights, rightsOfSubscription } from '../access/conferred-rights.ts'
import { actorOf } from '../access/console-session.ts'
import { requireVisible } from '../access/require-visible.ts'
import type { ConsoleRequest } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { hiddenFields } from '../markup/action-form.ts'
import { formatCount } from '../markup/format-money.ts'
import { type ActionOutcome, noticeMarkup } from '../markup/notice.ts'
import { consoleText } from '../texts/console-texts.ts'
import { ATTEMPT_FIELDS } from './delivery-table.ts'
import { subscriptionPage } from './subscription-page.ts'
import { WEBHOOKS_PATH } from './subscriptions-page.ts'

/** Asks for a confirmation first, which names how many deliveries are sent where. */
export async function attemptNow(context: Context, request: ConsoleRequest): Promise<ConsoleAnswer> {
  const { viewer, form } = request
  const key = await requireVisible(context, request.viewer, SUBSCRIPTION_ROWS, request.params['subscriptionId'])
  const subscription = await getWebhookSubscription(context, key, key.id)
  requireRights(viewer, rightsOfSubscription(subscription))
  const ids = form.texts(ATTEMPT_FIELDS.delivery).filter(isId)
  const selection = form.text(ATTEMPT_FIELDS.which) === 'failed' ? 'failed' : ids
  const count = selection === 'failed' ? await countRepeatableDeliveries(context, key, selection) : selection.length
  if (count === 0) {
    const message = consoleText(selection === 'failed' ? 'attemptNow.noneFailed' : 'attemptNow.noneSelected')
    return await pageWith(context, request, { status: 422, message })
  }
  if (form.text('confirmed') !== 'yes') {
    return confirmationPage(request, { path: `${WEBHOOKS_PATH}/${key.id}`, url: subscription.targetUrl, count, ids })
  }
  const { advanced, repeated } = await attemptDeliveriesNow(context, actorOf(viewer.session), key, selection)
  if (advanced + repeated === 0) {
    return await pageWith(context, request, { status: 409, message: consoleText('attemptNow.nothingDone') })
  }
  await notifyDue(context.database)
  const counts = { advanced: formatCount(advanced), repeated: formatCount(repeated) }
  return await pageWith(context, request, { status: 200, message: consoleText('attemptNow.done', counts) })
}

async function pageWith(context: Context, request: ConsoleRequest, outcome: ActionOutcome): Promise<ConsoleAnswer> {
  return { ...(await subscriptionPage(context, request, noticeMarkup(outcome))), status: outcome.status }
}

function confirmationPage(
  { viewer, form }: ConsoleRequest,
  asked: { readonly path: string; readonly url: string; readonly count: number; readonly ids: readonly string[] },
): ConsoleAnswer {
  const { path, url, count, ids } = asked
  const isFailed = form.text(ATTEMPT_FIELDS.which) === 'failed'
  const selected = isFailed ? [] : ids.map((id) => [ATTEMPT_FIELDS.delivery, id] as const)
  const about = consoleText(isFailed ? 'attemptNow.confirmFailed' : 'attemptNow.confirmSelected', { count, url })
  const body = html`<p>${about}</p>
<p>${consoleText('attemptNow.explain')}</p>
!${count < REPEATED_MAX ? '' : html`<p>${consoleText('attemptNow.limit', { count: formatCount(REPEATED_MAX) })}</p>`}
<form class="actions" method="post" action="${path}/attempt-now">!${tokenField(viewer.token)}
!${hiddenFields([['confirmed', 'yes'], [ATTEMPT_FIELDS.which, isFailed ? 'failed' : 'selected'], ...selected])}
<button>${consoleText('attemptNow.confirm')}</button> <a class="button second" href="${path}">${consoleText('attemptNow.cancel')}</a></form>`
  return { kind: 'page', title: consoleText('attemptNow.title'), body }
}
