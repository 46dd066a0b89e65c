/** What operators change about a partner: permissions, callback origins, payrolls of its credentials, its access. */

import { replaceCallbackOrigins } from '../../gateway/auth/callback-origin.ts'
import {
  changeClientPermission,
  changePartnerPermission,
  PARTNER_PERMISSIONS,
} from '../../gateway/auth/client-permissions.ts'
import { findNamedClient } from '../../gateway/auth/list-partners.ts'
import { revokePartnerAccess } from '../../gateway/auth/revoke-partner-access.ts'
import { endAgreement } from '../../gateway/consents/agreements/agreement.ts'
import type { Context } from '../../gateway/context.ts'
import type { Partner } from '../../gateway/partners/partner.ts'
import { apiError } from '../../gateway/platform/http/errors/api-error.ts'
import { isId } from '../../gateway/platform/ids.ts'
import { actorOf } from '../access/console-session.ts'
import { type ConsoleRequest, type ConsoleRoute, post } from '../console-route.ts'
import type { ConsoleAnswer } from '../layout/console-page.ts'
import { executeAction, textsOf } from '../markup/action-form.ts'
import { SEEN_FIELD } from '../markup/seen-state.ts'
import { consoleText } from '../texts/console-texts.ts'
import { partnerPage, requirePartnerInPath } from './partner-page.ts'
import { PARTNERS_PATH } from './partners-path.ts'

type Perform = (context: Context, partner: Partner, request: ConsoleRequest) => Promise<unknown>

/** Each leads back to the page of the partner, which shows why a rejected one was not carried out. */
export function partnerActionRoutes(context: Context): readonly ConsoleRoute[] {
  const action = (path: string, perform: Perform): ConsoleRoute =>
    post('administrate')(`${PARTNERS_PATH}/:partnerId/${path}`, (request) => act(context, request, perform))
  return [
    action('permissions', changePermission),
    action('callback-origins', changeOrigins),
    action('clients/:clientId/payroll', permitPayrolls),
    action('agreements/:agreementId/end', end),
    action('disable', disable),
  ]
}

async function act(context: Context, request: ConsoleRequest, perform: Perform): Promise<ConsoleAnswer> {
  const { partner } = await requirePartnerInPath(context, request.params)
  const rejected = await executeAction(() => perform(context, partner, request))
  return rejected === undefined
    ? { kind: 'redirect', to: `${PARTNERS_PATH}/${partner.id}` }
    : await partnerPage(context, request, rejected)
}

async function changePermission(context: Context, partner: Partner, { viewer, form }: ConsoleRequest): Promise<void> {
  const permission = PARTNER_PERMISSIONS.find((one) => one === form.text('permission'))
  if (permission === undefined) {
    throw apiError('bad-request', consoleText('partner.noPermission'))
  }
  const change = [permission, form.text('to') === 'on'] as const
  requireChanged(await changePartnerPermission(context, actorOf(viewer.session), partner, change))
}

async function changeOrigins(context: Context, partner: Partner, { viewer, form }: ConsoleRequest): Promise<void> {
  const origins = partner.callbackOrigins.join(' ')
  if (form.text(SEEN_FIELD) !== origins) {
    throw apiError('conflict', consoleText('partner.originsChanged', { origins }))
  }
  await replaceCallbackOrigins(context, actorOf(viewer.session), partner, textsOf(form.text('origins')))
}

async function permitPayrolls(
  context: Context,
  partner: Partner,
  { viewer, params: { clientId = '' }, form }: ConsoleRequest,
): Promise<void> {
  if ((await findNamedClient(context, partner.id, clientId)) === undefined) {
    throw apiError('not-found', 'The partner has no credentials with this id')
  }
  const change = ['payroll', form.text('to') === 'on'] as const
  requireChanged(await changeClientPermission(context, actorOf(viewer.session), clientId, change))
}

async function end(
  context: Context,
  { id: partnerId }: Partner,
  { viewer, params: { agreementId = '' } }: ConsoleRequest,
): Promise<void> {
  if (!isId(agreementId)) {
    throw apiError('not-found', 'The partner has no agreement with this id')
  }
  if (!(await endAgreement(context, actorOf(viewer.session), { partnerId, id: agreementId }))) {
    throw apiError('conflict', consoleText('agreements.endedBefore'))
  }
}

/** The name confirms it, because it is permanent. */
async function disable(context: Context, partner: Partner, { viewer, form }: ConsoleRequest): Promise<void> {
  if (form.text('name') !== partner.name) {
    throw apiError('bad-request', consoleText('partner.disableName', { name: partner.name }))
  }
  await revokePartnerAccess(context, actorOf(viewer.session), partner)
}

function requireChanged(changed: boolean): void {
  if (!changed) {
    throw apiError('conflict', consoleText('partner.asWanted'))
  }
}
